//! Statistics of samples, as R and GNU datamash define them.
//!
//! Values that are called sorted have to be in ascending order; the others are summed in the order given. All take
//! O(n). Callers see to it that there is at least one value.

/// What has no value, as a division of zero by zero gives it on the usual machines.
const UNDEFINED: f64 = f64::from_bits(0xfff8_0000_0000_0000);

/// The arithmetic mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The value below which this part of the sorted values lies, interpolated (R's type 7).
pub fn percentile(sorted: &[f64], part: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * part;
    let low = sorted[place.floor() as usize];
    let high = sorted[place.ceil() as usize];
    low + (high - low) * (place - place.floor())
}

/// The mean without this part of the sorted values at either end.
pub fn trimmed_mean(sorted: &[f64], part: f64) -> f64 {
    if part >= 0.5 {
        return percentile(sorted, 0.5);
    }
    let cut = (sorted.len() as f64 * part).floor() as usize;
    mean(&sorted[cut..sorted.len() - cut])
}

/// The n-th root of the product. Where the product leaves the range of a double, logarithms are added in its place.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let product: f64 = values.iter().product();
    if product.is_finite() && product.abs() >= f64::MIN_POSITIVE {
        return product.powf(1.0 / values.len() as f64);
    }
    mean(&values.iter().map(|value| value.ln()).collect::<Vec<_>>()).exp()
}

/// The count divided by the sum of the reciprocals.
pub fn harmonic_mean(values: &[f64]) -> f64 {
    values.len() as f64 / values.iter().map(|value| 1.0 / value).sum::<f64>()
}

/// The most, or the least, frequent of the sorted values; the lowest of several.
pub fn mode(sorted: &[f64], wants_rarest: bool) -> f64 {
    let runs = sorted.chunk_by(|left, right| left == right);
    let better = |new: usize, old: usize| if wants_rarest { new < old } else { new > old };
    runs.fold((f64::NAN, None), |(value, best), run| match best {
        Some(best) if !better(run.len(), best) => (value, Some(best)),
        _ => (run[0], Some(run.len())),
    })
    .0
}

/// The median of the distances from the median.
pub fn deviation_from_median(sorted: &[f64]) -> f64 {
    let middle = percentile(sorted, 0.5);
    let mut distances: Vec<f64> = sorted.iter().map(|value| (value - middle).abs()).collect();
    distances.sort_by(f64::total_cmp);
    percentile(&distances, 0.5)
}

/// The mean of a power of the distances from the mean.
fn moment(values: &[f64], power: i32) -> f64 {
    let middle = mean(values);
    mean(
        &values
            .iter()
            .map(|value| (value - middle).powi(power))
            .collect::<Vec<_>>(),
    )
}

/// The variance of a whole population, or of one from which these values are a sample.
pub fn variance(values: &[f64], is_sample: bool) -> f64 {
    let count = values.len() as f64;
    match is_sample {
        true if values.len() < 2 => f64::NAN,
        true => moment(values, 2) * count / (count - 1.0),
        false => moment(values, 2),
    }
}

/// The skewness; for a sample with the correction for bias. `nan` for too few values.
pub fn skewness(values: &[f64], is_sample: bool) -> f64 {
    let count = values.len() as f64;
    if values.len() < if is_sample { 3 } else { 2 } {
        return f64::NAN;
    }
    let second = moment(values, 2);
    if second == 0.0 {
        return UNDEFINED;
    }
    let skewness = moment(values, 3) / second.powf(1.5);
    match is_sample {
        true => skewness * (count * (count - 1.0)).sqrt() / (count - 2.0),
        false => skewness,
    }
}

/// The kurtosis above that of the normal distribution.
pub fn kurtosis(values: &[f64], is_sample: bool) -> f64 {
    let count = values.len() as f64;
    if values.len() < if is_sample { 4 } else { 2 } {
        return f64::NAN;
    }
    let second = moment(values, 2);
    if second == 0.0 {
        return UNDEFINED;
    }
    let kurtosis = moment(values, 4) / (second * second) - 3.0;
    match is_sample {
        true => (count - 1.0) / ((count - 2.0) * (count - 3.0)) * ((count + 1.0) * kurtosis + 6.0),
        false => kurtosis,
    }
}

/// The probability of so high a value of the chi-squared distribution with two degrees of freedom.
fn chi_squared_2(value: f64) -> f64 {
    (-value / 2.0).exp()
}

/// The p-value of the Jarque-Bera test for normality.
pub fn jarque_bera(values: &[f64]) -> f64 {
    let (skewness, kurtosis) = (skewness(values, false), kurtosis(values, false));
    let statistic = skewness * skewness + kurtosis * kurtosis / 4.0;
    chi_squared_2(values.len() as f64 / 6.0 * statistic)
}

/// The p-value of the D'Agostino-Pearson omnibus test for normality.
pub fn dagostino_pearson(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let below = (count - 2.0) * (count + 1.0) * (count + 3.0);
    let skewness_error = (6.0 * count * (count - 1.0) / below).sqrt();
    let ratio = (count * count - 1.0) / ((count - 3.0) * (count + 5.0));
    let kurtosis_error = 2.0 * skewness_error * ratio.sqrt();
    let skewness = skewness(values, true) / skewness_error;
    let kurtosis = kurtosis(values, true) / kurtosis_error;
    chi_squared_2(skewness * skewness + kurtosis * kurtosis)
}

/// The covariance of two columns of the same length.
pub fn covariance(left: &[f64], right: &[f64], is_sample: bool) -> f64 {
    let (middle_left, middle_right) = (mean(left), mean(right));
    let products = left.iter().zip(right);
    let sum: f64 = products
        .map(|(a, b)| (a - middle_left) * (b - middle_right))
        .sum();
    sum / match is_sample {
        true => left.len() as f64 - 1.0,
        false => left.len() as f64,
    }
}

/// Pearson's coefficient of correlation.
pub fn correlation(left: &[f64], right: &[f64], is_sample: bool) -> f64 {
    let deviation = |values| variance(values, is_sample).sqrt();
    covariance(left, right, is_sample) / (deviation(left) * deviation(right))
}
