//! Bytes: what is written is read, and nothing else is.

use proptest::prelude::*;

use super::*;

fn any_oracle() -> impl Strategy<Value = FrequencyOracle> {
    let size = prop_oneof![1_u32..20, 60_u32..70, 1_u32..600];
    (prop::sample::select(&OracleKind::ALL[..]), size, 1_u64..8_000).prop_map(|(kind, size, milli)| {
        FrequencyOracle::new(kind, domain(size), Epsilon::from_nano(1_000_000 * milli).unwrap())
    })
}

/// Refused, or a valid report whose encoding is those bytes.
fn refused_or_valid(oracle: &FrequencyOracle, bytes: &[u8]) {
    if let Ok(report) = oracle.decode(bytes) {
        oracle.shape().check(&report).unwrap();
        assert_eq!(oracle.encode(&report), bytes);
        oracle.count(&report, &mut vec![0; oracle.cells()]).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn round_trip_and_damage(oracle in any_oracle(), pick in any::<u32>(), trial in 0_u64..1_000) {
        let size = oracle.domain().size();
        let report = oracle.randomise(oracle.domain().symbol(pick % size).unwrap(), &mut rng(trial));
        let bytes = oracle.encode(&report);
        prop_assert_eq!(bytes.len(), oracle.report_bytes());
        prop_assert_eq!(oracle.decode(&bytes), Ok(report.clone()));
        let json = serde_json::to_string(&report).unwrap();
        prop_assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
        for cut in 0..bytes.len() {
            let refused = ReportError::Length { expected: bytes.len(), got: cut };
            prop_assert_eq!(oracle.decode(&bytes[..cut]), Err(refused));
        }
        let mut longer = bytes.clone();
        longer.push(0);
        prop_assert!(oracle.decode(&longer).is_err());
        let mut damaged = bytes;
        for bit in 0..8 * damaged.len() {
            damaged[bit / 8] ^= 1 << (bit % 8);
            refused_or_valid(&oracle, &damaged);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }

    #[test]
    fn any_bytes(oracle in any_oracle(), bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        refused_or_valid(&oracle, &bytes);
        let mut right_length = bytes;
        right_length.resize(oracle.report_bytes(), 0);
        refused_or_valid(&oracle, &right_length);
    }
}

#[test]
fn each_kind_of_damage_is_refused() {
    let index = Shape::Index { outputs: 300 };
    assert_eq!(index.bytes(), 2);
    assert_eq!(index.decode(&[43, 1]), Ok(Report::Index(299)));
    assert_eq!(index.decode(&[44, 1]), Err(ReportError::OutOfRange));
    assert_eq!(Shape::Index { outputs: 256 }.bytes(), 1);
    assert_eq!(Shape::Index { outputs: 257 }.bytes(), 2);
    assert_eq!(Shape::Index { outputs: 1 }.decode(&[]), Ok(Report::Index(0)));
    let set = Shape::Set { symbols: 10, members: Some(2) };
    assert_eq!(set.decode(&[1, 2]), Ok(Report::Set(vec![0x201])));
    assert_eq!(set.decode(&[1, 4]), Err(ReportError::OutOfRange));
    assert_eq!(set.decode(&[1, 3]), Err(ReportError::SetSize { expected: 2 }));
    assert_eq!(set.check(&Report::Index(0)), Err(ReportError::OtherShape));
    assert_eq!(index.check(&Report::Set(vec![0])), Err(ReportError::OtherShape));
    assert!(set.check(&Report::Set(vec![3, 0])).is_err());
    let cells = ReportError::Cells { expected: 300, got: 299 };
    assert_eq!(index.count(&Report::Index(0), &mut [0; 299]), Err(cells));
    // A full word has no bits beyond the symbols.
    let full = Shape::Set { symbols: 64, members: None };
    assert_eq!(full.check(&Report::Set(vec![u64::MAX])), Ok(()));
}
