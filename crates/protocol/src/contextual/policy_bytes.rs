//! A policy's bytes: what devices fetch.
//!
//! Layout: the head of all policies (kind 2); then LEB128 integers: the source plus one; the questions
//! (widths, what about, oracle, design); the tasks; and the maps, each as runs of equal arms (length, arm),
//! which is short because maps are patches. Cells of its own, if it has any, come last: for each axis a form, and its
//! number of cells, where they begin, or the cell of each level.

use reticent_privacy::oracle::OracleKind;

use super::{About, AxisCells, MAX_CELLS, MAX_TASKS, Policy, Question, STEPS, Task};
use crate::DecodeError;
use crate::bytes::{self, at_end, take_list, take_source, take_u32};
use crate::policy_head::{self, PolicyKind};

const MAX_AXES: u32 = 64;

impl Policy {
    /// The bytes of this policy.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = policy_head::start(PolicyKind::Contextual, self.experiment, self.version);
        let mut put = |value: u64| bytes::put(&mut bytes, value);
        put(self.source.map_or(0, |source| u64::from(source) + 1));
        put(self.questions.len() as u64);
        for question in &self.questions {
            put(question.widths.len() as u64);
            question.widths.iter().for_each(|&width| put(u64::from(width)));
            let (about, oracle) = match question.about {
                About::Outcome { oracle, design } => (0, Some((oracle, design))),
                About::Effect => (1, None),
                About::Place { oracle, design } => (2, Some((oracle, design))),
            };
            put(about);
            if let Some((kind, design)) = oracle {
                put(OracleKind::ALL.iter().position(|&k| k == kind).unwrap_or_default() as u64);
                for number in design {
                    put(u64::from(number));
                }
            }
        }
        put(self.tasks.len() as u64);
        self.tasks.iter().for_each(|task| [task.map, task.question].iter().for_each(|&n| put(u64::from(n))));
        put(self.maps.len() as u64);
        for map in &self.maps {
            let runs: Vec<&[u8]> = map.chunk_by(|a, b| a == b).collect();
            put(runs.len() as u64);
            for run in runs {
                put(run.len() as u64);
                put(u64::from(run[0]));
            }
        }
        if let Some(axes) = &self.cells {
            put(axes.len() as u64);
            for axis in axes {
                put_cells(axis, &mut put);
            }
        }
        bytes
    }

    /// Reads one policy; accepts exactly what [`encode`](Self::encode) writes. Whether it fits an experiment
    /// is checked by [`Plan::new`](super::Plan::new).
    pub fn decode(bytes: &[u8]) -> Result<Policy, DecodeError> {
        let (experiment, version, mut rest) = policy_head::read(PolicyKind::Contextual, bytes)?;
        let source = take_source(&mut rest)?;
        let questions = take_list(&mut rest, MAX_TASKS, take_question)?;
        let tasks = take_list(&mut rest, MAX_TASKS, |rest| {
            Ok(Task { map: take_u32(rest)?, question: take_u32(rest)? })
        })?;
        let maps = take_list(&mut rest, MAX_TASKS, take_map)?;
        let mut cells = None;
        if !rest.is_empty() {
            let axes = take_list(&mut rest, MAX_AXES as usize, take_cells)?;
            // One spelling: cells of no axis are no cells.
            cells = Some(axes).filter(|axes| !axes.is_empty());
            cells.as_ref().ok_or(DecodeError::Number)?;
        }
        at_end(rest)?;
        Ok(Policy { experiment, source, version, questions, maps, tasks, cells })
    }
}

fn put_cells(axis: &AxisCells, put: &mut impl FnMut(u64)) {
    let (form, list) = match axis {
        AxisCells::Even(size) => {
            put(0);
            return put(u64::from(*size));
        }
        AxisCells::Cuts(cuts) => (1, cuts),
        AxisCells::Levels(levels) => (2, levels),
    };
    put(form);
    put(list.len() as u64);
    for &number in list {
        put(u64::from(number));
    }
}

fn take_cells(rest: &mut &[u8]) -> Result<AxisCells, DecodeError> {
    let number = |rest: &mut &[u8]| u16::try_from(take_u32(rest)?).map_err(|_| DecodeError::Number);
    match take_u32(rest)? {
        0 => take_u32(rest).map(AxisCells::Even),
        1 => take_list(rest, STEPS as usize, number).map(AxisCells::Cuts),
        2 => take_list(rest, STEPS as usize, number).map(AxisCells::Levels),
        _ => Err(DecodeError::Number),
    }
}

fn take_question(rest: &mut &[u8]) -> Result<Question, DecodeError> {
    let widths = take_list(rest, MAX_AXES as usize, take_u32)?;
    let oracle = |rest: &mut &[u8]| -> Result<(OracleKind, [u32; 2]), DecodeError> {
        let kind = *OracleKind::ALL.get(take_u32(rest)? as usize).ok_or(DecodeError::Number)?;
        Ok((kind, [take_u32(rest)?, take_u32(rest)?]))
    };
    let about = match take_u32(rest)? {
        0 => oracle(rest).map(|(oracle, design)| About::Outcome { oracle, design })?,
        1 => About::Effect,
        2 => oracle(rest).map(|(oracle, design)| About::Place { oracle, design })?,
        _ => return Err(DecodeError::Number),
    };
    Ok(Question { widths, about })
}

