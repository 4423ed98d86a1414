//! Operations on groups of lines: `sum`, `median`, `unique` and the like, and the table of `crosstab`.
//!
//! A group is a run of adjacent lines with the same keys, so the input has to be sorted, or `-s` sorts it. Without keys
//! there is one group of all lines, and no output at all for an empty input. Sums, counts and bounds take constant
//! space; order statistics (`median`, `perc`, `mode`) and lists keep the values of the current group and sort them, O(n
//! log n).
//!
//! ```text
//! printf 'a\t1\na\t3\nb\t5\n' | datamash -g 1 sum 2 mean 2
//! a       4       2
//! b       5       5
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::input::{Input, Line};
use super::number::{is_missing, parse};
use super::operation::{Class, Operation};
use super::plan::{Plan, name};
use super::statistics as s;
use super::{Settings, Stop};
use crate::call::bytes;
use crate::output::Output;

/// What is collected for one operation of one group.
enum Values {
    /// `count`
    Count(u64),
    /// `sum`, added in the order of the lines.
    Sum(f64),
    /// The lowest and the highest number, and those that are nearest to zero and farthest from it.
    Bounds(Option<[f64; 4]>),
    /// `first` or `last`; `None` while there is no line.
    Text(Option<Vec<u8>>),
    /// The statistics of one column, in the order of the lines.
    Numbers(Vec<f64>),
    /// Covariances and correlations: the values of both columns, of equal length.
    Pairs(Vec<f64>, Vec<f64>),
    /// `unique`, `collapse`, `countunique` and `rand`.
    Texts(Vec<Vec<u8>>),
}

impl Values {
    /// The empty collection for an operation, chosen by its name and class.
    fn new(operation: &Operation) -> Values {
        match (operation.name, operation.class) {
            ("count", _) => Values::Count(0),
            ("sum", _) => Values::Sum(0.0),
            ("min" | "max" | "absmin" | "absmax" | "range", _) => Values::Bounds(None),
            ("first" | "last", _) => Values::Text(None),
            (_, Class::Texts) => Values::Texts(Vec::new()),
            (_, Class::Pairs) => Values::Pairs(Vec::new(), Vec::new()),
            _ => Values::Numbers(Vec::new()),
        }
    }

    /// Takes in a line. The result says whether `--full` shows this line: the last one that set a minimum, maximum,
    /// first or last value. With `--narm` a line with a missing value in any column of the operation is passed over.
    ///
    /// # Errors
    /// A missing field, and a value that is not a number, with line and field.
    fn add(
        &mut self,
        operation: &Operation,
        line: &Line,
        settings: &Settings,
    ) -> Result<bool, Stop> {
        let mut texts = Vec::with_capacity(2);
        for column in &operation.columns {
            texts.push(line.field(*column)?);
        }
        if settings.skips_missing && texts.iter().any(|text| is_missing(text)) {
            return Ok(false);
        }
        let number = |index: usize| {
            parse(texts[index]).ok_or_else(|| {
                let place = format!(
                    " in line {} field {}: '",
                    line.number, operation.columns[index]
                );
                Stop::from(bytes!("invalid numeric value", place, texts[index], "'"))
            })
        };
        match self {
            Values::Count(count) => *count += 1,
            Values::Sum(sum) => *sum += number(0)?,
            Values::Bounds(bounds) => return Ok(add_bound(bounds, operation.name, number(0)?)),
            Values::Text(text) => {
                if text.is_none() || operation.name == "last" {
                    *text = Some(texts[0].to_vec());
                    return Ok(true);
                }
            }
            Values::Numbers(numbers) => numbers.push(number(0)?),
            Values::Pairs(left, right) => {
                left.push(number(0)?);
                right.push(number(1)?);
            }
            Values::Texts(all) => all.push(texts[0].to_vec()),
        }
        Ok(false)
    }

    /// The result as text. Without values it is `N/A` for texts, `nan` for statistics, and the infinities for bounds,
    /// as GNU datamash has them: `-inf` for `min` and `inf` for `max`.
    fn finish(self, operation: &Operation, settings: &Settings) -> Result<Vec<u8>, Stop> {
        let none = || b"N/A".to_vec();
        let number = match self {
            Values::Count(count) => count as f64,
            Values::Sum(sum) => sum,
            Values::Bounds(bounds) => match (operation.name, bounds) {
                ("range", None) => f64::NAN,
                ("min" | "absmin", None) => f64::NEG_INFINITY,
                (_, None) => f64::INFINITY,
                ("min", Some([low, ..])) => low,
                ("max", Some([_, high, ..])) => high,
                ("absmin", Some([_, _, near, _])) => near,
                ("absmax", Some([_, _, _, far])) => far,
                (_, Some([low, high, ..])) => high - low,
            },
            Values::Text(text) => return Ok(text.unwrap_or_else(none)),
            Values::Texts(texts) => match operation.name {
                "rand" => return Ok(random(texts)?.unwrap_or_else(none)),
                "collapse" => return Ok(texts.join(&b',')),
                "unique" => return Ok(different(texts, settings).join(&b',')),
                _ => different(texts, settings).len() as f64,
            },
            Values::Numbers(numbers) if numbers.is_empty() => f64::NAN,
            Values::Numbers(numbers) => statistic(operation, numbers),
            Values::Pairs(left, _) if left.is_empty() => f64::NAN,
            Values::Pairs(left, right) => {
                let is_sample = operation.name.starts_with('s');
                match operation.name {
                    "pcov" | "scov" => s::covariance(&left, &right, is_sample),
                    _ => s::correlation(&left, &right, is_sample),
                }
            }
        };
        Ok(settings.format.write(number))
    }
}

