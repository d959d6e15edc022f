//! What makes vectors: the model of today, and the one before it until today's has taken over.

use std::sync::Arc;

use embed::Embedder;

/// What makes vectors.
#[derive(Clone, Default)]
pub struct Models {
    /// The model of today, by which every row ought to be embedded; none, so that facts are found by their words alone.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The one before it, by which is searched until every row has vectors of today's.
    pub former: Option<Arc<dyn Embedder>>,
}

/// What to search by.
#[derive(Clone)]
pub struct Searching {
    /// What embeds the query.
    pub embedder: Arc<dyn Embedder>,
    /// Whether rows may lack its vectors because the index is searched by another model, which nobody here can ask.
    pub partial: bool,
}

impl Models {
    /// What to search by in an index that `serving` is the model of; none where there is no model.
    pub async fn searching(&self, serving: Option<&str>) -> Option<Searching> {
        let today = self.embedder.as_ref()?;
        let Some(serving) = serving else {
            return Some(Searching { embedder: Arc::clone(today), partial: false });
        };
        for embedder in [Some(today), self.former.as_ref()].into_iter().flatten() {
            if is(embedder, serving).await {
                return Some(Searching { embedder: Arc::clone(embedder), partial: false });
            }
        }
        Some(Searching { embedder: Arc::clone(today), partial: true })
    }

    /// The former model, where it is `serving` and not that of today.
    pub(crate) async fn former_serving(&self, serving: &str) -> Option<&Arc<dyn Embedder>> {
        let former = self.former.as_ref()?;
        if let Some(today) = &self.embedder
            && is(today, serving).await
        {
            return None;
        }
        is(former, serving).await.then_some(former)
    }
}

/// Whether that is its model. One that cannot say is taken for another.
async fn is(embedder: &Arc<dyn Embedder>, model: &str) -> bool {
    embedder.model().await.is_ok_and(|own| own.to_string() == model)
}
