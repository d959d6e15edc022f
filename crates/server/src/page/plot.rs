//! A small plot over days, drawn here: bars in an SVG that a stylesheet colours.

/// Units that a day is wide, the gap after it included.
const DAY_WIDTH: usize = 10;
const GAP: usize = 2;
const HEIGHT: u64 = 60;

/// Bars, one a day.
pub(crate) struct Plot {
    pub(crate) name: &'static str,
    /// What it says in words, for who does not see it.
    pub(crate) told: String,
    pub(crate) latest: u64,
    pub(crate) most: u64,
    pub(crate) width: usize,
    pub(crate) height: u64,
    pub(crate) bars: Vec<Bar>,
}

/// A bar of the plot.
pub(crate) struct Bar {
    pub(crate) x: usize,
    pub(crate) y: u64,
    pub(crate) width: usize,
    pub(crate) height: u64,
}

impl Plot {
    /// The counts of days, the oldest first. What is more than nothing is seen.
    pub(crate) fn of(name: &'static str, counts: &[u64]) -> Self {
        let most = counts.iter().copied().max().unwrap_or(0);
        let bar = |(place, count): (usize, &u64)| {
            let height = if *count == 0 { 0 } else { (count.saturating_mul(HEIGHT) / most).max(1) };
            Bar { x: place * DAY_WIDTH, y: HEIGHT - height, width: DAY_WIDTH - GAP, height }
        };
        let (first, latest) = (counts.first().copied().unwrap_or(0), counts.last().copied().unwrap_or(0));
        Self {
            name,
            told: format!("{name}, by day: {first} at first, {latest} today, {most} at most"),
            latest,
            most,
            width: (counts.len() * DAY_WIDTH).saturating_sub(GAP).max(1),
            height: HEIGHT,
            bars: counts.iter().enumerate().map(bar).filter(|bar| bar.height > 0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Plot;

    #[test]
    fn bars_are_as_high_as_what_they_count() {
        let plot = Plot::of("Recalls", &[0, 1, 500, 1_000, u64::MAX / 100]);
        let bars: Vec<_> = plot.bars.iter().map(|bar| (bar.x, bar.height, bar.y + bar.height)).collect();
        assert_eq!(bars, [(10, 1, 60), (20, 1, 60), (30, 1, 60), (40, 60, 60)]);
        let plot = Plot::of("Recalls", &[2, 4, 1]);
        assert_eq!(plot.told, "Recalls, by day: 2 at first, 1 today, 4 at most");
        assert_eq!((plot.bars[0].height, plot.bars[2].height, plot.width), (30, 15, 28));
        assert!(Plot::of("Recalls", &[]).bars.is_empty());
    }
}
