//! The mathematical functions of the C library, by their C names. Results are those of `libm` or of Rust's `f64`, and
//! may differ from glibc's in the last bit. Functions of one number take the input, the others take arguments and
//! ignore it.

use super::natives::{Native, Outcome, number};
use super::value::Value;

/// A function of the input.
macro_rules! one {
    ($name:literal, $function:expr) => {
        Native {
            name: $name,
            arity: 0,
            run: |input, _| {
                let function: fn(f64) -> f64 = $function;
                Ok(function(number(input)?).into())
            },
        }
    };
}

/// A function of two arguments.
macro_rules! two {
    ($name:literal, $function:expr) => {
        Native {
            name: $name,
            arity: 2,
            run: |_, arguments| {
                let function: fn(f64, f64) -> f64 = $function;
                Ok(function(number(&arguments[0])?, number(&arguments[1])?).into())
            },
        }
    };
}

/// The functions of numbers; `natives::find` looks here, too.
pub static FUNCTIONS: &[Native] = &[
    one!("floor", f64::floor),
    one!("ceil", f64::ceil),
    one!("round", f64::round),
    one!("trunc", f64::trunc),
    one!("rint", f64::round_ties_even),
    one!("nearbyint", f64::round_ties_even),
    one!("sqrt", f64::sqrt),
    one!("cbrt", f64::cbrt),
    one!("fabs", f64::abs),
    one!("exp", f64::exp),
    one!("exp2", f64::exp2),
    one!("exp10", |x| 10_f64.powf(x)),
    one!("pow10", |x| 10_f64.powf(x)),
    one!("expm1", f64::exp_m1),
    one!("log", f64::ln),
    one!("log2", f64::log2),
    one!("log10", f64::log10),
    one!("log1p", f64::ln_1p),
    one!("logb", |x| libm::ilogb(x).into()),
    one!("sin", f64::sin),
    one!("cos", f64::cos),
    one!("tan", f64::tan),
    one!("asin", f64::asin),
    one!("acos", f64::acos),
    one!("atan", f64::atan),
    one!("sinh", f64::sinh),
    one!("cosh", f64::cosh),
    one!("tanh", f64::tanh),
    one!("asinh", f64::asinh),
    one!("acosh", f64::acosh),
    one!("atanh", f64::atanh),
    one!("gamma", libm::lgamma),
    one!("lgamma", libm::lgamma),
    one!("lgamma_r", libm::lgamma),
    one!("tgamma", libm::tgamma),
    one!("j0", libm::j0),
    one!("j1", libm::j1),
    one!("y0", libm::y0),
    one!("y1", libm::y1),
    two!("pow", f64::powf),
    two!("atan2", f64::atan2),
    two!("fmod", |x, y| x % y),
    two!("fmin", f64::min),
    two!("fmax", f64::max),
    two!("fdim", libm::fdim),
    two!("hypot", f64::hypot),
    two!("copysign", f64::copysign),
    two!("nextafter", libm::nextafter),
    two!("nexttoward", libm::nextafter),
    two!("drem", libm::remainder),
    two!("ldexp", |x, e| libm::scalbn(x, e as i32)),
    two!("scalb", |x, e| x * 2_f64.powf(e)),
    two!("scalbln", |x, e| libm::scalbn(x, e as i32)),
    Native {
        name: "fma",
        arity: 3,
        run: |_, arguments| {
            let (x, y, z) = (
                number(&arguments[0])?,
                number(&arguments[1])?,
                number(&arguments[2])?,
            );
            Ok(x.mul_add(y, z).into())
        },
    },
];

/// The mantissa from 1 up to 2, with the sign of the number; zero, infinities and not-a-number as they are.
pub fn significand(number: f64) -> Outcome {
    let (mantissa, _) = libm::frexp(number);
    let plain = number == 0.0 || !number.is_finite();
    Ok(Value::from(if plain { number } else { mantissa * 2.0 }))
}

/// `[MANTISSA, EXPONENT]` with a mantissa from 0.5 up to 1: `8 | frexp` is `[0.5, 4]`.
pub fn frexp(number: f64) -> Outcome {
    let (mantissa, exponent) = libm::frexp(number);
    Ok(vec![mantissa.into(), f64::from(exponent).into()].into())
}

/// `[FRACTION, WHOLE]`, both with the sign of the number: `-1.5 | modf` is `[-0.5, -1]`.
pub fn modf(number: f64) -> Outcome {
    let whole = number.trunc();
    let fraction = if number.is_infinite() {
        0.0_f64.copysign(number)
    } else {
        number - whole
    };
    Ok(vec![fraction.into(), whole.into()].into())
}
