mod csv_file;
mod damage;
mod formats;
mod made;
mod parquet_file;
mod watching;

use std::path::Path;

use super::*;
use made::{both, written};

/// A column read to its end, with checks of the batches' shape.
fn all(path: &Path, names: &[&str]) -> Result<Vec<Vec<f64>>, ColumnsError> {
    let mut columns = vec![Vec::new(); names.len()];
    let rows = read(path, names, |batch| -> Result<(), ColumnsError> {
        let before = columns.first().map_or(0, Vec::len);
        assert_eq!(batch.first_row(), before as u64 + 1);
        assert_eq!(batch.row_in_file(0), batch.first_row());
        assert!(before.is_multiple_of(BATCH_ROWS) && (1..=BATCH_ROWS).contains(&batch.rows()));
        for (place, column) in columns.iter_mut().enumerate() {
            assert_eq!(batch.column(place).len(), batch.rows());
            column.extend_from_slice(batch.column(place));
        }
        Ok(())
    })?;
    assert!(columns.iter().all(|column| column.len() as u64 == rows));
    Ok(columns)
}

/// The names in a file's header.
fn names(path: &Path) -> Result<Vec<String>, ColumnsError> {
    Ok(header(&TableFiles::one(path)?)?.names)
}

/// The fault of a file, whose name the message must tell.
fn fault(path: &Path, names: &[&str]) -> Fault {
    match all(path, names).unwrap_err() {
        error @ ColumnsError::Data { .. } => {
            assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
            let ColumnsError::Data { fault, .. } = error else { unreachable!() };
            fault
        }
        other => panic!("{other}"),
    }
}

#[test]
fn csv_and_parquet_give_the_same_batches_and_columns_come_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for rows in [1, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 1, 3 * BATCH_ROWS + 17] {
        let files = both(folder.path(), rows);
        let expected: Vec<Vec<f64>> = vec![
            (0..rows).map(made::reward).collect(),
            (0..rows).map(|row| made::action(row) as f64).collect(),
        ];
        for path in files {
            assert_eq!(all(&path, &["reward", "action"]).unwrap(), expected, "{}", path.display());
            assert_eq!(all(&path, &["action"]).unwrap(), expected[1..], "{}", path.display());
            assert_eq!(names(&path).unwrap(), ["action", "context", "reward"]);
        }
    }
}

#[test]
fn a_column_may_be_asked_for_twice_and_rows_are_counted_without_any() {
    let folder = tempfile::tempdir().unwrap();
    for path in both(folder.path(), BATCH_ROWS + 5) {
        let twice = all(&path, &["reward", "reward"]).unwrap();
        assert_eq!(twice[0], twice[1]);
        let mut seen = Vec::new();
        let rows = read(&path, &[], |batch| -> Result<(), ColumnsError> {
            seen.push(batch.rows());
            Ok(())
        });
        assert_eq!((rows.unwrap(), seen), (BATCH_ROWS as u64 + 5, vec![BATCH_ROWS, 5]));
    }
}

#[test]
fn the_one_who_is_given_batches_can_stop_with_an_error_of_their_own() {
    #[derive(Debug)]
    enum Own {
        Enough,
        Columns(#[allow(dead_code, reason = "shown if the test fails")] ColumnsError),
    }
    impl From<ColumnsError> for Own {
        fn from(error: ColumnsError) -> Own {
            Own::Columns(error)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    for path in both(folder.path(), 3 * BATCH_ROWS) {
        let mut batches = 0;
        let stopped = read(&path, &["reward"], |_| {
            batches += 1;
            if batches == 2 { Err(Own::Enough) } else { Ok(()) }
        });
        assert!(matches!(stopped, Err(Own::Enough)));
        assert_eq!(batches, 2);
    }
}

#[test]
fn debug_shows_the_shape_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "t.csv", b"a,b\n77123,77123\n");
    let mut shown = String::new();
    read(&path, &["a", "b"], |batch| -> Result<(), ColumnsError> {
        shown = format!("{batch:?}");
        Ok(())
    })
    .unwrap();
    assert_eq!(shown, "Batch { first_row: 1, rows: 1, columns: 2, .. }");
}

#[test]
fn a_column_that_is_not_there_is_told_without_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    for path in both(folder.path(), 3) {
        let error = all(&path, &["reward", "prize", "size"]).unwrap_err().to_string();
        assert!(
            error.contains("no column `prize`, `size`, which the plan names (it has 3 columns;"),
            "{error}"
        );
        assert!(!error.contains("action") && !error.contains("context"), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["none.csv", "none.parquet"] {
        let path = folder.path().join(name);
        let errors = [all(&path, &["a"]).unwrap_err(), names(&path).unwrap_err()];
        for error in errors {
            assert!(matches!(error, ColumnsError::File(_)) && error.to_string().contains(name), "{error}");
        }
    }
}