/// Takes a number into the bounds; whether it is the new one that the operation wants.
fn add_bound(bounds: &mut Option<[f64; 4]>, name: &str, value: f64) -> bool {
    let Some([low, high, near, far]) = bounds else {
        *bounds = Some([value; 4]);
        return name != "range";
    };
    let is_new = [
        value < *low,
        value > *high,
        value.abs() < near.abs(),
        value.abs() > far.abs(),
    ];
    for (place, is_new) in [low, high, near, far].into_iter().zip(is_new) {
        if is_new {
            *place = value;
        }
    }
    let names = ["min", "max", "absmin", "absmax"];
    names
        .iter()
        .zip(is_new)
        .any(|(own, is_new)| *own == name && is_new)
}

/// A statistic of at least one number. Percentiles use the sorted values, means the order of the lines, in which GNU
/// datamash adds them.
fn statistic(operation: &Operation, mut numbers: Vec<f64>) -> f64 {
    let in_order = numbers.clone();
    numbers.sort_by(f64::total_cmp);
    let parameter = |default: f64| operation.parameter.unwrap_or(default);
    match operation.name {
        "mean" => s::mean(&in_order),
        "geomean" => s::geometric_mean(&in_order),
        "harmmean" => s::harmonic_mean(&in_order),
        "trimmean" => s::trimmed_mean(&numbers, parameter(0.0)),
        "median" => s::percentile(&numbers, 0.5),
        "q1" => s::percentile(&numbers, 0.25),
        "q3" => s::percentile(&numbers, 0.75),
        "iqr" => s::percentile(&numbers, 0.75) - s::percentile(&numbers, 0.25),
        "perc" => s::percentile(&numbers, parameter(95.0) / 100.0),
        "mode" => s::mode(&numbers, false),
        "antimode" => s::mode(&numbers, true),
        "pstdev" => s::variance(&in_order, false).sqrt(),
        "sstdev" => s::variance(&in_order, true).sqrt(),
        "pvar" => s::variance(&in_order, false),
        "svar" => s::variance(&in_order, true),
        "mad" => s::deviation_from_median(&numbers) * 1.4826,
        "madraw" => s::deviation_from_median(&numbers),
        "pskew" => s::skewness(&in_order, false),
        "sskew" => s::skewness(&in_order, true),
        "pkurt" => s::kurtosis(&in_order, false),
        "skurt" => s::kurtosis(&in_order, true),
        "dpo" => s::dagostino_pearson(&in_order),
        _ => s::jarque_bera(&in_order),
    }
}

/// The different texts, sorted.
fn different(mut texts: Vec<Vec<u8>>, settings: &Settings) -> Vec<Vec<u8>> {
    texts.sort_by_cached_key(|text| settings.folded(text));
    texts.dedup_by_key(|text| settings.folded(text));
    texts
}

/// One of the texts at random; `None` where there is none.
fn random(mut texts: Vec<Vec<u8>>) -> Result<Option<Vec<u8>>, Stop> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut number = [0; 8];
    getrandom::fill(&mut number).map_err(|error| format!("no random numbers: {error}"))?;
    let index = u64::from_le_bytes(number) % texts.len() as u64;
    Ok(Some(texts.swap_remove(index as usize)))
}

/// Adjacent lines with the same keys.
struct Group {
    /// The keys as they are compared: folded with `-i`.
    key: Vec<Vec<u8>>,
    /// The line whose fields are printed: the group's first one, or with `--full` what `Values::add` chose.
    shown: Line,
    /// One collection for each operation of the plan.
    values: Vec<Values>,
}

