//! Checksums of files.

static CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 0 { rest >> 1 } else { rest >> 1 ^ 0xEDB8_8320 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// Computes the CRC-32 used by zip and PNG.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, &byte| sum >> 8 ^ CRC_TABLE[usize::from(sum as u8 ^ byte)])
}

/// Computes the 64-bit hash FNV-1a of Fowler, Noll and Vo.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Check values from the catalogue of CRCs for CRC-32/ISO-HDLC, and from the authors of FNV for FNV-1a.
    #[test]
    fn checksums_are_the_published_ones() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!((fnv(b""), fnv(b"foobar")), (0xCBF2_9CE4_8422_2325, 0x8594_4171_F739_67E8));
    }
}
