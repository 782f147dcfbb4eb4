//! `price-dose`: how an outcome falls, or grows, with a price that was drawn by lot, from two real experiments.

use std::fmt::Write;
use std::path::Path;

use reticent_device::pricing::Device;
use reticent_learn::pricing::{Tally, fit};
use reticent_privacy::{SimSeed, Stream};
use reticent_protocol::pricing::{Prices, Spec, Terms};
use reticent_schema::{Axis as ContextAxis, Encoding, Field, Range};

use super::Section;
use super::bench::epsilon;
use crate::pricing::LessonError;
use crate::reproduce::{Panel, ReproduceError, Stage, mark};
use crate::runner::LabError;
use reticent_chart::page::Table;
use reticent_chart::plot::{Axis, Chart, Series};
use reticent_jobs::columns::{self, Batch, ColumnsError};

/// What it reads.
pub(super) const FILES: &str = "thornton_incentive.csv.gz and randhie.csv.gz (public data sets)";
/// At the last a report is wrong with a probability below 10^-19: as good as raw.
const LOSSES: [f64; 3] = [1.0, 4.0, 50.0];
const REPEATS: u64 = 20;
const QUICK_REPEATS: u64 = 3;

const CAPTION: &str = "Each record was privatised by a device, and the outcome’s mean at a price, over the contexts of the log, is read off the posterior; lines are the mean over repeated privatisations of the same file, bands \
     two standard deviations of one of them. Dots are means of the raw records, which a private method does not see. ε = ∞ is the same method at ε = 50. In the insurance experiment a person has up to five rows, one a \
     year: each row has ε, so a person has up to 5 ε.";

/// An experiment in a file.
struct Study {
    id: &'static str,
    title: &'static str,
    file: &'static str,
    /// Context, price, outcome.
    columns: [&'static str; 3],
    context: (f64, f64),
    /// All prices that were drawn from: the experiment's design, which is public.
    prices: &'static [f64],
    /// Into how many equal groups they are put to show raw means; each is a group of its own if none is given.
    groups: Option<usize>,
    outcome: (f64, f64),
    axes: [&'static str; 2],
}

const STUDIES: [Study; 2] = [
    Study {
        id: "thornton",
        title: "Money for learning an HIV result (Thornton 2008)",
        file: "thornton_incentive.csv.gz",
        columns: ["distance_km", "incentive_usd", "got"],
        context: (0.0, 6.0),
        prices: &[
            0.0, 0.0946, 0.1891, 0.2837, 0.3782, 0.4728, 0.5674, 0.6619, 0.7565, 0.851, 0.9456, 1.0402,
            1.1347, 1.2293, 1.3238, 1.4184, 1.513, 1.6075, 1.7021, 1.8912, 1.9858, 2.0803, 2.1749, 2.2694,
            2.364, 2.4586, 2.8368,
        ],
        groups: Some(8),
        outcome: (0.0, 1.0),
        axes: ["incentive, US dollars", "share who came for the result"],
    },
    Study {
        id: "randhie",
        title: "Coinsurance and visits to a doctor (RAND 1974 to 1982)",
        file: "randhie.csv.gz",
        columns: ["age", "price", "md_visits"],
        context: (0.0, 65.0),
        prices: &[0.0, 0.25, 0.5, 0.95, 1.0],
        groups: None,
        outcome: (0.0, 20.0),
        axes: ["share of the bill that is paid oneself", "visits a year, at most 20"],
    },
];

/// Context, price, outcome.
type Record = [f64; 3];

/// Mean and standard deviation of the estimate at each price over repeats, by loss.
struct Learned {
    loss: f64,
    curve: Vec<(f64, f64)>,
}

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let folder =
        stage.options.data.as_deref().ok_or(ReproduceError::NeedsData { item: stage.id, data: FILES })?;
    let mut section = Section {
        title: "Two real dose responses",
        captions: vec![CAPTION.to_string()],
        rows: "study,price,raw_mean,raw_records,epsilon,estimate_mean,estimate_sd,repeats,seed\n".to_string(),
        ..Section::default()
    };
    for study in &STUDIES {
        study.show(stage, folder, &mut section)?;
    }
    Ok(section)
}

impl Study {
    fn show(&self, stage: &Stage<'_>, folder: &Path, section: &mut Section) -> Result<(), ReproduceError> {
        let repeats = if stage.options.quick { QUICK_REPEATS } else { REPEATS };
        stage.progress.begin(&format!("{}: {}", stage.id, self.id));
        let records = self.records(folder)?;
        let raw = self.raw(&records);
        let prices: Vec<f64> = raw.iter().map(|group| group.0).collect();
        let learned = LOSSES.map(|loss| self.learned(&records, &prices, loss, repeats, stage.options.seed));
        let learned =
            learned.into_iter().collect::<Result<Vec<Learned>, LessonError>>().map_err(LabError::from)?;
        let seed = stage.options.seed;
        for Learned { loss, curve } in &learned {
            for ((price, mean, count), (estimate, sd)) in raw.iter().zip(curve) {
                let _ = writeln!(
                    section.rows,
                    "{},{price},{mean},{count},{loss},{estimate},{sd},{repeats},{seed}",
                    self.id
                );
            }
        }
        section
            .panels
            .push(Panel { suffix: format!("-{}", self.id), chart: self.chart(&raw, &learned, seed) });
        let heading = format!(
            "{}: {} records. Estimates: mean (sd) of {repeats} privatisations.",
            self.title,
            records.len()
        );
        section.tables.push((heading, self.table(&raw, &learned)));
        Ok(())
    }

