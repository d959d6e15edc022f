//! How often a key may ask, and how often a machine may come with one that is wrong.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use truthkeeper::KeyId;

use crate::fault::Fault;

/// A key that was silent for that long may ask for all of these seconds at once.
const BURST_SECONDS: f64 = 2.0;
/// Keys that are wrong, from one machine: so many at once, and so many a second.
const WRONG_BURST: f64 = 30.0;
const WRONG_PER_SECOND: f64 = 1.0;
/// Buckets kept at most; those that are full again are let go.
const BUCKETS_MAX: usize = 10_000;

/// The buckets of every key that was used, and of every machine that came with a wrong one.
pub(crate) struct Rates {
    keys: Buckets<KeyId>,
    wrong: Buckets<IpAddr>,
    is_off: bool,
}

impl Rates {
    /// So many requests a second for each key; 0 is no limit.
    pub(crate) fn new(per_second: u32) -> Self {
        let rate = f64::from(per_second);
        Self {
            keys: Buckets::new(rate, rate * BURST_SECONDS),
            wrong: Buckets::new(WRONG_PER_SECOND, WRONG_BURST),
            is_off: per_second == 0,
        }
    }

    /// A key that is valid asks for something.
    pub(crate) fn ask(&self, key: &KeyId, now: Instant) -> Result<(), Fault> {
        match self.keys.take(key, now) {
            Err(wait) if !self.is_off => Err(limited(wait, "this key asks too often")),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Somebody comes with a key that was not looked up yet. Whoever brought too many wrong ones is sent away without
    /// a look, unless the key was right before: who guesses does not lock out their neighbours.
    pub(crate) fn knock(&self, peer: IpAddr, key: &KeyId, now: Instant) -> Result<(), Fault> {
        match self.wrong.wait(&network(peer), now) {
            Some(wait) if !self.keys.knows(key) => Err(limited(wait, "too many keys were wrong")),
            Some(_) | None => Ok(()),
        }
    }

    /// The key was wrong.
    pub(crate) fn was_wrong(&self, peer: IpAddr, now: Instant) {
        if self.wrong.take(&network(peer), now).is_err() {
            tracing::debug!("wrong keys come faster than they are counted");
        }
    }
}

/// What one household has of addresses: a version 6 network is cut where providers cut them.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V4(four) => four.into(),
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

fn limited(wait: Duration, why: &str) -> Fault {
    let seconds = wait.as_secs() + 1;
    let fault = Fault::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", why);
    Fault { retry_after: Some(seconds), ..fault }
}

/// Buckets that fill by themselves, one for each name.
pub(crate) struct Buckets<K> {
    rate: f64,
    size: f64,
    all: Mutex<HashMap<K, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl<K: Eq + Hash + Clone> Buckets<K> {
    /// Each holds `size`, and gains `rate` a second.
    pub(crate) fn new(rate: f64, size: f64) -> Self {
        Self { rate, size, all: Mutex::default() }
    }

    /// Takes one out of a bucket; where it is empty, says when there will be one.
    pub(crate) fn take(&self, name: &K, now: Instant) -> Result<(), Duration> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= BUCKETS_MAX && !all.contains_key(name) {
            all.retain(|_, bucket| self.level(*bucket, now) < self.size);
        }
        let bucket = all.entry(name.clone()).or_insert(Bucket { left: self.size, at: now });
        let left = self.level(*bucket, now);
        if left < 1.0 {
            return Err(self.until(left));
        }
        *bucket = Bucket { left: left - 1.0, at: now };
        Ok(())
    }

    /// How long until there is one in it; none where there is, or where it is not known.
    pub(crate) fn wait(&self, name: &K, now: Instant) -> Option<Duration> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.level(*all.get(name)?, now);
        (left < 1.0).then(|| self.until(left))
    }

    fn knows(&self, name: &K) -> bool {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    fn level(&self, bucket: Bucket, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * self.rate;
        (bucket.left + gained).min(self.size)
    }

    fn until(&self, left: f64) -> Duration {
        Duration::try_from_secs_f64((1.0 - left) / self.rate).unwrap_or(Duration::MAX)
    }
}
