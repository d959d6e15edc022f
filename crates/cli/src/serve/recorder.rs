//! What the libraries measure, kept for Prometheus.

use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder};
use server::Render;

use crate::error::CliError;

/// Upper bounds of what takes time, in seconds.
const SECONDS: [f64; 13] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
/// Upper bounds of how many works are committed together.
const WORKS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
const WORKS_NAME: &str = "truthkeeper_group_works";
/// How often what was measured is summed up, where nobody reads it: it would pile up otherwise.
const UPKEEP: Duration = Duration::from_secs(5);

/// Keeps what is measured from now on. A process has one.
pub(super) fn install() -> Result<Render, CliError> {
    let handle = built().map_err(|error| CliError::Broken(error.to_string()))?;
    let kept = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            kept.run_upkeep();
        }
    });
    Ok(Arc::new(move || handle.render()))
}

fn built() -> Result<metrics_exporter_prometheus::PrometheusHandle, BuildError> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full(WORKS_NAME.to_owned()), &WORKS)?
        .set_buckets(&SECONDS)?
        .install_recorder()
}
