//! What every suite shares: a store of its own for each test on each engine, and how long a soak may take.
//!
//! A test that touches a store is written once and runs on both engines:
//!
//! ```text
//! on_both_engines! {
//!     /// Why this must hold, where the name does not say it.
//!     async fn a_fact_keeps_its_id(store: Store) { … }
//! }
//! ```
//!
//! makes the tests `a_fact_keeps_its_id::sqlite` and `a_fact_keeps_its_id::postgres`. Loops and property tests
//! walk over [`engines`] and open [`Store::on`] each.

mod embedder;
pub mod many;
pub mod notes;
mod postgres;
pub mod script;
mod soak;
mod store;
pub mod worker;

pub use embedder::{FewWords, Planted};
pub use soak::soak_time;
pub use store::{Engine, Store, engines};

/// A minute from now: whatever was taken by a process that is gone is free again by then.
pub fn after_leases() -> truthkeeper::Timestamp {
    truthkeeper::Timestamp::from_micros(truthkeeper::Clock::system().now().micros() + 60_000_000)
}

/// Makes two tests of each function, `name::sqlite` and `name::postgres`, each with a store of its own.
/// Attributes, such as `#[ignore = "soak"]`, go to both.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$attribute:meta])* async fn $name:ident($store:ident: Store) $body:block)+) => {$(
        async fn $name($store: $crate::Store) $body

        mod $name {
            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name($crate::Store::sqlite()).await;
            }

            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(store) = $crate::Store::postgres() {
                    super::$name(store).await;
                }
            }
        }
    )+};
}
