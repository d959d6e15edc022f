//! A recorder that keeps what it hears.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder,
    SharedString, Unit,
};

/// A metric by its name and its labels.
type Metric = (String, Vec<String>);

/// What was heard, each metric by its name and its labels.
#[derive(Default)]
pub(super) struct Heard {
    values: Mutex<BTreeMap<Metric, Arc<Value>>>,
    described: Mutex<BTreeSet<String>>,
}

/// The number of a gauge, the sum of a counter, the last one of a histogram.
#[derive(Default)]
struct Value(Mutex<f64>);

impl Heard {
    pub(super) fn names(&self) -> Vec<String> {
        let names: BTreeSet<String> =
            self.values.lock().unwrap().keys().map(|(name, _)| name.clone()).collect();
        names.into_iter().collect()
    }

    pub(super) fn described(&self) -> Vec<String> {
        self.described.lock().unwrap().iter().cloned().collect()
    }

    /// The values of all labels.
    pub(super) fn labels(&self) -> BTreeSet<String> {
        self.values.lock().unwrap().keys().flat_map(|(_, labels)| labels.clone()).collect()
    }

    /// The number under a label; under none, where it is empty.
    pub(super) fn value(&self, name: &str, label: &str) -> f64 {
        let labels: Vec<String> =
            Some(label.to_owned()).filter(|label| !label.is_empty()).into_iter().collect();
        let values = self.values.lock().unwrap();
        *values[&(name.to_owned(), labels)].0.lock().unwrap()
    }

    fn describe(&self, key: &KeyName) {
        self.described.lock().unwrap().insert(key.as_str().to_owned());
    }

    fn of(&self, key: &Key) -> Arc<Value> {
        let labels = key.labels().map(|label| label.value().to_owned()).collect();
        Arc::clone(self.values.lock().unwrap().entry((key.name().to_owned(), labels)).or_default())
    }
}

impl Recorder for Heard {
    fn describe_counter(&self, key: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&key);
    }

    fn describe_gauge(&self, key: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&key);
    }

    fn describe_histogram(&self, key: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&key);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.of(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.of(key))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.of(key))
    }
}

impl CounterFn for Value {
    fn increment(&self, by: u64) {
        *self.0.lock().unwrap() += f64::from(u32::try_from(by).unwrap());
    }

    fn absolute(&self, value: u64) {
        *self.0.lock().unwrap() = f64::from(u32::try_from(value).unwrap());
    }
}

impl GaugeFn for Value {
    fn increment(&self, by: f64) {
        *self.0.lock().unwrap() += by;
    }

    fn decrement(&self, by: f64) {
        *self.0.lock().unwrap() -= by;
    }

    fn set(&self, value: f64) {
        *self.0.lock().unwrap() = value;
    }
}

impl HistogramFn for Value {
    fn record(&self, value: f64) {
        *self.0.lock().unwrap() = value;
    }
}
