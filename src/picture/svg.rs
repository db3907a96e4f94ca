//! The board as SVG.
use super::Picture;
impl Picture<'_> {
    /// x
    pub fn svg(&self) -> String {
        String::new()
    }
}
