//! What the search index does not show, and what is done about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use truthkeeper::{EmbedError, Embedder, ModelId, Options, Prefixes, Right, Role, Timestamp};
use truthkeeper_server::Settings;

use super::Browser;
use crate::client::Running;

const HOUR_MICROS: i64 = 3_600_000_000;

/// An embedder that refuses what is bitter, for as long as it is told to.
struct Fussy(AtomicBool);

#[async_trait]
impl Embedder for Fussy {
    async fn model(&self) -> Result<ModelId, EmbedError> {
        Ok(ModelId {
            provider: "tests".to_owned(),
            model: "fussy".to_owned(),
            revision: "1".to_owned(),
            size: 2,
            prefixes: Prefixes::default(),
        })
    }

    async fn embed(&self, _role: Role, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let bitter = texts.iter().position(|text| text.contains("bitter"));
        match bitter.filter(|_| self.0.load(Ordering::SeqCst)) {
            Some(index) => Err(EmbedError::Final { index, reason: "too bitter".into() }),
            None => Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect()),
        }
    }

    fn pieces(&self, text: &str) -> Vec<String> {
        vec![text.to_owned()]
    }
}

/// A service whose search index refuses what is bitter.
fn fussy() -> (Running, Arc<Fussy>) {
    let fussy = Arc::new(Fussy(AtomicBool::new(true)));
    let embedder: Arc<dyn Embedder> = fussy.clone();
    (Running::on(Options { embedder: Some(embedder), ..Options::default() }, Settings::default()), fussy)
}

/// A fact of Ann's whose copy was tried as often as it is.
fn failed(service: &Running, ann: &str, text: &str) -> String {
    let fact = service.says(ann, "ann", text);
    let local = truthkeeper::Id::parse("tenant", "local").unwrap();
    for hours in 1..4 {
        service.wait(async {
            let now = service.memory.now(&local).await.unwrap();
            let later = Timestamp::from_micros(now.micros() + hours * HOUR_MICROS);
            service.memory.project_all(later).await.unwrap();
        });
    }
    fact
}

#[test]
fn what_failed_is_named_and_tried_again_until_it_is_found() {
    let (service, fussy) = fussy();
    let ann = service.person("ann");
    let (one, other) = (failed(&service, &ann, "canary bitter tea"), failed(&service, &ann, "bitter beer"));
    let browser = Browser::signed_in(&service, &ann);
    let list = browser.sees("/memory");
    assert!(list.contains("(2) Memory") && list.contains("Search sync <span class=\"badge\">2<"), "{list}");
    let page = browser.sees("/sync");
    for part in [&one, &other, "finding out what it means", "<code>embedder-refused</code>", "<dd>3</dd>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("canary") && !page.contains("bitter"), "no content: {page}");
    let page = browser.does("/sync/retry", &[("fact", &one)]);
    assert!(page.contains("1 tried again: 0 in the search index now, 1 failed again."), "{page}");
    fussy.0.store(false, Ordering::SeqCst);
    let page = browser.does("/sync/retry", &[("fact", &one)]);
    assert!(page.contains("1 tried again: all in the search index now."), "{page}");
    assert!(!page.contains(&one) && page.contains(&other), "{page}");
    let page = browser.does("/sync/retry", &[]);
    assert!(page.contains("all in the search index now.") && page.contains("Nothing failed."), "{page}");
    assert!(browser.sees("/memory?q=beer").contains("bitter beer"));
    let page = browser.does("/sync/retry", &[]);
    assert!(page.contains("there was nothing to try again"), "{page}");
}

#[test]
fn each_sees_to_their_own_and_operators_to_all_without_its_content() {
    let (service, fussy) = fussy();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let fact = failed(&service, &ann, "canary bitter tea");
    let his = Browser::signed_in(&service, &bob);
    fussy.0.store(false, Ordering::SeqCst);
    let page = his.sees("/sync");
    assert!(!page.contains(&fact) && page.contains("Nothing failed."), "{page}");
    assert_eq!(his.post("/sync/retry", &[("fact", &fact)]).status, 404);
    his.does("/sync/retry", &[]);
    his.does("/sync/check", &[]);
    his.does("/sync/repair", &[]);
    let operator = service.key("operator:olga", &[Right::Operate], &[], &[]);
    let hers = Browser::signed_in(&service, &operator);
    let page = hers.sees("/sync");
    assert!(page.contains(&fact) && page.contains("user:ann") && !page.contains("canary"), "{page}");
    assert!(page.contains("(1) Search sync"), "{page}");
    let page = hers.does("/sync/retry", &[("fact", &fact)]);
    assert!(page.contains("all in the search index now."), "{page}");
    let (reader, kai) = (
        service.key("user:ann", &[Right::FactsRead], &["user:ann"], &[]),
        service.key("agent:kai", &[Right::FactsRead, Right::Review], &[], &["user:ann"]),
    );
    for key in [reader, kai] {
        let browser = Browser::signed_in(&service, &key);
        assert!(!browser.sees("/memory").contains("href=\"/sync\""));
        assert_eq!(browser.get("/sync").status, 403);
        for act in ["retry", "check", "repair"] {
            assert_eq!(browser.post(&format!("/sync/{act}"), &[]).status, 403, "{act}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_drifted_is_found_and_repaired() {
    let service = Running::start();
    let ann = service.person("ann");
    service.says(&ann, "ann", "green tea");
    let browser = Browser::signed_in(&service, &ann);
    let page = browser.does("/sync/check", &[]);
    assert!(
        page.contains("The search index agrees with the memory.") && page.contains("It agreed."),
        "{page}"
    );
    assert!(page.contains("1 fact and 1 row.") && !page.contains("/sync/repair"), "{page}");
    if service.says_past_the_index("ann", "black tea").is_none() {
        return;
    }
    assert!(!browser.sees("/memory?q=black+tea").contains(">black tea<"));
    let page = browser.does("/sync/check", &[]);
    assert!(page.contains("The search index differs in 1 place.") && page.contains("1 missing"), "{page}");
    assert!(page.contains("facts that no search finds") && page.contains("2 facts and 1 row."), "{page}");
    let page = browser.does("/sync/repair", &[]);
    assert!(page.contains("1 fact made again. The search index agrees with the memory."), "{page}");
    assert!(browser.sees("/memory?q=black+tea").contains(">black tea<"));
}
