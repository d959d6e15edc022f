//! Progress bars: on stderr, and only where a person looks at it.

use std::io::{IsTerminal as _, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that shows how many of `total` things are done; a count alone where the total is not known.
pub(crate) fn bar(what: &'static str, total: Option<u64>) -> ProgressBar {
    let target =
        if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let template = match total {
        Some(_) => "{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}",
        None => "{msg} {spinner} {human_pos}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(total, target).with_style(style).with_message(what)
}
