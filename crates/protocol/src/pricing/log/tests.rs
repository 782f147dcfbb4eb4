use proptest::collection::vec;
use proptest::prelude::*;
use reticent_privacy::Provenance::{Simulation, SystemEntropy};
use reticent_privacy::{Epsilon, Loss, Noise};

use super::*;
use crate::pricing::{Prices, Report, Spec, Terms};
use reticent_schema::{Encoding, Range};

fn spec(records: u64) -> Spec {
    let sold = Range::UNIT;
    let terms = Terms::new(Encoding::unit(1).unwrap(), Prices::range(0.0, 20.0).unwrap(), sold).unwrap();
    Spec::designed(terms, Epsilon::new(1.0).unwrap(), records).unwrap()
}

fn written(spec: &Spec, codes: &[u32]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut log = LogWriter::new(&mut file, spec, SystemEntropy).unwrap();
    for &code in codes {
        log.push_code(code).unwrap();
    }
    assert_eq!(log.finish().unwrap(), codes.len() as u64);
    file
}

/// Everything in a log, if all of it is sound.
fn read(file: &[u8]) -> Result<(Spec, Vec<u32>), LogError> {
    let mut log = LogReader::open(file)?;
    let (mut all, mut codes) = (Vec::new(), Vec::new());
    while log.next_block(&mut codes)? {
        all.extend_from_slice(&codes);
    }
    assert_eq!(log.reports(), all.len() as u64);
    assert!(!log.next_block(&mut codes).unwrap(), "the end stays the end");
    Ok((log.spec().clone(), all))
}

/// Puts another header into a log and makes its checksums right: what somebody else's program could have written.
fn forged(version: u32, header: &str, block: &[u8]) -> Vec<u8> {
    let mut file =
        [&MAGIC[..], &version.to_le_bytes(), &(header.len() as u32).to_le_bytes(), header.as_bytes()]
            .concat();
    let mut checksum = crc32(0, &file);
    file.extend(checksum.to_le_bytes());
    checksum = crc32(checksum, block);
    file.extend(&block[..4]);
    file.extend(checksum.to_le_bytes());
    file.extend(&block[4..]);
    file
}

/// A market of one context, for the bytes below.
const MARKET: &str = r#"{"terms":{"context":{"fields":[{"numeric":{"name":"x1","low":0.0,"high":1.0}}],"axes":[{"field":"x1"}]},"prices":{"range":[0.0,20.0]},"outcome":{"low":0.0,"high":1.0}},"epsilon":1.0,"questions":[{"parts":[12,12],"oracle":"k-rr","design":[288,0]},{"parts":[2,3],"oracle":"k-rr","design":[12,0]}]}"#;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Logs are kept for years: these bytes must be readable for ever. They were made by another program, from
/// `docs/pricing-log.md` alone.
#[test]
fn version_1_is_read_and_says_nothing_of_its_noise() {
    let before = bytes("52544350524943450100000027010000");
    let after = bytes("104b2d83040000004b8639050000010002012b010000000004000000000000000ac84bff");
    let file = [&before[..], MARKET.as_bytes(), &after].concat();
    let spec: Spec = serde_json::from_str(MARKET).unwrap();
    assert_eq!(read(&file).unwrap(), (spec, vec![0, 1, 258, 299]));
    let log = LogReader::open(file.as_slice()).unwrap();
    assert_eq!((log.version(), log.header().noise(), log.header().experiment()), (1, Noise::NotStated, None));
    assert_eq!(log.guarantee().protects(), None);
}

