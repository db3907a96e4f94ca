//! Enums that are said once: each variant with its name beside it.

/// An enum, all its variants in order as `ALL`, and a function that gives what stands beside each.
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
            /// All of them, in order.
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
