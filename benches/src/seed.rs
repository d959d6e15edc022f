//! Numbers that look like chance and are the same in every run, and what is made of them.

/// Different words that there are.
const WORDS: u64 = 4_096;

/// Numbers that follow from a seed.
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// One of several; the first of a list without any would be a mistake.
    pub(crate) fn one_of<'a>(&mut self, several: &[&'a str]) -> &'a str {
        let place = usize::try_from(self.next()).unwrap_or(0) % several.len();
        several[place]
    }

    /// From -1 to 1.
    fn share(&mut self) -> f32 {
        f32::from(u16::try_from(self.next() & 0xffff).unwrap_or(0)) / 32_768.0 - 1.0
    }

    /// A vector of unit length, of that many numbers.
    pub(crate) fn vector(&mut self, size: usize) -> Vec<f32> {
        let vector: Vec<f32> = (0..size).map(|_| self.share()).collect();
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.iter().map(|number| number / length).collect()
    }

    /// Some words of 4,096, of which a few are frequent.
    pub(crate) fn words(&mut self, count: usize) -> String {
        let word = |at: u64| format!("w{}", (at * at) / WORDS);
        (0..count).map(|_| word(self.next() % WORDS)).collect::<Vec<_>>().join(" ")
    }
}