/// The same for version 2, and these bytes must not change unless the version does.
#[test]
fn version_2_has_these_bytes() {
    let spec: Spec = serde_json::from_str(MARKET).unwrap();
    let digest = "0123456789abcdef".repeat(4);
    let guarantee = r#"{"trust_model":"local","loss":{"pure":{"epsilon":1.0}},"unit":"one record: the context, price and outcome of one sale","neighbours":"any two records","proof":"crates/learn/src/pricing/guarantee.md","noise":"operating system entropy"}"#;
    let header = format!(r#"{{"spec":{MARKET},"guarantee":{guarantee},"experiment":"{digest}"}}"#);
    let mut file = Vec::new();
    let said = Header::new(&spec, SystemEntropy).of_experiment(&digest).unwrap();
    let mut log = LogWriter::with_header(&mut file, &said).unwrap();
    for code in [0, 1, 258, 299] {
        log.push_code(code).unwrap();
    }
    log.finish().unwrap();
    let end = 16 + header.len();
    assert_eq!(std::str::from_utf8(&file[16..end]).unwrap(), header);
    let (before, after) = (bytes(VERSION_2.0), bytes(VERSION_2.1));
    assert_eq!((&file[..16], &file[end..]), (&before[..], &after[..]));
    let log = LogReader::open(file.as_slice()).unwrap();
    assert_eq!((log.version(), log.header()), (2, &said));
    assert_eq!(read(&file).unwrap(), (spec, vec![0, 1, 258, 299]));
}

/// Around the header, made by the program in `docs/pricing-log.md`.
const VERSION_2: (&str, &str) = (
    "52544350524943450200000076020000",
    "387a76a1040000000b68131f0000010002012b01000000000400000000000000adacfadb",
);

#[test]
fn a_log_of_simulated_reports_claims_nothing() {
    let spec = spec(100);
    let made = |noise| {
        let mut file = Vec::new();
        LogWriter::new(&mut file, &spec, noise).unwrap().finish().unwrap();
        LogReader::open(file.as_slice()).unwrap().guarantee()
    };
    let (real, simulated) = (made(SystemEntropy), made(Simulation));
    assert_eq!((real.to_string(), real.protects()), ("1-DP, local model".into(), Some(true)));
    assert_eq!(simulated.to_string(), "simulation, not private (would be 1-DP, local model)");
    assert_eq!((simulated.loss, simulated.protects()), (Loss::Unbounded, Some(false)));
}

/// Somebody else's program, or somebody's editor: checksums are right, and the header contradicts itself.
#[test]
fn a_header_is_held_to_its_spec() {
    let spec = spec(100);
    let said = String::from_utf8(Header::new(&spec, SystemEntropy).json().unwrap()).unwrap();
    let end = [&1_u32.to_le_bytes()[..], &vec![0; spec.report_bytes()]].concat();
    assert!(matches!(read(&forged(2, &said, &end)), Err(LogError::CutShort)), "the header itself is sound");
    for (from, to) in [
        (r#"{"pure":{"epsilon":1.0}},"unit""#, r#"{"pure":{"epsilon":0.1}},"unit""#),
        (r#""trust_model":"local""#, r#""trust_model":"central""#),
        ("operating system entropy", "simulation, not private"),
        (r#","noise":"operating system entropy""#, ""),
    ] {
        let changed = said.replacen(from, to, 1);
        assert_ne!(changed, said);
        assert!(matches!(read(&forged(2, &changed, &end)), Err(LogError::Guarantee)), "{to}");
    }
    assert!(matches!(read(&forged(1, &said, &end)), Err(LogError::Spec(_))), "version 1 is the spec alone");
    let bare = serde_json::to_string(&spec).unwrap();
    assert!(matches!(read(&forged(2, &bare, &end)), Err(LogError::Spec(_))), "version 2 says more");
}

#[test]
fn an_experiment_is_named_by_its_digest_or_not_at_all() {
    let header = || Header::new(&spec(100), SystemEntropy);
    for wrong in ["", "abc", &"A".repeat(64), &"g".repeat(64), &"a".repeat(65)] {
        assert!(matches!(header().of_experiment(wrong), Err(LogError::Experiment)), "{wrong}");
        let json = String::from_utf8(header().json().unwrap()).unwrap();
        let named = format!("{},\"experiment\":\"{wrong}\"}}", json.strip_suffix('}').unwrap());
        assert!(matches!(read(&forged(2, &named, &[0; 12])), Err(LogError::Experiment)), "{wrong}");
    }
}

#[test]
fn blocks_are_full_but_the_last_and_an_empty_log_is_one() {
    let spec = spec(100_000);
    for reports in [0, 1, BLOCK_REPORTS - 1, BLOCK_REPORTS, BLOCK_REPORTS + 1, 2 * BLOCK_REPORTS] {
        let codes: Vec<u32> =
            (0..reports as u32).map(|i| i.wrapping_mul(2_654_435_761) % spec.codes()).collect();
        let file = written(&spec, &codes);
        let (again, read) = read(&file).unwrap();
        assert!(again == spec && read == codes, "{reports} reports");
        let mut log = LogReader::open(file.as_slice()).unwrap();
        while log.next_payload().unwrap().is_some() {}
        assert_eq!(log.block(), reports.div_ceil(BLOCK_REPORTS) as u64);
    }
}

#[test]
fn what_is_no_log_is_refused_with_a_reason() {
    let spec = spec(100);
    let file = written(&spec, &[1, 2, 3]);
    let says = |file: &[u8]| read(file).unwrap_err().to_string();
    assert!(says(b"").contains("no privatised log"));
    assert!(says(b"price,sold\n9.99,1\n").contains("no privatised log"));
    let mut newer = file.clone();
    newer[8] = 3;
    assert!(says(&newer).contains("version 3") && says(&newer).contains("versions up to 2"));
    newer[8] = 0;
    assert!(matches!(read(&newer), Err(LogError::Version(0))));
    let mut longer = file.clone();
    longer.push(0);
    assert!(matches!(read(&longer), Err(LogError::Trailing)));
    assert!(matches!(read(&[&file[..], &file].concat()), Err(LogError::Trailing)));
    let header = String::from_utf8(Header::new(&spec, SystemEntropy).json().unwrap()).unwrap();
    let block = [&2_u32.to_le_bytes()[..], &vec![0; 2 * spec.report_bytes()]].concat();
    assert!(matches!(read(&forged(VERSION, &header, &block)), Err(LogError::CutShort)), "no end");
    let wrong = [&1_u32.to_le_bytes()[..], &vec![255; spec.report_bytes()]].concat();
    assert!(matches!(read(&forged(VERSION, &header, &wrong)), Err(LogError::Code(1))));
    let many =
        [&(BLOCK_REPORTS as u32 + 1).to_le_bytes()[..], &vec![0; (BLOCK_REPORTS + 1) * spec.report_bytes()]]
            .concat();
    assert!(matches!(read(&forged(VERSION, &header, &many)), Err(LogError::Block(1))));
    let refused = says(&forged(VERSION, &header.replace("[0.0,20.0]", "[20.0,0.0]"), &block));
    assert!(refused.contains("price range"), "{refused}");
}

#[test]
fn blocks_cannot_be_left_out_moved_or_doubled() {
    let spec = spec(100_000);
    let codes: Vec<u32> = (0..2 * BLOCK_REPORTS as u32).map(|i| i % spec.codes()).collect();
    let file = written(&spec, &codes);
    let block = 8 + BLOCK_REPORTS * spec.report_bytes();
    let head = file.len() - 16 - 2 * block;
    let (first, second, end) =
        (&file[head..head + block], &file[head + block..head + 2 * block], &file[head + 2 * block..]);
    let put = |blocks: &[&[u8]]| read(&[&[&file[..head]], blocks, &[end]].concat().concat());
    assert!(put(&[first, second]).is_ok());
    for blocks in [&[first][..], &[second], &[second, first], &[first, first], &[]] {
        assert!(matches!(put(blocks), Err(LogError::Block(_))));
    }
}

#[test]
fn reports_of_another_spec_are_not_written() {
    let spec = spec(100);
    let mut file = Vec::new();
    let mut log = LogWriter::new(&mut file, &spec, SystemEntropy).unwrap();
    assert!(matches!(log.push_code(spec.codes()), Err(LogError::Report)));
    assert!(matches!(log.push(Report { question: 99, output: 0 }), Err(LogError::Report)));
    log.push(Report { question: 0, output: 1 }).unwrap();
    assert_eq!(log.finish().unwrap(), 1);
    assert_eq!(read(&file).unwrap().1, [1]);
}

/// Gives a byte at a time, and now and then is interrupted.
struct Slow<'a>(&'a [u8], bool);

impl std::io::Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let most = into.len().min(1);
        std::io::Read::read(&mut self.0, &mut into[..most])
    }
}

proptest! {
    #[test]
    fn a_log_comes_back_as_it_was(records in 1_u64..1_000_000_000, numbers in vec(any::<u32>(), 0..300)) {
        let spec = spec(records);
        let codes: Vec<u32> = numbers.iter().map(|number| number % spec.codes()).collect();
        let file = written(&spec, &codes);
        let (again, read) = read(&file).unwrap();
        prop_assert!(again == spec && read == codes);
        let mut slow = LogReader::open(Slow(&file, false)).unwrap();
        let mut found = Vec::new();
        slow.next_block(&mut found).unwrap();
        prop_assert_eq!(found, codes);
    }

    #[test]
    fn every_flipped_bit_is_seen(numbers in vec(any::<u32>(), 0..40), place in any::<prop::sample::Index>(), bit in 0..8) {
        let spec = spec(100);
        let codes: Vec<u32> = numbers.iter().map(|number| number % spec.codes()).collect();
        let mut file = written(&spec, &codes);
        let place = place.index(file.len());
        file[place] ^= 1_u8 << bit;
        prop_assert!(read(&file).is_err());
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..200), keep in any::<prop::sample::Index>()) {
        prop_assert!(read(&bytes).is_err());
        let spec = spec(100);
        let file = written(&spec, &[0, 1, 2]);
        // A sound beginning, then anything.
        prop_assert!(read(&[&file[..keep.index(file.len())], &bytes].concat()).is_err() || bytes.is_empty());
    }
}

#[test]
fn every_cut_is_seen() {
    let spec = spec(100);
    let file = written(&spec, &[0, 1, 2]);
    for length in 0..file.len() {
        let error = read(&file[..length]).unwrap_err();
        let expected = if length < MAGIC.len() {
            matches!(error, LogError::NotALog)
        } else {
            matches!(error, LogError::CutShort)
        };
        assert!(expected, "{length}: {error}");
    }
}
