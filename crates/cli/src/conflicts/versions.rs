//! Versions side by side, the oldest first; one below the other where the terminal is narrow.

use comfy_table::{ContentArrangement, Table, presets};
use console::Term;
use server::plain::{self, Change};
use truthkeeper::{Admission, Confidence, Revision};

use crate::show::{self, escape};

/// The width where nobody's terminal says it.
const WIDTH_DEFAULT: u16 = 80;
/// A column narrower than that is hard to read.
const COLUMN_WIDTH_MIN: u16 = 34;

/// The versions, in columns or stacked.
pub(super) fn text(sides: &[(&Revision, Admission)]) -> String {
    let width = Term::stdout().size_checked().map_or(WIDTH_DEFAULT, |(_, width)| width);
    laid_out(sides, width)
}

fn laid_out(sides: &[(&Revision, Admission)], width: u16) -> String {
    let oldest = sides.first().map_or_else(String::new, |(side, _)| show::fact::text(side));
    let cells: Vec<String> = sides.iter().map(|(side, admission)| cell(side, *admission, &oldest)).collect();
    let columns = u16::try_from(sides.len()).unwrap_or(u16::MAX);
    if columns.saturating_mul(COLUMN_WIDTH_MIN) > width {
        return cells.join("\n\n");
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.add_row(cells);
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// One version: where it comes from, then what it says.
fn cell(side: &Revision, admission: Admission, oldest: &str) -> String {
    let said = &side.saying;
    let mut lines = vec![
        format!("version {}", side.number),
        format!("stored {}", side.recorded_at),
        format!("by {}, {}", show::fact::actor(&side.actor), show::fact::trust(said.trust)),
    ];
    if said.confidence != Confidence::FULL {
        lines.push(format!("confidence {}", said.confidence));
    }
    let evidence = side.evidence().count();
    if evidence > 0 {
        lines.push(format!("evidence: {evidence} (--json shows it)"));
    }
    let reason = side.words.as_ref().and_then(|words| words.reason.as_ref());
    lines.extend(reason.map(|reason| format!("reason: {}", reason.as_str())));
    if admission == Admission::Quarantined {
        lines.push("quarantined: it stays out of recall even when it is kept".to_owned());
    }
    lines.push(String::new());
    lines.push(changes(oldest, &show::fact::text(side)));
    lines.iter().map(|line| escape::in_line(line)).collect::<Vec<_>>().join("\n")
}

/// The text, with what the oldest one has otherwise in marks that need no colour: `[-gone-]` and `{+new+}`.
fn changes(oldest: &str, text: &str) -> String {
    if oldest == text {
        return text.to_owned();
    }
    let marked = |(change, text): (Change, String)| match change {
        Change::Same => text,
        Change::Gone => format!("[-{text}-]"),
        Change::New => format!("{{+{text}+}}"),
    };
    plain::changes(oldest, text).into_iter().map(marked).collect()
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn what_differs_is_marked_without_colour() {
        for (oldest, text, marked) in [
            ("Ana likes tea", "Ana likes tea", "Ana likes tea"),
            ("Ana likes tea", "Ana likes coffee", "Ana likes [-tea-]{+coffee+}"),
            ("Ana likes tea", "Ana likes green tea", "Ana likes {+green +}tea"),
            ("may travel", "may not travel", "may {+not +}travel"),
            ("", "new", "{+new+}"),
        ] {
            assert_eq!(changes(oldest, text), marked);
        }
    }
}
