//! Instants as they come in and go out (LED-03, LED-04).

use proptest::prelude::*;

use crate::Timestamp;
use crate::samples::{at, refused_field};

fn parse(text: &str) -> Timestamp {
    Timestamp::parse("validFrom", text).unwrap()
}

#[test]
fn a_time_without_a_zone_is_refused_by_its_field() {
    for text in [
        "2026-03-01T10:00:00",
        "2026-11-01 10:00:00",
        "2026-11-01",
        "2026-11-01T10:00Z",
        "2026-11-01T10:00:00+0200x",
        "2026-13-01T10:00:00Z",
        "2026-02-30T10:00:00Z",
        "10:00:00Z",
        "1764583200",
        "now",
        "",
    ] {
        assert_eq!(refused_field(Timestamp::parse("validFrom", text)), "validFrom", "{text}");
        assert_eq!(refused_field(Timestamp::parse_bound("asOf", text)), "asOf", "{text}");
    }
}

#[test]
fn order_follows_the_instant_whatever_its_shape() {
    for (earlier, later) in [
        ("2026-11-01T10:00:00Z", "2026-11-01T10:00:00.5Z"),
        ("2026-11-01T12:00:00+02:00", "2026-11-01T10:30:00Z"),
        ("2026-11-01T09:00:00Z", "2026-11-01T10:00:00.000001Z"),
        ("2026-11-01T10:00:00+14:00", "2026-11-01T10:00:00-12:00"),
        ("1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z"),
    ] {
        assert!(parse(earlier) < parse(later), "{earlier} {later}");
    }
    assert_eq!(parse("2026-11-01T12:00:00+02:00"), parse(" 2026-11-01T10:00:00.000Z "));
}

#[test]
fn digits_after_the_microsecond_are_dropped() {
    assert_eq!(parse("1970-01-01T00:00:00.0000019Z"), at(1));
    assert_eq!(parse("1969-12-31T23:59:59.9999999Z"), at(-1));
}

#[test]
fn it_goes_out_in_utc_with_milliseconds_or_exactly() {
    for (text, shown, exact) in [
        ("2026-11-01T12:00:00+02:00", "2026-11-01T10:00:00.000Z", "2026-11-01T10:00:00.000000Z"),
        ("2026-11-01T10:00:00.1239Z", "2026-11-01T10:00:00.123Z", "2026-11-01T10:00:00.123900Z"),
        ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z", "1969-12-31T23:59:59.500000Z"),
    ] {
        assert_eq!(parse(text).to_string(), shown);
        assert_eq!(parse(text).exact(), exact);
    }
    assert_eq!(at(i64::MAX).to_string(), format!("{}us", i64::MAX));
}

#[test]
fn a_bound_covers_its_whole_unit() {
    for (text, end) in [
        ("2026-11-01T10:00:00Z", "2026-11-01T10:00:00.999999Z"),
        ("2026-11-01T12:00:00+02:00", "2026-11-01T10:00:00.999999Z"),
        ("2026-11-01T10:00:00.5Z", "2026-11-01T10:00:00.599999Z"),
        ("2026-11-01T10:00:00.12+00:00", "2026-11-01T10:00:00.129999Z"),
        ("2026-11-01T10:00:00.123Z", "2026-11-01T10:00:00.123999Z"),
        ("2026-11-01T10:00:00.123456Z", "2026-11-01T10:00:00.123456Z"),
        ("2026-11-01T10:00:00.1234567Z", "2026-11-01T10:00:00.123456Z"),
    ] {
        assert_eq!(Timestamp::parse_bound("asOf", text).unwrap(), parse(end), "{text}");
    }
}

proptest! {
    #[test]
    fn the_exact_form_is_read_back(micros in -60_000_000_000_000_000_i64..250_000_000_000_000_000) {
        let time = at(micros);
        prop_assert_eq!(Timestamp::parse("t", &time.exact()), Ok(time));
        prop_assert_eq!(Timestamp::parse_bound("t", &time.exact()), Ok(time));
    }

    #[test]
    fn asking_for_a_shown_time_includes_it(micros in 0_i64..250_000_000_000_000_000) {
        let bound = Timestamp::parse_bound("t", &at(micros).to_string()).unwrap();
        prop_assert!(at(micros) <= bound && bound.micros() - micros < 1_000);
    }
}
