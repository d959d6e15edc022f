//! An index that is opened when it is first used.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use fact::{FactId, Id, Reader};
use tokio::sync::OnceCell;

use crate::{
    Damage, Entry, IndexError, Matches, Nearby, Nearest, PostgresIndex, Query, RowKey, SearchIndex, Source,
    Span, SqliteIndex, Version, Write,
};

pub(crate) struct Opening {
    address: String,
    opened: OnceCell<Arc<dyn SearchIndex>>,
}

impl Opening {
    pub(crate) fn new(address: String) -> Self {
        Self { address, opened: OnceCell::new() }
    }

    async fn index(&self) -> Result<&Arc<dyn SearchIndex>, IndexError> {
        self.opened.get_or_try_init(|| open(&self.address)).await
    }
}

fn is_postgres(address: &str) -> bool {
    address.starts_with("postgres://") || address.starts_with("postgresql://")
}

async fn open(address: &str) -> Result<Arc<dyn SearchIndex>, IndexError> {
    if is_postgres(address) {
        Ok(Arc::new(PostgresIndex::open(address).await?))
    } else {
        Ok(Arc::new(SqliteIndex::open(Path::new(address)).await?))
    }
}

#[async_trait]
impl SearchIndex for Opening {
    async fn replace(&self, writes: &[Write]) -> Result<Vec<bool>, IndexError> {
        self.index().await?.replace(writes).await
    }

    async fn versions(&self, source: Source, facts: &[(Id, FactId)]) -> Result<Vec<Version>, IndexError> {
        self.index().await?.versions(source, facts).await
    }

    async fn rows(&self, tenant: &Id, fact: FactId) -> Result<Vec<RowKey>, IndexError> {
        self.index().await?.rows(tenant, fact).await
    }

    async fn entries(&self, span: &Span) -> Result<Vec<Entry>, IndexError> {
        self.index().await?.entries(span).await
    }

    async fn damage(&self) -> Result<Vec<Damage>, IndexError> {
        self.index().await?.damage().await
    }

    async fn mend(&self) -> Result<(), IndexError> {
        self.index().await?.mend().await
    }

    async fn remake(&self) -> Result<(), IndexError> {
        match self.index().await {
            Ok(index) => index.remake().await,
            Err(IndexError::Corrupt(_) | IndexError::OtherForm { .. }) => {
                if is_postgres(&self.address) {
                    PostgresIndex::clear(&self.address).await?;
                } else {
                    SqliteIndex::clear(Path::new(&self.address))?;
                }
                self.index().await.map(|_| ())
            }
            Err(error @ (IndexError::Unreachable(_) | IndexError::Refused(_))) => Err(error),
        }
    }

    async fn search(&self, reader: &Reader, query: &Query) -> Result<Matches, IndexError> {
        self.index().await?.search(reader, query).await
    }

    async fn nearest(&self, reader: &Reader, query: &Nearest) -> Result<Nearby, IndexError> {
        self.index().await?.nearest(reader, query).await
    }

    async fn embedded(&self, model: &str, digests: &[String]) -> Result<Vec<bool>, IndexError> {
        self.index().await?.embedded(model, digests).await
    }

    async fn vectors(&self, model: &str, digests: &[String]) -> Result<Vec<Vec<Vec<f32>>>, IndexError> {
        self.index().await?.vectors(model, digests).await
    }

    async fn serving(&self) -> Result<Option<String>, IndexError> {
        self.index().await?.serving().await
    }

    async fn serve(&self, model: &str) -> Result<bool, IndexError> {
        self.index().await?.serve(model).await
    }

    async fn purge(&self) -> Result<(), IndexError> {
        self.index().await?.purge().await
    }

    async fn close(&self) {
        if let Some(index) = self.opened.get() {
            index.close().await;
        }
    }
}
