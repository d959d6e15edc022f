//! The bytes of a pickle, taken from the front.

use fact::BadInput;

use super::{Machine, bad};

impl<'a> Machine<'a> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], BadInput> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(|| bad("ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], BadInput> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self) -> Result<u8, BadInput> {
        self.array().map(u8::from_le_bytes)
    }

    /// A number of as many bytes.
    pub(super) fn length(&mut self, bytes: usize) -> Result<usize, BadInput> {
        let digits = self.take(bytes)?.iter().rev();
        let number = digits.fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        usize::try_from(number).map_err(|_| bad("ends too early"))
    }

    /// What a length of as many bytes stands before.
    pub(super) fn counted(&mut self, bytes: usize) -> Result<&'a [u8], BadInput> {
        let length = self.length(bytes)?;
        self.take(length)
    }

    pub(super) fn words(&mut self, bytes: usize) -> Result<String, BadInput> {
        let words = std::str::from_utf8(self.counted(bytes)?);
        words.map(str::to_owned).map_err(|_| bad("holds text that is not UTF-8"))
    }

    /// Drops a line with its end.
    pub(super) fn line(&mut self) -> Result<(), BadInput> {
        let end = self.rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| bad("ends too early"))?;
        self.take(end + 1).map(|_| ())
    }
}
