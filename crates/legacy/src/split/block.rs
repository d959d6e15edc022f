//! The blocks of a Markdown text, line by line.

/// Some lines that belong together.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The line that it begins at.
    pub(super) line: usize,
    /// A heading without its marks, a quotation without its own; else the lines as they are.
    pub(super) lines: Vec<String>,
}

/// What they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// With its level, from 1.
    Heading(usize),
    /// A paragraph, or code under a heading.
    Words,
    /// A list item with all that is indented below it.
    Item,
    Table,
    Comment,
}

/// The lines of a text with what was read of them.
#[derive(Default)]
struct Blocks {
    blocks: Vec<Block>,
    /// Whether the last block still takes lines.
    is_open: bool,
    /// Blank lines since the last one of the last block.
    gap: usize,
}

/// Reads the blocks of a text.
pub(super) fn blocks(text: &str, first_line: usize) -> Vec<Block> {
    let mut blocks = Blocks::default();
    let mut fence: Option<Fence> = None;
    let mut in_comment = false;
    for (index, line) in text.lines().enumerate() {
        let number = first_line + index;
        if let Some(open) = &fence {
            let is_end = open.is_closed_by(line);
            blocks.append(line);
            if is_end {
                fence = None;
            }
        } else if in_comment {
            let rest = line.split_once("-->").map(|(_, rest)| rest);
            in_comment = rest.is_none();
            blocks.take_rest(number, rest);
        } else if let Some(open) = Fence::of(line) {
            blocks.code(number, line);
            fence = Some(open);
        } else if let Some(comment) = line.trim_start().strip_prefix("<!--") {
            let rest = comment.split_once("-->").map(|(_, rest)| rest);
            in_comment = rest.is_none();
            blocks.push(Kind::Comment, number, line);
            blocks.take_rest(number, rest);
        } else {
            blocks.take(number, line);
        }
    }
    blocks.blocks
}

impl Blocks {
    /// A line that is in no code and no comment.
    fn take(&mut self, number: usize, line: &str) {
        if line.trim().is_empty() {
            self.gap += 1;
            return;
        }
        if self.goes_into_item(line) {
            self.append(line);
        } else if let Some((level, heading)) = heading(line) {
            self.push(Kind::Heading(level), number, heading);
            self.is_open = false;
        } else if self.is_title(line) {
            self.close_as(Kind::Heading(1));
        } else if is_rule(line) {
            self.is_open = false;
        } else if marker(line).is_some() {
            self.push(Kind::Item, number, line);
        } else if line.trim_start().starts_with('|') {
            self.line(Kind::Table, number, line);
        } else {
            let line = line.trim_start();
            self.line(
                Kind::Words,
                number,
                line.strip_prefix("> ").or(line.strip_prefix('>')).unwrap_or(line),
            );
        }
    }

    /// What stands after the end of a comment.
    fn take_rest(&mut self, number: usize, rest: Option<&str>) {
        if let Some(rest) = rest.filter(|rest| !rest.trim().is_empty()) {
            self.take(number, rest);
        }
    }

    fn push(&mut self, kind: Kind, line: usize, words: &str) {
        self.blocks.push(Block { kind, line, lines: vec![words.trim_end().to_owned()] });
        self.is_open = kind != Kind::Comment;
        self.gap = 0;
    }

    /// One more line of the last block, with the blank ones before it.
    fn append(&mut self, line: &str) {
        if let Some(block) = self.blocks.last_mut() {
            block.lines.extend(std::iter::repeat_n(String::new(), self.gap));
            block.lines.push(line.trim_end().to_owned());
        }
        self.gap = 0;
    }

    /// A line that goes on with a block of its kind, or begins one.
    fn line(&mut self, kind: Kind, number: usize, line: &str) {
        let is_lazy = kind == Kind::Words && self.is_last(Kind::Item);
        // `@file` names a note wherever it stands, and is no part of what is said before or after it.
        let stands_alone =
            is_import(line) || self.blocks.last().is_some_and(|block| is_import(&block.lines[0]));
        if self.gap == 0 && !stands_alone && (self.is_last(kind) || is_lazy) {
            self.append(line);
        } else {
            self.push(kind, number, line);
        }
    }

    /// Code belongs to the words before it, even past a blank line.
    fn code(&mut self, number: usize, line: &str) {
        if self.is_last(Kind::Words) || self.is_last(Kind::Item) {
            self.append(line);
        } else {
            self.push(Kind::Words, number, line);
        }
    }

    fn is_last(&self, kind: Kind) -> bool {
        self.is_open && self.blocks.last().is_some_and(|block| block.kind == kind)
    }

    /// Whether an indented line belongs to the item before it.
    fn goes_into_item(&self, line: &str) -> bool {
        let Some(first) =
            self.blocks.last().filter(|_| self.is_last(Kind::Item)).map(|block| &block.lines[0])
        else {
            return false;
        };
        indent(line) > indent(first) + 1
    }

    /// Whether the line is the `===` that makes a heading of the one before it.
    fn is_title(&self, line: &str) -> bool {
        let is_mark = line.trim_end().chars().all(|c| c == '=');
        let is_one_line = self.blocks.last().is_some_and(|block| block.lines.len() == 1);
        is_mark && is_one_line && self.gap == 0 && self.is_last(Kind::Words)
    }

    fn close_as(&mut self, kind: Kind) {
        if let Some(block) = self.blocks.last_mut() {
            block.kind = kind;
        }
        self.is_open = false;
    }
}

/// What opened a block of code.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == mark).count();
        let is_inline = mark == '`' && line[length..].contains('`');
        (length >= 3 && !is_inline).then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.chars().all(|c| c == self.mark) && line.chars().count() >= self.length
    }
}

/// Whether the line opens or closes a block of code.
pub(crate) fn is_fence(line: &str) -> bool {
    Fence::of(line).is_some()
}

/// Columns of white space before the words; a tab is four.
pub(super) fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The words after the mark of a list item.
pub(crate) fn marker(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => rest,
        None => numbered(line)?,
    };
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim())
}

fn numbered(line: &str) -> Option<&str> {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = &line[digits..];
    (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
}

/// A heading with marks before it; its level and its words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let level = line.chars().take_while(|c| *c == '#').count();
    let rest = &line[level..];
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

/// A line of three or more equal marks.
fn is_rule(line: &str) -> bool {
    let marks: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let is_one = |mark: &char| matches!(mark, '-' | '*' | '_') && marks.iter().all(|other| other == mark);
    marks.len() >= 3 && marks.first().is_some_and(is_one)
}

/// A line that is nothing but the name of another file, after `@`.
pub(crate) fn is_import(line: &str) -> bool {
    let named = line.trim().strip_prefix('@');
    named.is_some_and(|named| named.contains(['/', '.']) && !named.contains(char::is_whitespace))
}
