//! A Markdown text in pieces: each paragraph, list item and table row with its line and the headings above it.
//!
//! Every line that is neither blank, nor a rule, nor a heading, label or head of a table with something under it is in
//! exactly one piece.

use block::{Block, Kind};
pub(crate) use block::{is_fence, marker};

mod block;
pub(crate) use block::is_import;
mod item;
mod table;

/// The level of a line such as `Drinks:` above a list, below that of every heading.
const LABEL: usize = 7;
/// Such a line, in characters.
const LABEL_CHARS_MAX: usize = 80;
/// What is longer gives each nested item a piece of its own.
const ITEM_CHARS_MAX: usize = 2_000;

/// One piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The line that it begins at, from 1.
    pub(crate) line: usize,
    /// The headings that it stands under, the outermost first.
    pub(crate) headings: Vec<String>,
    pub(crate) what: What,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Words: a paragraph, an item, a row.
    Words(String),
    /// An item without words.
    Blank,
    /// A heading, or the head of a table, with nothing under it.
    Heading,
    /// A comment.
    Comment,
}

/// Splits a text whose first line has the number `first_line`.
pub(crate) fn split(text: &str, first_line: usize) -> Vec<Piece> {
    let blocks = block::blocks(text, first_line);
    let mut pieces = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if let Kind::Heading(level) = block.kind {
            headings.retain(|(above, _)| *above < level);
            headings.push((level, block.lines.join(" ")));
            if !has_more(&blocks[index + 1..], level) {
                pieces.push(piece(block.line, &headings, What::Heading));
            }
            continue;
        }
        if block.kind == Kind::Words {
            headings.retain(|(level, _)| *level < LABEL);
        }
        if let Some(label) = label(block, blocks.get(index + 1)) {
            headings.push((LABEL, label.to_owned()));
            continue;
        }
        pieces.extend(of_block(block).into_iter().map(|(line, what)| piece(line, &headings, what)));
    }
    pieces
}

fn piece(line: usize, headings: &[(usize, String)], what: What) -> Piece {
    let headings = headings.iter().map(|(_, heading)| heading.clone()).filter(|heading| !heading.is_empty());
    Piece { line, headings: headings.collect(), what }
}

/// The words of a single line that only says what the list or table below it is of.
fn label<'a>(block: &'a Block, next: Option<&Block>) -> Option<&'a str> {
    let is_above = next.is_some_and(|next| matches!(next.kind, Kind::Item | Kind::Table));
    let [line] = block.lines.as_slice() else {
        return None;
    };
    let label = line.trim().trim_matches('*').strip_suffix(':')?.trim_end_matches('*').trim();
    let is_label = is_above && block.kind == Kind::Words && label.chars().count() <= LABEL_CHARS_MAX;
    (is_label && !label.is_empty()).then_some(label)
}

/// Whether something stands under a heading of that level.
fn has_more(blocks: &[Block], level: usize) -> bool {
    match blocks.first().map(|block| block.kind) {
        None => false,
        Some(Kind::Heading(next)) => next > level,
        Some(Kind::Words | Kind::Item | Kind::Table | Kind::Comment) => true,
    }
}

fn of_block(block: &Block) -> Vec<(usize, What)> {
    match block.kind {
        Kind::Heading(_) => Vec::new(),
        Kind::Comment => vec![(block.line, What::Comment)],
        Kind::Words => vec![(block.line, words(block.lines.join("\n").trim_end().to_owned()))],
        Kind::Item => item::pieces(block.line, &block.lines),
        Kind::Table => table::rows(block.line, &block.lines),
    }
}

fn words(words: String) -> What {
    if fact::is_blank(&words) { What::Blank } else { What::Words(words) }
}