/// Hands each group to `done`, in the order of the input, and before that the very first line to `begin`.
fn each(
    settings: &Settings,
    plan: &Plan,
    input: &mut Input,
    mut begin: impl FnMut(&Line, &Input),
    mut done: impl FnMut(Group) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let key = |line: &Line| -> Result<Vec<Vec<u8>>, Stop> {
        let keys = plan.keys.iter();
        keys.map(|key| Ok(settings.folded(line.field(key.column)?)))
            .collect()
    };
    if settings.sorts && !plan.keys.is_empty() {
        input.sort(key)?;
    }
    let mut group: Option<Group> = None;
    let mut has_begun = false;
    while let Some(line) = input.next()? {
        if !has_begun {
            begin(&line, input);
            has_begun = true;
        }
        let own = key(&line)?;
        if let Some(finished) = group.take_if(|group| group.key != own) {
            done(finished)?;
        }
        let group = group.get_or_insert_with(|| Group {
            key: own,
            shown: line.clone(),
            values: plan.operations.iter().map(Values::new).collect(),
        });
        let mut is_shown = false;
        for (values, operation) in group.values.iter_mut().zip(&plan.operations) {
            is_shown |= values.add(operation, &line, settings)?;
        }
        if is_shown && settings.is_full {
            group.shown = line;
        }
    }
    group.map_or(Ok(()), done)
}

/// The results of a group, in the order of the operations.
fn results(settings: &Settings, plan: &Plan, values: Vec<Values>) -> Result<Vec<Vec<u8>>, Stop> {
    let both = values.into_iter().zip(&plan.operations);
    both.map(|(values, operation)| values.finish(operation, settings))
        .collect()
}

/// A line for each group.
pub fn run(
    settings: &Settings,
    plan: &Plan,
    input: &mut Input,
    out: &mut Output,
) -> Result<(), Stop> {
    let out = std::cell::RefCell::new(out);
    if settings.header_out && input.header.is_some() {
        write_header(settings, plan, input, None, &mut out.borrow_mut());
    }
    each(
        settings,
        plan,
        input,
        |line, input| {
            if settings.header_out && input.header.is_none() {
                write_header(settings, plan, input, Some(line), &mut out.borrow_mut());
            }
        },
        |group| {
            let shown = &group.shown;
            let mut fields: Vec<Vec<u8>> = match settings.is_full {
                true => shown.fields().map(<[u8]>::to_vec).collect(),
                false => {
                    let keys = plan.keys.iter();
                    let keys = keys.map(|key| shown.field(key.column).map(<[u8]>::to_vec));
                    keys.collect::<Result<_, _>>()?
                }
            };
            fields.extend(results(settings, plan, group.values)?);
            settings.write(&mut out.borrow_mut(), fields);
            Ok(())
        },
    )
}

/// The names of the columns of the output; where the input has none, its first line tells their number.
fn write_header(
    settings: &Settings,
    plan: &Plan,
    input: &Input,
    first: Option<&Line>,
    out: &mut Output,
) {
    let mut fields: Vec<Vec<u8>> = match settings.is_full {
        true => {
            let line = first.or(input.header.as_ref());
            let count = line.map_or(0, Line::count);
            (1..=count).map(|column| name(column, input)).collect()
        }
        false => key_names(plan, input),
    };
    fields.extend(
        plan.operations
            .iter()
            .map(|operation| plan.label(operation, input)),
    );
    settings.write(out, fields);
}

/// The titles of the key columns: `GroupBy(NAME)`.
fn key_names(plan: &Plan, input: &Input) -> Vec<Vec<u8>> {
    let keys = plan.keys.iter();
    keys.map(|key| bytes!("GroupBy(", name(key.column, input), ")"))
        .collect()
}

/// `crosstab`: a line for each value of the first key, a column for each value of the second one, both sorted by bytes.
///
/// ```text
/// printf 'a x\na y\nb x\n' | datamash -W -s crosstab 1,2
///         x       y
/// a       1       1
/// b       1       N/A
/// ```
///
/// Cells without lines are the filler. Where groups with the same keys come apart, since the input is not sorted, the
/// last one is shown.
pub fn table(
    settings: &Settings,
    plan: &Plan,
    input: &mut Input,
    out: &mut Output,
) -> Result<(), Stop> {
    let mut cells = BTreeMap::new();
    each(
        settings,
        plan,
        input,
        |_, _| {},
        |group| {
            let keys = plan.keys.iter();
            let keys = keys.map(|key| group.shown.field(key.column).map(<[u8]>::to_vec));
            let keys: Vec<Vec<u8>> = keys.collect::<Result<_, _>>()?;
            cells.insert(keys, results(settings, plan, group.values)?.concat());
            Ok(())
        },
    )?;
    if settings.header_out {
        let mut names = key_names(plan, input);
        names.extend(
            plan.operations
                .iter()
                .map(|operation| plan.label(operation, input)),
        );
        settings.write(out, names);
    }
    let column = |index: usize| {
        cells
            .keys()
            .map(|key| key[index].clone())
            .collect::<BTreeSet<_>>()
    };
    let (rows, columns) = (column(0), column(1));
    settings.write(out, [Vec::new()].iter().chain(&columns));
    for row in rows {
        let found = columns
            .iter()
            .map(|column| cells.get(&[row.clone(), column.clone()][..]));
        let found: Vec<&Vec<u8>> = found.map(|cell| cell.unwrap_or(&settings.filler)).collect();
        settings.write(out, [&row].into_iter().chain(found));
    }
    Ok(())
}
