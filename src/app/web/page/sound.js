// Sounds, generated from filtered noise and short tones, without files.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

function ready() {
  // Browsers allow sound only after a user action on the page.
  if (!settings.sound || typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false)
    return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** Plays a knock of wood: filtered noise that fades out. */
function knock(audio, at, pitch, loud, length) {
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let frame = 0; frame < frames; frame += 1) data[frame] = (2 * Math.random() - 1) * (1 - frame / frames) ** 6;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = 2.5;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}

function tone(audio, at, pitch, loud, length) {
  const oscillator = audio.createOscillator();
  oscillator.type = "sine";
  oscillator.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/**
 * Parts of each sound, with their start, pitch, loudness and length.
 * @type {Record<string, [typeof knock, number, number, number, number][]>}
 */
const SOUNDS = {
  move: [[knock, 0, 900, 1.6, 0.09]],
  capture: [[knock, 0, 620, 2.2, 0.12], [knock, 0.05, 1300, 1, 0.06]],
  check: [[knock, 0, 900, 1.6, 0.09], [tone, 0.06, 660, 0.1, 0.22]],
  warning: [[tone, 0, 415, 0.08, 0.3]],
  wrong: [[tone, 0, 196, 0.12, 0.3]],
  right: [[tone, 0, 523, 0.08, 0.18], [tone, 0.1, 784, 0.08, 0.25]],
  end: [[tone, 0, 392, 0.08, 0.5], [tone, 0.13, 494, 0.08, 0.5], [tone, 0.26, 587, 0.08, 0.5]],
};

/** @param {keyof SOUNDS} name */
export function sound(name) {
  const audio = ready();
  if (!audio) return;
  const now = audio.currentTime;
  for (const [part, start, ...how] of SOUNDS[name]) part(audio, now + start, ...how);
}
