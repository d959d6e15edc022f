//! The engine's defaults, kept beside the events: what a channel, agent and runtime take for a field.

use fact::Id;
use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::Ledger;
use crate::error::StoreError;

/// Which default is meant. An empty part means every one of its kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct SettingKey {
    /// The channel, such as `web`.
    pub channel: String,
    /// The agent.
    pub agent: String,
    /// The runtime's profile.
    pub runtime: String,
    /// What is set, such as `model`, `backend` or `model:extraction`.
    pub field: String,
}

/// A default.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// Which one.
    #[serde(flatten)]
    pub key: SettingKey,
    /// What it is.
    pub value: String,
}

impl SettingKey {
    /// The parts that name one of a kind, with the name of the kind.
    pub fn parts(&self) -> Vec<(&'static str, &str)> {
        let Self { channel, agent, runtime, field: _ } = self;
        let parts = [("channel", channel.as_str()), ("agent", agent), ("runtime", runtime)];
        parts.into_iter().filter(|(_, part)| !part.is_empty()).collect()
    }
}

impl Ledger {
    /// Keeps a default, in the place of the one that had its key.
    pub async fn set(&self, tenant: Id, setting: Setting) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| -> BoxFuture<'_, Result<(), StoreError>> {
                let (tenant, Setting { key, value }) = (tenant.clone(), setting.clone());
                Box::pin(async move {
                    sqlx::query(include_str!("sql/setting_put.sql"))
                        .bind(tenant.as_str())
                        .bind(key.channel)
                        .bind(key.agent)
                        .bind(key.runtime)
                        .bind(key.field)
                        .bind(value)
                        .execute(&mut tx.connection)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Every default, or those of one tenant, in the order of tenants and keys.
    pub async fn settings(&self, tenant: Option<&Id>) -> Result<Vec<(Id, Setting)>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/settings_list.sql"))
            .bind(tenant.map(|tenant| tenant.as_str().to_owned()))
            .fetch_all(&mut *connection)
            .await?;
        let mut settings = rows.iter().map(setting).collect::<Result<Vec<_>, StoreError>>()?;
        settings.sort_unstable();
        Ok(settings)
    }
}

fn setting(found: &AnyRow) -> Result<(Id, Setting), StoreError> {
    let tenant: String = found.try_get(0)?;
    let tenant = Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("settings", &tenant, bad))?;
    let key = SettingKey {
        channel: found.try_get(1)?,
        agent: found.try_get(2)?,
        runtime: found.try_get(3)?,
        field: found.try_get(4)?,
    };
    Ok((tenant, Setting { key, value: found.try_get(5)? }))
}
