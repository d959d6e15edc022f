//! Why something was found, and why something else was not shown.

use truthkeeper::{Fit, Miss, NearMiss, Order};

/// What a score comes from, such as `words 1.94 (own 1.40, neighbours 0.54) adds 1.00`.
pub(crate) fn fits(fits: &[Fit]) -> String {
    let one = |fit: &Fit| {
        let Fit { order, parts, adds } = *fit;
        let order = match order {
            Order::Words => "words",
            Order::Meaning => "meaning",
        };
        let around =
            [("neighbours", parts.beside), ("conversation", parts.conversation), ("speaker", parts.speaker)];
        let around: String = around
            .into_iter()
            .filter(|(_, part)| *part != 0.0)
            .map(|(name, part)| format!(", {name} {part:.2}"))
            .collect();
        format!("{order} {:.2} (own {:.2}{around}) adds {adds:.2}", parts.total(), parts.own)
    };
    fits.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Something that was found and not shown, and why, as a line.
pub(crate) fn missed(near: &NearMiss) -> String {
    let why = match near.why {
        Miss::Withheld(reason) => format!("withheld, {}", reason.name()),
        Miss::TooLate => "others fit better".to_owned(),
        Miss::BelowFloor => "it fits less well than the floor".to_owned(),
    };
    format!("-   {:.4}  {} version {}: {why}", near.score, near.fact, near.revision)
}
