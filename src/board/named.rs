//! Enums whose variants and names are declared together.

/// Declares an enum with the constant `ALL` and a function that returns the value next to each variant.
#[macro_export]
#[doc(hidden)]
macro_rules! named {
    (
        $(#[$about:meta])*
        $seen:vis enum $Name:ident { $($(#[$of_variant:meta])* $Variant:ident = $label:expr,)* }
        $(#[$of_label:meta])*
        $known:vis fn $function:ident -> $Label:ty
    ) => {
        $(#[$about])*
        $seen enum $Name { $($(#[$of_variant])* $Variant,)* }

        impl $Name {
            /// All variants, in order.
            $seen const ALL: [$Name; [$($Name::$Variant),*].len()] = [$($Name::$Variant),*];

            $(#[$of_label])*
            $known const fn $function(self) -> $Label {
                match self {
                    $($Name::$Variant => $label,)*
                }
            }
        }
    };
}
