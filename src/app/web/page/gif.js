// An animated GIF of similar pictures: a common palette, and only the changed part of each frame.

const COLOURS = 256;

/**
 * @param {ImageData[]} frames of equal size
 * @param {number} pace duration of a frame in milliseconds; the last frame is shown three times as long
 * @returns {Uint8Array}
 */
export function encode(frames, pace) {
  const { width, height } = frames[0];
  const palette = paletteOf([frames[0], frames[frames.length - 1]]);
  const nearest = finder(palette);
  const out = [];
  const short = (value) => out.push(value & 255, value >> 8);
  out.push(...new TextEncoder().encode("GIF89a"));
  short(width);
  short(height);
  out.push(0xf7, 0, 0);
  for (let index = 0; index < COLOURS; index += 1) out.push(...(palette[index] ?? [0, 0, 0]));
  // The animation is repeated forever.
  out.push(0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  let before = /** @type {Uint8Array | null} */ (null);
  frames.forEach((frame, place) => {
    const pixels = new Uint8Array(width * height);
    const colours = new Uint32Array(frame.data.buffer);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = nearest(colours[at]);
    const [left, top, right, bottom] = before ? changed(before, pixels, width, height) : [0, 0, width, height];
    const delay = Math.round((pace * (place === frames.length - 1 ? 3 : 1)) / 10);
    out.push(0x21, 0xf9, 4, 4);
    short(delay);
    out.push(0, 0, 0x2c);
    for (const value of [left, top, right - left, bottom - top]) short(value);
    out.push(0, 8);
    const part = new Uint8Array((right - left) * (bottom - top));
    for (let y = top; y < bottom; y += 1)
      part.set(pixels.subarray(y * width + left, y * width + right), (y - top) * (right - left));
    const packed = pack(part);
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.slice(at, at + 255);
      out.push(block.length, ...block);
    }
    out.push(0);
    before = pixels;
  });
  out.push(0x3b);
  return new Uint8Array(out);
}

/** Returns the most frequent colours; similar colours are merged. @param {ImageData[]} frames @returns {number[][]} */
function paletteOf(frames) {
  const counts = new Map();
  for (const { data } of frames) {
    for (let at = 0; at < data.length; at += 4) {
      const key = ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);
      const sum = counts.get(key) ?? [0, 0, 0, 0];
      sum[0] += 1;
      for (let part = 0; part < 3; part += 1) sum[part + 1] += data[at + part];
      counts.set(key, sum);
    }
  }
  const frequent = [...counts.values()].sort((one, other) => other[0] - one[0]).slice(0, COLOURS);
  return frequent.map(([count, ...sums]) => sums.map((sum) => Math.round(sum / count)));
}

/** Returns a function that finds the index of the nearest colour of a palette. @param {number[][]} palette */
function finder(palette) {
  const known = new Map();
  return (/** @type {number} */ colour) => {
    let found = known.get(colour);
    if (found !== undefined) return found;
    const [red, green, blue] = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
    let least = Infinity;
    palette.forEach(([r, g, b], index) => {
      const far = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (far < least) [least, found] = [far, index];
    });
    known.set(colour, found);
    return found;
  };
}

/**
 * Returns the smallest rectangle that contains all differences of two pictures; one pixel if they are equal.
 * @returns {number[]} left, top, right, bottom
 */
function changed(before, now, width, height) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < now.length; at += 1) {
    if (now[at] === before[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return right > 0 ? [left, top, right, bottom] : [0, 0, 1, 1];
}

/** Compresses pixels by LZW with codes of 9 to 12 bits. @param {Uint8Array} pixels @returns {number[]} */
function pack(pixels) {
  const [clear, end] = [256, 257];
  const out = [];
  let [bits, count, size, next] = [0, 0, 9, 258];
  let table = new Map();
  const put = (code) => {
    bits |= code << count;
    count += size;
    for (; count >= 8; count -= 8) {
      out.push(bits & 255);
      bits >>>= 8;
    }
  };
  put(clear);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at += 1) {
    const key = prefix * 256 + pixels[at];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    if (next < 4096) {
      if (next === 1 << size) size += 1;
      table.set(key, next);
      next += 1;
    } else {
      put(clear);
      table = new Map();
      [size, next] = [9, 258];
    }
    prefix = pixels[at];
  }
  put(prefix);
  // The decoder also adds a code here.
  if (next === 1 << size && size < 12) size += 1;
  put(end);
  if (count > 0) out.push(bits & 255);
  return out;
}
