//! What every vector must be before it leaves this crate.

/// Why a vector cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// A number is missing, infinite or none.
    NotFinite,
    /// It points nowhere.
    Zero,
}

impl Unusable {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::NotFinite => "its vector holds something that is no finite number",
            Self::Zero => "its vector is zero",
        }
    }
}

/// The vector at unit length. Summed in f64, where the square of no f32 overflows.
pub(crate) fn unit(mut vector: Vec<f32>) -> Result<Vec<f32>, Unusable> {
    if !vector.iter().all(|number| number.is_finite()) {
        return Err(Unusable::NotFinite);
    }
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(Unusable::Zero);
    }
    for number in &mut vector {
        *number = narrow(f64::from(*number) / length);
    }
    Ok(vector)
}

/// The nearest f32. Beyond its range lies nothing that the JSON of a model's answer means.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the one way from f64 to f32")]
pub(crate) fn narrow(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests;