fn take_map(rest: &mut &[u8]) -> Result<Vec<u8>, DecodeError> {
    let runs = take_u32(rest)? as usize;
    let mut map: Vec<u8> = Vec::new();
    for _ in 0..runs {
        let length = take_u32(rest)? as usize;
        let arm = u8::try_from(take_u32(rest)?).map_err(|_| DecodeError::Number)?;
        // One spelling: no empty run, no two runs of one arm; and no map larger than any grid.
        if length == 0 || map.len() + length > MAX_CELLS || map.last() == Some(&arm) {
            return Err(DecodeError::Number);
        }
        map.extend(std::iter::repeat_n(arm, length));
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contextual::{Plan, PolicyError, QuestionError, Spec};
    use proptest::prelude::*;
    use reticent_privacy::Epsilon;
    use reticent_schema::{Digest, Encoding};

    fn spec() -> Spec {
        Spec::new(3, Encoding::unit(2).unwrap(), Epsilon::new(2.0).unwrap()).unwrap()
    }

    fn policy() -> Policy {
        let spec = spec();
        let questions = vec![
            Question::outcome(spec.grid(), vec![4, 8], 3, spec.epsilon()).unwrap(),
            Question::effect(vec![16, 1]),
            Question::place(spec.grid(), vec![4, 4], spec.epsilon()).unwrap(),
        ];
        let map = |shift: usize| (0..256).map(|cell| ((cell / 32 + shift) % 3) as u8).collect();
        let tasks = (0..4).map(|i| Task { map: i % 2, question: i % 3 }).collect();
        Policy {
            experiment: spec.digest(),
            source: None,
            version: 9,
            questions,
            maps: vec![map(0), map(1)],
            tasks,
            cells: None,
        }
    }

    /// The same with cells of its own: as many.
    fn with_cells() -> Policy {
        let cuts = (1..16).map(|cut| cut * cut * 16).collect();
        Policy { cells: Some(vec![AxisCells::Even(16), AxisCells::Cuts(cuts)]), ..policy() }
    }

    #[test]
    fn a_policy_survives_is_compact_and_every_cut_is_seen() {
        let bytes = policy().encode();
        assert!(bytes.len() < 112, "{}", bytes.len());
        assert_eq!(Policy::decode(&bytes), Ok(policy()));
        for cut in 0..bytes.len() {
            assert_eq!(Policy::decode(&bytes[..cut]), Err(DecodeError::Truncated), "{cut}");
        }
        let json = serde_json::to_string(&policy()).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&json).unwrap(), policy());
    }

    #[test]
    fn a_policy_may_have_cells_of_its_own() {
        let (own, bytes) = (with_cells(), with_cells().encode());
        assert!(bytes.len() < 112 + 40, "{}", bytes.len());
        assert_eq!(Policy::decode(&bytes), Ok(own.clone()));
        // What is cut off is seen, but for where a policy without cells ends.
        let ends = policy().encode().len();
        for cut in (0..bytes.len()).filter(|&cut| cut != ends) {
            assert_eq!(Policy::decode(&bytes[..cut]), Err(DecodeError::Truncated), "{cut}");
        }
        let json = serde_json::to_string(&own).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&json).unwrap(), own);
        let plan = Plan::new(&spec(), own).unwrap();
        assert_eq!(plan.grid().cell(&[0.5, 0.9]), 8 * 16 + 15);
        for cells in [vec![AxisCells::Even(16)], vec![AxisCells::Even(16), AxisCells::Levels(vec![0; 16])]] {
            let refused = Plan::new(&spec(), Policy { cells: Some(cells), ..policy() });
            assert!(matches!(refused, Err(PolicyError::Misfit(_))));
        }
        // Fewer cells than the maps are of.
        let fewer = Some(vec![AxisCells::Even(16), AxisCells::Even(8)]);
        assert!(Plan::new(&spec(), Policy { cells: fewer, ..policy() }).is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |change: &dyn Fn(&mut Policy)| {
            let mut policy = policy();
            change(&mut policy);
            Plan::new(&spec(), policy).unwrap_err()
        };
        assert!(Plan::new(&spec(), policy()).is_ok());
        let other = |p: &mut Policy| p.experiment = Digest::from_bytes([7; 32]);
        assert!(matches!(refused(&other), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.maps[0][7] = 3), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.maps[0].truncate(255)), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.tasks[0].question = 3), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.tasks[0].map = 2), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.tasks.clear()), PolicyError::Misfit(_)));
        assert!(matches!(refused(&|p| p.source = Some(0)), PolicyError::Misfit(_)));
        let design = |p: &mut Policy| {
            if let About::Outcome { design, .. } = &mut p.questions[0].about {
                design[0] += 1;
            }
        };
        assert_eq!(refused(&design), PolicyError::Question(QuestionError::Design));
        assert_eq!(refused(&|p| p.questions[0].widths[0] = 17), PolicyError::Question(QuestionError::Widths));
    }

    proptest! {
        #[test]
        fn no_bytes_panic_and_each_policy_has_one_spelling(at in 0_usize..150, byte in any::<u8>()) {
            let mut bytes = with_cells().encode();
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Ok(read) = Policy::decode(&bytes) {
                prop_assert_eq!(read.encode(), bytes);
                let _ = Plan::new(&spec(), read);
            }
        }
    }
}
