//! The data sets in a folder.

use std::path::{Path, PathBuf};

use reticent_privacy::{SimSeed, Stream};

use crate::contextual::env::{DataFault, Source, World, WorldError, WorldOptions};
use crate::reproduce::ReproduceError;

/// Files with three coordinates, as the paper prepared its own.
const ENDINGS: [&str; 2] = ["_3d.csv.gz", "_3d.csv"];
/// The group that is served; the others are sources.
const TARGET_GROUP: u32 = 0;

/// A classification file as a bandit.
#[derive(Debug)]
pub(super) struct DataSet {
    /// The file's name without its ending.
    pub(super) name: String,
    pub(super) world: World,
    pub(super) sources: Vec<Source>,
    /// People who are served.
    pub(super) people: u64,
    /// What always choosing the most frequent label would earn.
    pub(super) majority: f64,
}

/// All data sets of a folder, by name.
pub(super) fn read_all(folder: Option<&Path>) -> Result<Vec<DataSet>, ReproduceError> {
    let folder = folder.ok_or(ReproduceError::NeedsData { item: "ctx-table2", data: super::super::DATA })?;
    let found = files(folder).map_err(|source| ReproduceError::DataFolder {
        path: folder.display().to_string(),
        problem: source.to_string(),
    })?;
    if found.is_empty() {
        let problem = "no file in it ends in _3d.csv.gz or _3d.csv".to_string();
        return Err(ReproduceError::DataFolder { path: folder.display().to_string(), problem });
    }
    found.iter().map(|(name, path)| read(name, path)).collect()
}

fn files(folder: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        if let Some(name) = ENDINGS.iter().find_map(|ending| file.strip_suffix(ending)) {
            found.push((name.to_string(), entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

fn read(name: &str, path: &Path) -> Result<DataSet, ReproduceError> {
    let world = open(path)?;
    let sources = world.sources(&[])?;
    let people = world.people().unwrap_or(0);
    let majority = majority(&world);
    Ok(DataSet { name: name.to_string(), world, sources, people, majority })
}

/// A file without groups is served whole.
fn open(path: &Path) -> Result<World, WorldError> {
    let name = format!("data:{}", path.display());
    let grouped = WorldOptions { target_group: Some(TARGET_GROUP), ..WorldOptions::default() };
    match World::open(&name, &grouped) {
        Err(WorldError::Data { fault: DataFault::NoGroupColumn, .. }) => {
            World::open(&name, &WorldOptions::default())
        }
        opened => opened,
    }
}

/// The share of the most frequent label among those who are served.
fn majority(world: &World) -> f64 {
    let mut rng = SimSeed(0).stream(0, Stream::Environment);
    let mut crowd = world.crowd(world.people().unwrap_or(0), &mut rng);
    let mut earned = vec![0.0; world.arms() as usize];
    let mut people = 0.0;
    while let Some(person) = crowd.next(&mut rng) {
        for (arm, sum) in earned.iter_mut().enumerate() {
            *sum += person.reward(arm as u32, &mut rng);
        }
        people += 1.0;
    }
    earned.into_iter().fold(0.0, f64::max) / people
}
