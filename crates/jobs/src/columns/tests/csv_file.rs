use super::made::{packed, written};
use super::*;

fn read_text(text: &[u8], names: &[&str]) -> Result<Vec<Vec<f64>>, ColumnsError> {
    let folder = tempfile::tempdir().unwrap();
    all(&written(folder.path(), "t.csv", text), names)
}

fn fault_of(text: &[u8], names: &[&str]) -> Fault {
    let folder = tempfile::tempdir().unwrap();
    fault(&written(folder.path(), "t.csv", text), names)
}

#[test]
fn numbers_are_read_in_every_usual_form() {
    let text = b"a, b ,c\n1, -2.5 ,\"3\"\n+4,.5,6.\n1e3,-0,2E-2\n";
    let expected = vec![vec![3.0, 6.0, 0.02], vec![1.0, 4.0, 1000.0], vec![-2.5, 0.5, -0.0]];
    assert_eq!(read_text(text, &["c", "a", "b"]).unwrap(), expected);
}

#[test]
fn byte_order_marks_line_ends_and_blank_lines_change_nothing() {
    let expected = vec![vec![1.0, 3.0], vec![2.0, 4.0]];
    for text in [
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "\u{feff}a,b\n1,2\n3,4\n",
        "\u{feff}\"a\",b\r\n1,2\r\n3,4\r\n",
        "a,b\r\n1,2\r\n\r\n3,4\r\n\r\n",
    ] {
        assert_eq!(read_text(text.as_bytes(), &["a", "b"]).unwrap(), expected, "{text:?}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "t.csv", "\u{feff}a , b\r\n1,2\r\n".as_bytes());
    assert_eq!(names(&path).unwrap(), ["a", "b"]);
}

#[test]
fn a_bad_cell_is_told_by_row_and_column_and_never_quoted() {
    let cell = |row, fault| Fault::Cell { row, column: "b".into(), fault };
    let not_a_number = |row| cell(row, CellFault::NotANumber);
    let not_finite = |row| cell(row, CellFault::NotFinite);
    let missing = |row| cell(row, CellFault::Missing);
    for (cell, expected) in [
        ("71x93", not_a_number(2)),
        ("0x7193", not_a_number(2)),
        ("71_93", not_a_number(2)),
        ("71 93", not_a_number(2)),
        ("\"7,193\"", not_a_number(2)),
        ("true", not_a_number(2)),
        ("٣", not_a_number(2)),
        ("7193e999", not_finite(2)),
        ("NaN", not_finite(2)),
        ("-inf", not_finite(2)),
        ("", missing(2)),
        ("  ", missing(2)),
        ("\"\"", missing(2)),
    ] {
        let fault = fault_of(format!("a,b,c\n5,5,5\n5,{cell},5\n").as_bytes(), &["a", "b"]);
        assert_eq!(fault, expected, "{cell}");
        let message = fault.to_string();
        assert!(message.starts_with("row 2, column `b`: "), "{message}");
        let text = cell.trim_matches(['"', ' ']);
        assert!(text.is_empty() || !message.contains(text), "{message}");
    }
    assert_eq!(fault_of(b"b\n1\n\xff7\n", &["b"]), not_a_number(2));
}

#[test]
fn rows_are_counted_across_batches_and_earlier_batches_have_been_seen() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("b\n{}x\n", "1\n".repeat(BATCH_ROWS + 6));
    let mut seen = 0;
    let error = read(&written(folder.path(), "t.csv", text.as_bytes()), &["b"], |batch| {
        seen += batch.rows();
        Ok::<(), ColumnsError>(())
    });
    let row = BATCH_ROWS as u64 + 7;
    let expected = Fault::Cell { row, column: "b".into(), fault: CellFault::NotANumber };
    assert!(matches!(error, Err(ColumnsError::Data { fault, .. }) if fault == expected));
    assert_eq!(seen, BATCH_ROWS);
}

#[test]
fn a_row_of_another_width_is_told() {
    assert_eq!(fault_of(b"a,b\n1,2\n7193\n", &["a"]), Fault::Ragged { row: 2, expected: 2, got: 1 });
    assert_eq!(fault_of(b"a,b\n1,2,7193\n", &["a"]), Fault::Ragged { row: 1, expected: 2, got: 3 });
    assert_eq!(fault_of(b"a,b\n1,2,7193\n", &["a"]).to_string(), "row 1: 3 columns where the header has 2");
}

#[test]
fn columns_that_are_not_asked_for_may_hold_anything() {
    assert_eq!(read_text(b"a,b,b\n1,x,\n2,,y\n", &["a"]).unwrap(), [[1.0, 2.0]]);
}

#[test]
fn a_column_twice_in_the_header_is_ambiguous() {
    assert_eq!(fault_of(b"a,b,a\n1,2,3\n", &["a"]), Fault::RepeatedColumn { column: "a".into() });
}

#[test]
fn a_first_row_is_not_quoted_whatever_it_holds() {
    for text in ["7193,home\n7194,work\n", "person-7193;home\nx;y\n", "\x1b[2Jhome,\"7193 EUR\"\n1,2\n"] {
        let fault = fault_of(text.as_bytes(), &["a"]);
        assert!(matches!(fault, Fault::NoColumns { columns: 1..=2, .. }), "{fault:?}");
        let told = fault.to_string();
        assert!(!["7193", "home", "\x1b"].iter().any(|word| told.contains(word)), "{told}");
    }
}

#[test]
fn a_table_without_rows_is_refused() {
    for text in ["", "\n\n", "a,b\n", "a,b"] {
        assert_eq!(fault_of(text.as_bytes(), &["a"]), Fault::NoRows, "{text:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(names(&written(folder.path(), "t.csv", b"")).is_err());
    assert_eq!(names(&written(folder.path(), "t.csv", b"a,b")).unwrap(), ["a", "b"]);
}

#[test]
fn a_gzip_file_may_have_several_members_and_may_not_be_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = packed(b"a\n1\n");
    bytes.extend(packed(b"2\n"));
    let path = written(folder.path(), "t.csv.gz", &bytes);
    assert_eq!(all(&path, &["a"]).unwrap(), [[1.0, 2.0]]);
    let path = written(folder.path(), "t.csv.gz", &bytes[..bytes.len() - 3]);
    assert!(matches!(all(&path, &["a"]), Err(ColumnsError::File(_))));
}

/// A quote that is never closed would take all rows behind it along, unseen in a column that nobody asks for.
#[test]
fn a_quote_that_is_never_closed_is_an_error_where_it_opens() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str| {
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        let rows: Result<u64, ColumnsError> = read(&path, &["a"], |_| Ok(()));
        rows.map_err(|error| error.to_string())
    };
    let open = read("a,note\n1,x\n2,\"secret\n3,y\n4,z\n").unwrap_err();
    assert!(open.contains("row 2: a quote is opened and never closed") && !open.contains("secret"), "{open}");
    assert_eq!(read("a,note\n1,x\n2,\"two\nlines\"\n"), Ok(2));
    assert_eq!(read("a,note\n1,x\n2,\"two\nlines \"\"so\"\"\""), Ok(2));
    assert_eq!(read("a,note\n2,\"two\nlines\"\n3,5\" pipe\n"), Ok(2));
}

#[test]
fn a_spreadsheet_or_utf_16_is_called_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let read = |bytes: &[u8]| {
        let path = folder.path().join("t.csv");
        std::fs::write(&path, bytes).unwrap();
        let rows: Result<u64, ColumnsError> = read(&path, &["a"], |_| Ok(()));
        rows.unwrap_err().to_string()
    };
    assert!(read(b"PK\x03\x04rest").contains("spreadsheet"));
    assert!(read(b"\xff\xfea\0,\0b\0\n\0").contains("UTF-16"));
    assert!(read(b"a\0,\0b\0\n\0").contains("UTF-16"));
}
