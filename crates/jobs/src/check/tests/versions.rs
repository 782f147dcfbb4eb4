//! What version 1 wrote is sound, and says as much about its noise as it said.

use reticent_protocol::pricing::log::LogReader;

use super::*;

fn json(published: &Published, kind: Kind) -> Value {
    serde_json::from_slice(&std::fs::read(published.file(kind)).unwrap()).unwrap()
}

fn checked(published: &Published, value: &Value) -> Checked {
    check(&published.write("old.json", &serde_json::to_vec(value).unwrap()), 1).unwrap()
}

/// The log as version 1 wrote it: its header is the spec alone.
fn old_log(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    let mut log = LogReader::open(bytes.as_slice()).unwrap();
    let header = serde_json::to_vec(log.spec()).unwrap();
    let payload = log.next_payload().unwrap().unwrap().to_vec();
    let reports = u32::try_from(log.reports()).unwrap();
    let start = [&MAGIC[..], &1_u32.to_le_bytes(), &(header.len() as u32).to_le_bytes(), &header].concat();
    let number = reports.to_le_bytes();
    let end = [&0_u32.to_le_bytes()[..], &u64::from(reports).to_le_bytes()].concat();
    let mut crc = flate2::Crc::new();
    let mut sum = |pieces: &[&[u8]]| {
        for piece in pieces {
            crc.update(piece);
        }
        crc.sum().to_le_bytes()
    };
    let [first, second, last] = [sum(&[&start]), sum(&[&number, &payload]), sum(&[&end])];
    [&start[..], &first, &number, &second, &payload, &end, &last].concat()
}

#[test]
fn what_did_not_say_where_its_noise_came_from_is_told() {
    let published = Published::made_with(system);
    let log = published.write("old.rpl", &old_log(published.file(Kind::PrivatisedLog)));
    let mut release = json(&published, Kind::TrialRelease);
    for added in ["format", "version", "guarantee"] {
        release.as_object_mut().unwrap().remove(added).unwrap();
    }
    // The policy alone, without how it was chosen.
    let mut policy = json(&published, Kind::PricePolicy)["policy"].clone();
    for added in ["choice", "score"] {
        policy.as_object_mut().unwrap().remove(added).unwrap();
    }
    policy["version"] = 1.into();
    for old in [check(&log, 1).unwrap(), checked(&published, &release), checked(&published, &policy)] {
        assert_eq!((old.version, old.guarantee.protects()), (1, None), "{}", old.kind);
        assert_eq!(old.verdict(), "does not say where its noise came from");
        assert!(old.guarantee.to_string().ends_with("(where its noise came from is not stated)"));
    }
}

/// Reports of trials had words for it. (Released functions of versions 1 and 2 are read in their own crate's tests.)
#[test]
fn what_said_it_in_other_words_is_believed_as_before() {
    let published = Published::made_with(system);
    let mut report = json(&published, Kind::TrialReport);
    report["version"] = 1.into();
    report["guarantee"].as_object_mut().unwrap().remove("noise");
    for (words, protects) in [
        ("operating system entropy", Some(true)),
        ("simulation, not private; seed 4", Some(false)),
        ("something else", None),
    ] {
        report["noise"] = words.into();
        let old = checked(&published, &report);
        assert_eq!((old.version, old.guarantee.protects()), (1, protects), "{words}");
    }
}
