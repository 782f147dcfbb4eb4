use std::path::PathBuf;

use super::*;
use crate::plan::read_any;
use crate::plan_text::is_plan;

fn table(text: &str) -> (tempfile::TempDir, TableFiles) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    let files = TableFiles::one(&path).unwrap();
    (folder, files)
}

fn refused(text: &str) -> String {
    let (_folder, files) = table(text);
    let told = names(&files, false).unwrap_err().to_string();
    for word in ["Ada", "Lyon", "52000", "ill", "\u{1b}"] {
        assert!(!told.contains(word), "{told}");
    }
    told
}

const SALES: &str = "age;region;price;bought\n44;Lyon;9,90;ja\n52;Köln;12,50;nein\n";

#[test]
fn a_record_is_not_taken_for_a_header() {
    for text in [
        "Ada;52000;9.99;ill\nBob;1;2;3\n",
        "Ada;Lyon\nBob;Köln\n",
        "Ada,2024-01-31\nBob,2024-02-01\n",
        "Ada,\nBob,7\n",
        "Ada,€ 9\nBob,€ 7\n",
        "Ada,yes\nBob,no\n",
        "Ada,NA\nBob,7\n",
        "ada@lyon.fr,x\nbob@lyon.fr,y\n",
        "\u{1b}[2JAda,x\nBob,7\n",
        "Ada,Lyon\n",
    ] {
        let told = refused(text);
        assert!(told.ends_with("Nothing was written"), "{told}");
    }
    let (_folder, files) = table(SALES);
    assert_eq!(names(&files, false).unwrap().names, ["age", "region", "price", "bought"]);
    let (_folder, files) = table("Ada;Lyon\nBob;Köln\n");
    assert_eq!(names(&files, true).unwrap().names, ["Ada", "Lyon"], "the owner says that it is a header");
    let (_folder, files) = table("a,a\n1,2\n");
    assert!(matches!(names(&files, true), Err(BeginError::Name { column: 2, .. })));
}

fn begun(purpose: Purpose, roles: &Roles) -> String {
    let (_folder, files) = table(SALES);
    begin(purpose, &names(&files, false).unwrap(), roles).unwrap()
}

fn roles(cause: &str, outcome: &str) -> Roles {
    Roles { cause: Some(cause.into()), outcome: Some(outcome.into()) }
}

fn read(text: &str) -> Result<Option<crate::plan::Plan>, crate::plan::PlanError> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("plan.toml");
    std::fs::write(&path, text).unwrap();
    read_any(&path)
}

#[test]
fn what_is_begun_has_names_and_blanks_and_no_value_and_is_refused_until_it_is_filled_in() {
    for (purpose, cause, outcome) in [
        (Purpose::Price, "price", "bought"),
        (Purpose::Tune, "price", "bought"),
        (Purpose::Trial, "region", "bought"),
    ] {
        for roles in [Roles::default(), roles(cause, outcome)] {
            let text = begun(purpose, &roles);
            assert!(
                is_plan(&text) && text.contains("\"age\"") && text.contains("delimiter = \";\""),
                "{text}"
            );
            for value in ["44", "Lyon", "9,90", "12,50", "nein"] {
                assert!(!text.contains(value), "{value}: {text}");
            }
            let told = read(&text).unwrap_err().to_string();
            assert!(
                told.contains("blanks are left to fill in: ") && told.contains("`low` in line"),
                "{told}"
            );
        }
    }
    let (_folder, files) = table(SALES);
    let other = begin(Purpose::Price, &names(&files, false).unwrap(), &roles("prize", "bought"));
    assert_eq!(other.unwrap_err().to_string(), "--price: no column of the header has this name");
}

#[test]
fn what_is_begun_is_a_plan_once_it_is_filled_in() {
    let text = begun(Purpose::Price, &roles("price", "bought"));
    let text = text.replacen("low = \"?\"\nhigh = \"?\"", "low = 18\nhigh = 90", 1);
    let region = "column = \"region\"\nlow = \"?\"\nhigh = \"?\"";
    let text = text.replacen(region, "column = \"region\"\nlevels = [\"Lyon\", \"Köln\"]", 1);
    let text = text.replacen("low = \"?\"\nhigh = \"?\"", "low = 5\nhigh = 25", 1);
    assert!(matches!(read(&text), Ok(Some(crate::plan::Plan::Market(_)))), "{:?}\n{text}", read(&text));
    let text = begun(Purpose::Tune, &roles("price", "bought"));
    let text = text.replace("low = \"?\"\nhigh = \"?\"", "low = 0\nhigh = 9");
    assert!(matches!(read(&text), Ok(Some(crate::plan::Plan::Tuning(_)))), "{:?}\n{text}", read(&text));
    let text = begun(Purpose::Trial, &roles("region", "bought"));
    let text = text
        .replace("low = \"?\"\nhigh = \"?\"", "low = 0\nhigh = 9")
        .replace("name = \"?\"", "name = \"t\"");
    let text = text.replace("better = \"?\"", "better = \"lower\"");
    let text = text.replace("people = \"?\"", "people = 90").replace("epsilon = \"?\"", "epsilon = 1.0");
    let text = text
        .replace("observed = [\"?\", \"?\"]", "observed = [0.5, 0.5]")
        .replace("[\"?\", \"?\"]", "[\"a\", \"b\"]");
    assert!(matches!(read(&text), Ok(Some(crate::plan::Plan::Trial(_)))), "{:?}\n{text}", read(&text));
}

#[test]
fn a_word_with_a_year_is_a_name_and_one_line_alone_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let names = |text: &str| {
        let path = folder.path().join("t.csv");
        std::fs::write(&path, text).unwrap();
        names(&TableFiles::one(&path).unwrap(), false)
    };
    assert_eq!(names("age,re74,x1\n40,1200,3\n").unwrap().names, ["age", "re74", "x1"]);
    assert!(names("age,C000123\n40,1200\n").unwrap_err().to_string().contains("column 2"));
    assert!(names("age,price\n").unwrap_err().to_string().contains("no rows below the first line"));
}
