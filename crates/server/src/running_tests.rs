//! A request that runs is not begun again, and one that ended is.

use axum::http::StatusCode;
use truthkeeper::RequestKey;

use super::running::Running;

#[test]
fn a_request_that_runs_is_not_begun_again() {
    let (running, key) = (Running::default(), RequestKey::parse("one").unwrap());
    let run = running.begin(&key).unwrap();
    let refused = running.begin(&key).map(|_| ()).unwrap_err();
    assert_eq!((refused.status, refused.code), (StatusCode::CONFLICT, "request-in-flight"));
    assert!(running.begin(&RequestKey::parse("two").unwrap()).is_ok());
    drop(run);
    assert!(running.begin(&key).is_ok());
}
