//! Text to the numbers of its word pieces, and which texts are computed together.

use tokenizers::Tokenizer;

use crate::BadModel;
use crate::pieces::{Unit, border, by_characters, cut};

/// What the model was trained on, with its two marks at the ends.
const TOKENS_MAX: usize = 256;
const MARKS: usize = 2;
/// Word pieces of one text.
pub(super) const TEXT_TOKENS_MAX: usize = TOKENS_MAX - MARKS;
/// Characters of one text, however few word pieces they are: what is read at once takes 200 times its memory.
pub(super) const TEXT_CHARS_MAX: usize = 16_384;
/// What a batch holds, with what pads its shorter texts: some 80 MB while it is computed.
const BATCH_TOKENS_MAX: usize = 2_048;
/// How a word piece begins that goes on with a word.
const GOES_ON: &str = "##";

/// The model's tokenizer.
#[derive(Debug)]
pub(super) struct Tokens(Tokenizer);

impl Tokens {
    /// From the bytes of `tokenizer.json`, without its own limits: as published it cuts at 128 and pads to 128.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, BadModel> {
        let engine = |_| BadModel::Engine("read its tokenizer");
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(engine)?;
        tokenizer.with_truncation(None).map_err(engine)?.with_padding(None);
        Ok(Self(tokenizer))
    }

    /// The text's numbers between the marks; nothing where there are more than the model takes.
    pub(super) fn of(&self, text: &str) -> Result<Option<Vec<u32>>, BadModel> {
        if text.chars().nth(TEXT_CHARS_MAX).is_some() {
            return Ok(None);
        }
        let encoded = self.0.encode_fast(text, true).map_err(|_| BadModel::Engine("read the text"))?;
        Ok((encoded.len() <= TOKENS_MAX).then(|| encoded.get_ids().to_vec()))
    }

    /// The text in pieces that the model takes.
    pub(super) fn pieces(&self, text: &str) -> Vec<String> {
        by_characters(text, TEXT_CHARS_MAX).into_iter().flat_map(|part| self.by_tokens(part)).collect()
    }

    /// Cut between words: what begins within a word has other word pieces than it had there.
    fn by_tokens(&self, text: String) -> Vec<String> {
        let Ok(encoded) = self.0.encode(text.as_str(), false) else {
            return vec![text];
        };
        let tokens = encoded.get_tokens().iter().zip(encoded.get_offsets());
        let units: Vec<Unit> = tokens
            .map(|(token, (start, _))| {
                let is_word = !token.starts_with(GOES_ON) && text.is_char_boundary(*start);
                Unit { start: *start, border: border(&text, *start, is_word) }
            })
            .collect();
        cut(&text, &units, TEXT_TOKENS_MAX)
    }
}

/// The places of the rows in batches, rows of like length together, so that little is padded.
pub(super) fn batches(rows: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by_key(|place| rows[*place].len());
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for place in places {
        match batches.last_mut() {
            Some(batch) if (batch.len() + 1) * rows[place].len() <= BATCH_TOKENS_MAX => batch.push(place),
            Some(_) | None => batches.push(vec![place]),
        }
    }
    batches
}

#[cfg(test)]
mod tests;
