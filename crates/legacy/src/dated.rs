//! Memories as text that was copied from a chat: lines, lists and headings, some with a date before the words.

use fact::{BadInput, LegacyOrigin, Text, Timestamp, is_blank, limits};

use crate::fields;
use crate::out::{Out, Walk};
use crate::split::{self, Piece, What, is_fence};
use crate::text_file::TextFile;
use crate::{Skip, place};

/// A line of bold words, in characters, that is a heading.
const HEADING_CHARS_MAX: usize = 80;
/// What stands between a date and the words.
const BETWEEN: [char; 8] = ['.', ':', '-', '–', '—', ',', ' ', '\t'];
/// What stands in the place of a date that nobody knows.
const NO_DATES: [&str; 6] = ["unknown", "date unknown", "unknown date", "no date", "not available", "n/a"];

/// One text with what is known of the whole.
pub(crate) struct Copied<'a> {
    pub(crate) name: &'a str,
    pub(crate) owner: Option<&'a str>,
    pub(crate) project: Option<&'a str>,
    /// Whether each line is a memory, not each paragraph.
    pub(crate) by_line: bool,
}

/// Gives the rows of a text.
pub(crate) fn give(copied: &Copied<'_>, file: &TextFile, out: &mut Out<'_>) -> Walk {
    let text: Vec<String> = file.text.lines().map(|line| ready(line, copied.by_line)).collect();
    let mut pieces = split::split(&text.join("\n"), 1);
    // The whole may stand in a block of code, to be copied at once: its marks are no words.
    let fences = file.text.lines().enumerate().filter(|(_, line)| is_fence(line));
    let mark = |index| Piece { line: index + 1, headings: Vec::new(), what: What::Comment };
    pieces.extend(fences.map(|(index, _)| mark(index)));
    pieces.sort_by_key(|piece| piece.line);
    if pieces.is_empty() {
        return out.skip(place::place(copied.name), Skip::Blank);
    }
    pieces.iter().try_for_each(|piece| give_piece(copied, file, piece, out))
}

/// A line as Markdown would have it.
fn ready(line: &str, by_line: bool) -> String {
    let words = line.trim();
    if is_fence(line) {
        return String::new();
    }
    if let Some(heading) = bold(words) {
        return format!("###### {heading}");
    }
    let is_words = !words.is_empty() && !line.starts_with([' ', '\t']) && !words.ends_with(':');
    let is_own = by_line && is_words && !is_marked(words);
    if is_own || date(words).is_some() { format!("- {words}") } else { line.to_owned() }
}

/// Whether Markdown makes more of the line than words.
fn is_marked(words: &str) -> bool {
    let is_list = split::marker(words).is_some();
    is_list
        || words.starts_with(['#', '|', '>'])
        || words.starts_with("<!--")
        || words.trim_matches('-').is_empty()
}

/// The words of a line that is bold as a whole.
fn bold(words: &str) -> Option<&str> {
    let words = words.strip_suffix(':').unwrap_or(words);
    let inner = words.strip_prefix("**")?.strip_suffix("**")?;
    let inner = inner.trim().trim_end_matches(':');
    let is_title = !inner.contains("**") && inner.chars().count() <= HEADING_CHARS_MAX && !is_blank(inner);
    (is_title && !inner.ends_with(['.', '!', '?'])).then_some(inner)
}

fn give_piece(copied: &Copied<'_>, file: &TextFile, piece: &Piece, out: &mut Out<'_>) -> Walk {
    let at = place::in_file(copied.name, &piece.headings, piece.line);
    let words = match &piece.what {
        What::Words(words) => words,
        What::Blank => return out.skip(at, Skip::Blank),
        What::Heading => return out.skip(at, Skip::Heading),
        What::Comment => return out.skip(at, Skip::Markup),
    };
    if file.is_damaged(words) {
        return out.refuse(at, BadInput::new("text", "is not UTF-8"));
    }
    let (date, words) = date(words).map_or((Date::None, words.as_str()), |(date, rest)| (date, rest));
    if is_blank(words) {
        return out.skip(at, Skip::Blank);
    }
    let row = fields::row(out.source, LegacyOrigin::Extracted, at.clone(), words).map(|mut row| {
        piece.headings.iter().for_each(|heading| fields::add_tag(&mut row, "heading", heading));
        match date {
            Date::At(time) => row.written_at = Some(time),
            Date::NoTime => fields::malformed(&mut row, "date"),
            Date::None => {}
        }
        for (name, value) in [("owner", copied.owner), ("project", copied.project)] {
            let Some(value) = value else { continue };
            match Text::parse_name(name, value, limits::ID_CHARS_MAX) {
                Ok(value) if name == "owner" => row.owner = Some(value),
                Ok(value) => row.project = Some(value),
                Err(_) => fields::malformed(&mut row, name),
            }
        }
        row
    });
    out.row(at, row)
}

/// What a date in brackets says.
enum Date {
    At(Timestamp),
    /// A day, which is no instant without a zone.
    NoTime,
    None,
}

/// A date in brackets before the words, and the words after it.
fn date(words: &str) -> Option<(Date, &str)> {
    let words = words.trim_start_matches("**");
    let (date, rest) = words.strip_prefix('[')?.split_once(']')?;
    let date = date.trim();
    let rest = rest.trim_start_matches("**").trim_start_matches(BETWEEN);
    if NO_DATES.contains(&date.to_lowercase().as_str()) {
        return Some((Date::None, rest));
    }
    if let Ok(time) = Timestamp::parse("date", date) {
        return Some((Date::At(time), rest));
    }
    let starts_with_year = date.len() >= 4 && date.chars().take(4).all(|c| c.is_ascii_digit());
    let ends_with_year = date.len() >= 4 && date.chars().rev().take(4).all(|c| c.is_ascii_digit());
    let is_date = date.chars().count() <= 40 && (starts_with_year || ends_with_year);
    (is_date && !rest.starts_with('(')).then_some((Date::NoTime, rest))
}
