//! Scientific charts as hand-written SVG, and PNG rendered from the same SVG.
//!
//! A chart kind owns its data model and its drawing: `chart` and `line` for
//! line charts, with `end_labels` for the names beside the plot; `dots` for
//! dot plots of values against their limits; `forest` for effects with their
//! intervals; `flow` for where people went; `map` for what is best where.
//! Everything else here is shared by all kinds: `page` (title, note,
//! document), `frame` (grid and axes), `x_axis`, `scale`, `ticks`, `number`,
//! `palette`, `text`, `wrap` and `svg`.
//!
//! Output is deterministic: the same chart gives the same bytes.

mod chart;
mod describe;
mod dots;
mod end_labels;
mod flow;
mod forest;
mod frame;
mod line;
mod map;
mod number;
mod page;
mod palette;
#[cfg(feature = "png")]
mod png;
mod scale;
mod stack;
mod svg;
mod text;
mod ticks;
mod wrap;
mod x_axis;

#[cfg(feature = "png")]
#[cfg(test)]
mod tests;

pub use chart::{Axis, Chart, Series, SeriesKind};
pub use dots::{DotChart, DotGroup, DotMark, DotRow};
pub use flow::{FlowBox, FlowChart};
pub use forest::{ForestChart, ForestRow};
pub use map::{Cells, MapAxis, MapChart, Panel};
#[cfg(feature = "png")]
pub use png::{PlotError, png};
pub use scale::Scale;
pub use stack::stack;
