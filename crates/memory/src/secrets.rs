//! Words that come in by a field of their own, such as a note: looked at before anything is done with them.

use crate::{Memory, MemoryError};

impl Memory {
    /// A text that is shown or logged, without its secrets.
    pub fn without_secrets(&self, text: &str) -> String {
        self.screen.cleaned(text).unwrap_or_else(|| text.to_owned())
    }

    /// A text of a request as it may be kept: without its secrets, or refused.
    pub(crate) fn said(
        &self,
        field: &'static str,
        text: Option<&str>,
    ) -> Result<Option<String>, MemoryError> {
        let screened = text.map(|text| self.screen.text(field, text)).transpose()?;
        Ok(screened.map(std::borrow::Cow::into_owned))
    }
}
