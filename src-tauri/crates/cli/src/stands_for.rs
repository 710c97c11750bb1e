//! Values of arguments that stand for values of the engine with the same names.

/// Turns an enum of arguments into one of the engine, variant by variant.
macro_rules! stands_for {
    ($argument:ident => $own:ident: $($variant:ident),+) => {
        impl From<$argument> for $own {
            fn from(argument: $argument) -> Self {
                match argument {
                    $($argument::$variant => Self::$variant,)+
                }
            }
        }
    };
}

pub(crate) use stands_for;
