//! The defaults that memory must not change: which backend and which model answer.

use std::collections::BTreeMap;

use fact::Id;
use ledger::{Setting, SettingKey};

use crate::finding::Finding;
use crate::snapshot::Kept;
use crate::survey::Survey;

/// Whether a field says which backend or model answers; a workspace or a timeout does not.
pub fn is_compared(field: &str) -> bool {
    ["backend", "model"]
        .into_iter()
        .any(|name| field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
}

/// The defaults that are compared.
pub(crate) fn compared(survey: &Survey) -> Vec<Kept> {
    let compared = survey.settings.iter().filter(|(_, setting)| is_compared(&setting.key.field));
    compared.map(|(tenant, setting)| Kept { tenant: tenant.clone(), setting: setting.clone() }).collect()
}

/// What is not as it was.
pub(crate) fn changed(was: &[Kept], is: &[Kept]) -> Vec<Finding> {
    let map = |kept: &[Kept]| -> BTreeMap<(Id, SettingKey), String> {
        let pair = |Kept { tenant, setting: Setting { key, value } }: &Kept| {
            ((tenant.clone(), key.clone()), value.clone())
        };
        kept.iter().map(pair).collect()
    };
    let (was, is) = (map(was), map(is));
    let mut keys: Vec<&(Id, SettingKey)> = was.keys().chain(is.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter()
        .filter(|key| was.get(*key) != is.get(*key))
        .map(|key| Finding::SettingChanged {
            tenant: key.0.clone(),
            key: key.1.clone(),
            was: was.get(key).cloned(),
        })
        .collect()
}
