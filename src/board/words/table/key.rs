//! Keys of sentences.

/// Key of a sentence, a constant such as `Key::LeavesNoMove`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// English and Chinese text.
    pub(in crate::words) texts: [&'static str; 2],
}

/// Defines keys with their texts.
macro_rules! words {
    ($($key:ident: $english:literal, $chinese:literal;)*) => {
        #[allow(missing_docs, non_upper_case_globals)]
        impl Key {
            $(pub const $key: Key = Key { texts: [$english, $chinese] };)*
        }

        /// All keys of this file.
        #[cfg(test)]
        pub(super) const KEYS: &[Key] = &[$(Key::$key),*];
    };
}
pub(super) use words;
