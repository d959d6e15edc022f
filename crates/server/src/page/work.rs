//! Work that goes on when the request that asked for it was answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use tokio::sync::watch;

use super::assets;
use super::frame::{Frame, page};
use crate::fault::Fault;

/// How long an answer waits for work to end, before it says that it goes on.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// When a browser looks again, in seconds.
const LOOK_AGAIN: HeaderValue = HeaderValue::from_static("3");

/// Work that runs, or has ended.
pub(crate) struct Work<T> {
    done: AtomicU64,
    of: u64,
    end: watch::Sender<Option<Result<T, Fault>>>,
}

#[derive(Template)]
#[template(path = "running.html")]
struct Running {
    frame: Frame,
    what: &'static str,
    done: u64,
    of: u64,
}

impl<T: Clone + Send + Sync + 'static> Work<T> {
    /// Begins work in so many steps.
    pub(crate) fn begin<F>(of: u64, run: impl FnOnce(Arc<Self>) -> F) -> Arc<Self>
    where
        F: Future<Output = Result<T, Fault>> + Send + 'static,
    {
        let work = Arc::new(Self { done: AtomicU64::new(0), of, end: watch::Sender::new(None) });
        let running = tokio::spawn(run(Arc::clone(&work)));
        let ends = Arc::clone(&work);
        tokio::spawn(async move {
            let end = running.await.unwrap_or_else(|_| Err(broken()));
            ends.end.send_replace(Some(end));
        });
        work
    }

    /// So many of its steps are done.
    pub(crate) fn is_at(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// How it ended; none while it runs.
    pub(crate) fn end(&self) -> Option<Result<T, Fault>> {
        self.end.borrow().clone()
    }

    /// How it ended, where it ends soon.
    pub(crate) async fn ends_soon(&self) -> Option<Result<T, Fault>> {
        let mut end = self.end.subscribe();
        let waited = tokio::time::timeout(PATIENCE, end.wait_for(Option::is_some)).await;
        waited.ok().and_then(|end| end.ok()?.clone())
    }

    /// The page that says how far it is, and looks again by itself.
    pub(crate) fn page(&self, frame: Frame, what: &'static str) -> Result<Response, Fault> {
        let done = self.done.load(Ordering::Relaxed).min(self.of);
        let mut response = page(&Running { frame, what, done, of: self.of })?;
        response.headers_mut().insert(header::REFRESH, LOOK_AGAIN);
        Ok(response)
    }
}

fn broken() -> Fault {
    let fault = Fault::of_status(StatusCode::INTERNAL_SERVER_ERROR);
    Fault { cause: Some("it broke".to_owned()), ..fault }
}

#[cfg(test)]
mod tests {
    use super::Work;
    use crate::fault::Fault;

    #[tokio::test]
    async fn work_ends_once_also_where_it_breaks() {
        let (go, wait) = tokio::sync::oneshot::channel::<()>();
        let work = Work::<u8>::begin(3, |work| async move {
            work.is_at(1);
            drop(wait.await);
            Ok(7)
        });
        assert_eq!(work.end(), None);
        drop(go);
        assert_eq!(work.ends_soon().await, Some(Ok(7)));
        assert_eq!(work.end(), Some(Ok(7)));
        let broken = Work::<u8>::begin(0, |_| async { panic!("on purpose") });
        let end: Option<Result<u8, Fault>> = broken.ends_soon().await;
        assert_eq!(end.unwrap().unwrap_err().code, "internal");
    }
}
