//! The line that no float moves (REC-07).

use proptest::prelude::*;

use crate::Confidence;

#[track_caller]
fn check(text: &str, millionths: Option<u32>) {
    assert_eq!(Confidence::parse(text).ok().map(Confidence::millionths), millionths, "{text}");
}

#[test]
fn a_decimal_is_read_from_its_digits() {
    for (text, millionths) in [
        ("0", 0),
        ("1", 1_000_000),
        ("1.0", 1_000_000),
        ("1.", 1_000_000),
        ("0.9", 900_000),
        ("0.90", 900_000),
        (".9", 900_000),
        ("9e-1", 900_000),
        ("9E-1", 900_000),
        ("90e-2", 900_000),
        ("0.09e1", 900_000),
        ("0.009e+2", 900_000),
        ("0.8999999761581421", 900_000),
        ("0.8999999999999999", 900_000),
        ("0.8999995", 900_000),
        ("0.8999994", 899_999),
        ("0.8999", 899_900),
        ("0.9001", 900_100),
        ("0.9999995", 1_000_000),
        ("1e0", 1_000_000),
        ("100e-2", 1_000_000),
        ("1e-6", 1),
        ("5e-7", 1),
        ("4e-7", 0),
        ("1e-400", 0),
        ("0e400", 0),
        ("00.5", 500_000),
    ] {
        check(text, Some(millionths));
    }
}

#[test]
fn what_is_no_decimal_from_0_to_1_is_refused() {
    let long = "0".repeat(401);
    for text in [
        "",
        ".",
        "e",
        "e1",
        "1e",
        "-0.5",
        "-0",
        "+0.5",
        "0.5 ",
        " 0.5",
        "0,9",
        "1_0",
        "NaN",
        "inf",
        "1.000001",
        "1.0000001",
        "1.0000005",
        "2",
        "10",
        "1e1",
        "1e400",
        "1e401",
        "0e401",
        "1e-401",
        "1e2147483647",
        "1e-2147483648",
        "1e2147483648",
        "0.9f32",
        "٠.٩",
        "0x1",
        "0.9.0",
        "9e-1e0",
        &long,
    ] {
        check(text, None);
    }
}

#[test]
fn the_line_is_met_by_what_rounds_to_it() {
    for (text, doubts) in [
        ("0.9", false),
        ("0.90", false),
        ("9e-1", false),
        ("0.8999999761581421", false),
        ("0.8999999999999999", false),
        ("0.9001", false),
        ("0.8999", true),
        ("0.899999", true),
    ] {
        assert_eq!(Confidence::parse(text).unwrap() < Confidence::DOUBT_BELOW, doubts, "{text}");
    }
}

#[test]
fn it_prints_as_the_shortest_decimal() {
    for (text, shown) in [("0.90", "0.9"), ("1.000", "1"), ("0", "0"), ("1e-6", "0.000001"), (".5", "0.5")] {
        assert_eq!(Confidence::parse(text).unwrap().to_string(), shown);
    }
}

proptest! {
    #[test]
    fn what_it_prints_is_read_back(millionths in 0_u32..=1_000_000) {
        let text = format!("{millionths}e-6");
        let confidence = Confidence::parse(&text).unwrap();
        prop_assert_eq!(confidence.millionths(), millionths);
        prop_assert_eq!(Confidence::parse(&confidence.to_string()), Ok(confidence));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[-+.0-9eE]{0,14}") {
        if let Ok(confidence) = Confidence::parse(&text) {
            prop_assert!(confidence <= Confidence::FULL);
        }
    }
}
