//! What hides, reorders or rewrites is shown for what it is. Letters of every script and emoji stay as they are.

use std::fmt::Write as _;

use server::plain::hides;

/// Text on one line.
pub(crate) fn in_line(text: &str) -> String {
    escaped(text, |_| false)
}

/// Text on as many lines as it has.
pub(crate) fn in_lines(text: &str) -> String {
    escaped(text, |c| c == '\n')
}

/// JSON, still the same JSON: what hides is written as `\uXXXX`.
pub(crate) fn in_json(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        if c != '\n' && hides(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push(&mut out, format_args!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
        out
    })
}

fn escaped(text: &str, keeps: impl Fn(char) -> bool) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            _ if keeps(c) || !hides(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => push(&mut out, format_args!("\\u{{{:x}}}", u32::from(c))),
        }
        out
    })
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes every write");
}

#[cfg(test)]
mod tests;
