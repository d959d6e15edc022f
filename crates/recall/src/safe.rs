//! Text that cannot pretend: characters that hide or reorder text are taken out before a prompt sees them.

/// `text` without tag characters, zero-width spaces and marks that reorder it. Joiners stay: words need them.
pub fn visible(text: &str) -> String {
    text.chars().filter(|c| !hides(*c)).collect()
}

fn hides(c: char) -> bool {
    matches!(c,
        '\u{e0000}'..='\u{e0fff}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{feff}' | '\u{ad}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}
