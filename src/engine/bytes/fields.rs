//! Sequential parsing of little-endian fields.

/// Sequential parser of little-endian fields. Every method returns `None` at the end.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    /// Creates a parser that starts at the first byte.
    pub fn new(bytes: &'b [u8]) -> Fields<'b> {
        Fields(bytes)
    }

    /// Returns the remaining bytes.
    pub fn rest(&self) -> &'b [u8] {
        self.0
    }

    /// Returns the next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// Returns the next `count` fields of `N` bytes each.
    pub fn list<const N: usize>(&mut self, count: usize) -> Option<&'b [[u8; N]]> {
        let (list, rest) = self.0.split_at_checked(count.checked_mul(N)?)?;
        self.0 = rest;
        Some(list.as_chunks().0)
    }

    /// Returns the next two bytes as a number.
    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    /// Returns the next two bytes as a signed number.
    pub fn i16(&mut self) -> Option<i16> {
        self.take().map(i16::from_le_bytes)
    }

    /// Returns the next four bytes as a number.
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// Returns the next eight bytes as a number.
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// Returns the next four bytes as a floating-point number.
    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_end_where_the_bytes_do() {
        let mut fields = Fields::new(&[1, 2, 0xFF, 0xFF, 0, 0, 0x80, 0x3F, 7]);
        assert_eq!((fields.u16(), fields.i16(), fields.f32()), (Some(0x0201), Some(-1), Some(1.0)));
        assert_eq!((fields.u16(), fields.rest()), (None, &[7][..]));
        assert_eq!((fields.list::<4>(usize::MAX), fields.list::<1>(1)), (None, Some(&[[7]][..])));
    }
}
