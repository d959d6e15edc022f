//! Text that somebody said, as HTML: the one place where text becomes HTML by other means than a template's own.
//!
//! What hides or reorders text is shown as a mark that names it, so that a fact reads as what it is (UI-03).

use std::fmt::{self, Display, Formatter, Write as _};

use askama::filters::HtmlSafe;

use crate::plain::{self, Change};

/// Text, escaped, with what hides in it as marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said(String);

/// A text beside an older one, with what is gone and what is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compared(Vec<(Change, String)>);

impl Said {
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Compared {
    pub(crate) fn of(older: &str, newer: &str) -> Self {
        Self(plain::changes(older, newer))
    }
}

impl HtmlSafe for Said {}
impl HtmlSafe for Compared {}

impl Display for Said {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, &self.0)
    }
}

impl Display for Compared {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (change, text) in &self.0 {
            let (begin, end) = match change {
                Change::Same => ("", ""),
                Change::Gone => ("<del>", "</del>"),
                Change::New => ("<ins>", "</ins>"),
            };
            f.write_str(begin)?;
            write(f, text)?;
            f.write_str(end)?;
        }
        Ok(())
    }
}

fn write(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    for c in text.chars() {
        match c {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            '\'' => f.write_str("&#39;")?,
            '\n' | '\t' => f.write_char(c)?,
            c if plain::hides(c) => {
                let code = u32::from(c);
                write!(
                    f,
                    "<span class=\"mark\" title=\"a character that is not seen: {}\">U+{code:04X}</span>",
                    name(c)
                )?;
            }
            c => f.write_char(c)?,
        }
    }
    Ok(())
}

/// What a character does that hides.
fn name(c: char) -> &'static str {
    match c {
        '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => "it sets a direction",
        '\u{202d}' | '\u{202e}' => "it turns the order of letters around",
        '\u{202c}' | '\u{2069}' => "it ends a direction",
        '\u{200e}' | '\u{200f}' | '\u{61c}' => "a mark of direction",
        '\u{e0000}'..='\u{e007f}' => "a letter that is only a tag",
        c if c.is_control() => "a control character",
        _ => "it takes no room",
    }
}

#[cfg(test)]
mod tests {
    use super::{Compared, Said};

    #[test]
    fn text_is_text_and_what_hides_is_marked() {
        for (text, html) in [
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
            ("\" onclick='x' &amp;", "&quot; onclick=&#39;x&#39; &amp;amp;"),
            ("مرحبا שלום", "مرحبا שלום"),
            ("👩\u{200d}🚀 two\nlines", "👩\u{200d}🚀 two\nlines"),
        ] {
            assert_eq!(Said::of(text).to_string(), html);
        }
        let reversed = Said::of("allow \u{202e}reverof ton\u{202c} deploy").to_string();
        assert!(reversed.contains(">U+202E</span>reverof ton<span"), "{reversed}");
        assert!(!reversed.contains(['\u{202e}', '\u{202c}']), "{reversed}");
    }

    #[test]
    fn a_difference_is_escaped_too() {
        let html = Compared::of("likes <b>tea</b>", "likes <i>tea</i>").to_string();
        assert_eq!(html, "likes <del>&lt;b&gt;tea&lt;/b&gt;</del><ins>&lt;i&gt;tea&lt;/i&gt;</ins>");
    }
}