    fn records(&self, folder: &Path) -> Result<Vec<Record>, ReproduceError> {
        let mut records = Vec::new();
        let path = folder.join(self.file);
        let each = |batch: &Batch| -> Result<(), ColumnsError> {
            let columns: Vec<&[f64]> = (0..3).map(|column| batch.column(column)).collect();
            records
                .extend((0..columns[0].len()).map(|row| [columns[0][row], columns[1][row], columns[2][row]]));
            Ok(())
        };
        match columns::read(&path, &self.columns, each) {
            Ok(_) => Ok(records),
            Err(error) => Err(ReproduceError::DataFolder {
                path: folder.display().to_string(),
                problem: error.to_string(),
            }),
        }
    }

    /// Price, mean outcome and number of the raw records of each group of prices.
    fn raw(&self, records: &[Record]) -> Vec<(f64, f64, usize)> {
        let highest = self.prices[self.prices.len() - 1];
        let groups = self.groups.unwrap_or(self.prices.len());
        let group = |price: f64| match self.groups {
            Some(groups) => ((price / highest * groups as f64) as usize).min(groups - 1),
            None => self.prices.iter().position(|point| *point == price).unwrap_or(0),
        };
        let mut sums = vec![(0.0, 0.0, 0); groups];
        for &[_, price, outcome] in records {
            let sum = &mut sums[group(price)];
            *sum = (sum.0 + price, sum.1 + outcome.clamp(self.outcome.0, self.outcome.1), sum.2 + 1);
        }
        sums.retain(|sum| sum.2 > 0);
        sums.into_iter()
            .map(|(price, outcome, n)| (price / f64::from(n), outcome / f64::from(n), n as usize))
            .collect()
    }

    fn spec(&self, records: usize, loss: f64) -> Result<Spec, LessonError> {
        let name = self.columns[0].to_string();
        let field = Field::Numeric { name: name.clone(), low: self.context.0, high: self.context.1 };
        let prices = Prices::points(self.prices.to_vec())?;
        let outcome = Range::new(self.outcome.0, self.outcome.1)?;
        let terms = Terms::new(
            Encoding::new(vec![field], vec![ContextAxis::Field { field: name }])?,
            prices,
            outcome,
        )?;
        Ok(Spec::designed(terms, epsilon(loss), records as u64)?)
    }

    fn learned(
        &self,
        records: &[Record],
        prices: &[f64],
        loss: f64,
        repeats: u64,
        seed: u64,
    ) -> Result<Learned, LessonError> {
        let spec = self.spec(records.len(), loss)?;
        let mut curves: Vec<Vec<f64>> = Vec::new();
        for repeat in 0..repeats {
            let mut device =
                Device::simulated(&spec, spec.epsilon(), SimSeed(seed).stream(repeat, Stream::Noise));
            let mut tally = Tally::new(&spec);
            for [context, price, outcome] in records {
                device.next_person(spec.epsilon());
                let record = device.record_numbers(&[*context], *price)?;
                tally.absorb(&device.answer(record, *outcome)?)?;
            }
            let fitted = fit(&[tally])?;
            curves.push(prices.iter().map(|&price| fitted.value_of(None, |_| price, |_| 1.0).mean).collect());
        }
        let n = repeats as f64;
        let curve = (0..prices.len()).map(|at| {
            let mean = curves.iter().map(|curve| curve[at]).sum::<f64>() / n;
            let squares: f64 = curves.iter().map(|curve| (curve[at] - mean).powi(2)).sum();
            (mean, (squares / (n - 1.0).max(1.0)).sqrt())
        });
        Ok(Learned { loss, curve: curve.collect() })
    }

    fn chart(&self, raw: &[(f64, f64, usize)], learned: &[Learned], seed: u64) -> Chart {
        let mut series: Vec<Series> = Vec::new();
        for line in learned {
            let points = raw.iter().zip(&line.curve).map(|(group, (mean, _))| (group.0, *mean)).collect();
            let band = line.curve.iter().map(|(mean, sd)| (mean - 2.0 * sd, mean + 2.0 * sd)).collect();
            series.push(Series::measured(words(line.loss), points).with_band(band));
        }
        series.push(Series::bound("raw means", raw.iter().map(|group| (group.0, group.1)).collect()));
        Chart {
            title: self.title.to_string(),
            subtitle: Some("bands: two standard deviations over privatisations of the same file".to_string()),
            x: Axis::linear(self.axes[0]),
            y: Axis::linear(self.axes[1]),
            series,
            note: Some(mark(seed)),
        }
    }

    fn table(&self, raw: &[(f64, f64, usize)], learned: &[Learned]) -> Table {
        let mut head = vec![self.axes[0].to_string(), "records".to_string(), "raw mean".to_string()];
        head.extend(learned.iter().map(|line| words(line.loss)));
        let row = |(at, (price, mean, count)): (usize, &(f64, f64, usize))| {
            let mut cells = vec![format!("{price:.2}"), count.to_string(), format!("{mean:.3}")];
            cells.extend(
                learned.iter().map(|line| format!("{:.3} ({:.3})", line.curve[at].0, line.curve[at].1)),
            );
            (cells, false)
        };
        Table { head, rows: raw.iter().enumerate().map(row).collect() }
    }
}

fn words(loss: f64) -> String {
    if loss >= 50.0 { "ε = ∞".to_string() } else { format!("ε = {loss}") }
}
