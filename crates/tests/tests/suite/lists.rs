//! Lists: pages that are disjoint and complete, cursors that belong to one list, and filters.

use std::collections::BTreeSet;

use serde_json::json;
use truthkeeper::{Cursor, FactId, Filter, MemoryError, Page, State, Times};
use truthkeeper_tests::on_both_engines;

use super::scene::{DAY, Scene, ann, as_of, bob, kind, operator, refused, scope, start, stored, text, user};

/// Every fact of a list, page by page, and how many pages that took.
async fn walk(scene: &Scene, filter: &Filter, times: Times, limit: usize) -> (Vec<FactId>, usize) {
    let (mut facts, mut pages, mut next) = (Vec::new(), 0, None::<Cursor>);
    loop {
        let page: Page = scene.memory.list(&ann(), filter, times, next.as_ref(), limit).await.unwrap();
        assert!(page.items.len() <= limit && (page.next.is_none() || page.items.len() == limit));
        facts.extend(page.items.iter().map(|seen| seen.head.fact));
        pages += 1;
        match page.next {
            Some(cursor) => next = Some(Cursor::from_text(cursor.as_str())),
            None => return (facts, pages),
        }
    }
}

/// As many facts of Ann's as it says, all at one reading of the clock, every third of another type; as many of Bob's.
async fn crowd(scene: &Scene, count: usize) -> Vec<FactId> {
    let mut facts = Vec::new();
    for n in 0..count {
        let kind = if n % 3 == 0 { "acme.habit" } else { "acme.preference" };
        let said =
            json!({"type": kind, "tags": [format!("t{}", n % 4)], "content": {"text": format!("fact {n}")}});
        facts.push(scene.wrote(&ann(), said).await.fact);
        let theirs = json!({"scope": {"userId": "bob"}, "content": {"text": format!("his {n}")}});
        scene.wrote(&bob(), theirs).await;
    }
    facts.reverse();
    facts
}

on_both_engines! {
    // 100
    async fn pages_are_disjoint_and_complete_newest_first(store: Store) {
        let scene = Scene::on(store).await;
        let facts = crowd(&scene, 45).await;
        for limit in [1, 7, 45, 100] {
            let (walked, pages) = walk(&scene, &Filter::current(), Times::default(), limit).await;
            assert_eq!((walked, pages), (facts.clone(), 45_usize.div_ceil(limit)), "limit {limit}");
        }
    }

    // 100: what is written meanwhile is not in a list that has begun, and moves nothing
    async fn a_list_that_has_begun_is_not_moved_by_new_facts(store: Store) {
        let scene = Scene::on(store).await;
        let facts = crowd(&scene, 10).await;
        let first = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, 4).await.unwrap();
        scene.say("new meanwhile").await;
        scene.forget(facts[9]).await;
        let rest = scene
            .memory
            .list(&ann(), &Filter::current(), Times::default(), first.next.as_ref(), 100)
            .await
            .unwrap();
        let walked: Vec<FactId> = first.items.iter().chain(&rest.items).map(|seen| seen.head.fact).collect();
        assert_eq!(walked, facts[..9]);
    }

    // 100: a list as of then is the same whatever happens later
    async fn a_list_of_the_past_does_not_change(store: Store) {
        let scene = Scene::on(store).await;
        let facts = crowd(&scene, 9).await;
        let then = scene.pass(DAY);
        scene.pass(DAY);
        scene.forget(facts[0]).await;
        scene.change(facts[1], "changed").await;
        scene.say("new").await;
        assert_eq!(walk(&scene, &Filter::current(), as_of(then), 4).await.0, facts);
        assert_eq!(walk(&scene, &Filter::current(), Times::default(), 4).await.0.len(), 9);
    }

    // 101
    async fn a_cursor_that_is_garbage_or_of_another_list_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        crowd(&scene, 5).await;
        let page = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, 2).await.unwrap();
        let cursor = page.next.unwrap();
        let cut = &cursor.as_str()[..cursor.as_str().len() - 1];
        let garbage =
            ["", "x", "0", "MTIz", "💥💥💥💥💥", "ffffffffffffffffffffffffffffffff", "-000000000000001", cut];
        let signed = format!("+{}", &cursor.as_str()[1..]);
        for text in garbage.into_iter().chain([signed.as_str(), &format!("{}0", cursor.as_str())]) {
            let page = scene
                .memory
                .list(&ann(), &Filter::current(), Times::default(), Some(&Cursor::from_text(text)), 2)
                .await;
            refused!(page, MemoryError::BadInput(bad) if bad.field == "cursor");
        }
        for filter in [
            Filter { kind: Some(kind("acme.habit")), ..Filter::current() },
            Filter { scope: Some(scope("user:ann")), ..Filter::current() },
            Filter { tag: Some(stored("t1")), ..Filter::current() },
            Filter { key: Some(stored("k")), ..Filter::current() },
            Filter { state: State::Retracted, ..Filter::current() },
        ] {
            let page = scene.memory.list(&ann(), &filter, Times::default(), Some(&cursor), 2).await;
            refused!(page, MemoryError::BadInput(bad) if bad.field == "cursor");
        }
    }

    // 101: a cursor carries no rights
    async fn the_cursor_of_another_reader_shows_only_ones_own(store: Store) {
        let scene = Scene::on(store).await;
        crowd(&scene, 5).await;
        let page = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, 1).await.unwrap();
        match scene.memory.list(&bob(), &Filter::current(), Times::default(), page.next.as_ref(), 100).await {
            Ok(page) => assert!(page.items.iter().all(|seen| seen.head.scope == scope("user:bob"))),
            Err(error) => assert!(matches!(error, MemoryError::BadInput(_)), "{error}"),
        }
    }

    async fn a_page_has_from_one_to_a_hundred_items(store: Store) {
        let scene = Scene::on(store).await;
        for limit in [0, 101, usize::MAX] {
            let page = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, limit).await;
            refused!(page, MemoryError::BadInput(bad) if bad.field == "limit");
        }
    }

    // 100
    async fn each_filter_gives_exactly_what_it_names(store: Store) {
        let scene = Scene::on(store).await;
        crowd(&scene, 12).await;
        let count = async |filter: Filter| walk(&scene, &filter, Times::default(), 5).await.0.len();
        assert_eq!(count(Filter { kind: Some(kind("acme.habit")), ..Filter::current() }).await, 4);
        assert_eq!(count(Filter { kind: Some(kind("acme")), ..Filter::current() }).await, 0);
        assert_eq!(count(Filter { tag: Some(stored("t1")), ..Filter::current() }).await, 3);
        assert_eq!(
            count(Filter { tag: Some(stored("t")), ..Filter::current() }).await,
            0,
            "a tag is a whole tag"
        );
        assert_eq!(count(Filter { scope: Some(scope("user:ann")), ..Filter::current() }).await, 12);
        assert_eq!(count(Filter { scope: Some(scope("user:bob")), ..Filter::current() }).await, 0);
        assert_eq!(count(Filter { scope: Some(scope("tenant")), ..Filter::current() }).await, 0);
    }

    // 109
    async fn a_list_of_another_tenant_is_refused_not_empty(store: Store) {
        let scene = Scene::on(store).await;
        let elsewhere = truthkeeper::Scope::tenant(super::scene::id("elsewhere"));
        let filter = Filter { scope: Some(elsewhere), ..Filter::current() };
        let page = scene.memory.list(&ann(), &filter, Times::default(), None, 10).await;
        refused!(page, MemoryError::BadInput(bad) if bad.field == "scope.tenantId");
    }

    async fn a_key_filter_compares_the_whole_key(store: Store) {
        let scene = Scene::on(store).await;
        for key in ["drink", "drinks", "Drink", "dri%", "dri_k"] {
            scene.wrote(&ann(), json!({"key": key, "content": {"text": key}})).await;
        }
        for key in ["drink", "dri%", "dri_k"] {
            let filter = Filter { key: Some(stored(key)), ..Filter::current() };
            let page = scene.memory.list(&ann(), &filter, Times::default(), None, 10).await.unwrap();
            assert_eq!(page.items.iter().map(text).collect::<Vec<_>>(), [key]);
        }
    }

    async fn odd_tags_are_found_whole(store: Store) {
        let scene = Scene::on(store).await;
        let tags = ["a", "a b", "%", "_", "'", "\"", "\\", "日本", "t1,t2", "--"];
        for tag in tags {
            scene.wrote(&ann(), json!({"tags": [tag, "every"], "content": {"text": tag}})).await;
        }
        for tag in tags {
            let filter = Filter { tag: Some(stored(tag)), ..Filter::current() };
            let page = scene.memory.list(&ann(), &filter, Times::default(), None, 100).await.unwrap();
            assert_eq!(page.items.iter().map(text).collect::<Vec<_>>(), [tag]);
        }
    }

    /// A session narrows a fact; an exact scope is asked for as it is.
    async fn an_exact_scope_is_not_its_parts(store: Store) {
        let scene = Scene::on(store).await;
        scene
            .wrote(
                &ann(),
                json!({"scope": {"userId": "ann", "sessionId": "s1"}, "content": {"text": "in a session"}}),
            )
            .await;
        scene.say("anywhere").await;
        let listed = async |path: &str| {
            let filter = Filter { scope: Some(scope(path)), ..Filter::current() };
            let page = scene.memory.list(&operator(), &filter, Times::default(), None, 10).await.unwrap();
            page.items.iter().map(text).collect::<BTreeSet<_>>()
        };
        assert_eq!(listed("user:ann/session:s1").await, BTreeSet::from(["in a session".to_owned()]));
        assert_eq!(listed("user:ann").await, BTreeSet::from(["anywhere".to_owned()]));
    }

    // 114
    async fn a_crowd_of_others_facts_hides_none_of_ones_own(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea is what she drinks").await;
        for n in 0..260 {
            let theirs = json!({"scope": {"userId": "bob"}, "content": {"text": format!("tea tea tea {n}")}});
            scene.wrote(&bob(), theirs).await;
        }
        let page = scene.memory.list(&ann(), &Filter::current(), Times::default(), None, 1).await.unwrap();
        assert_eq!((page.items.len(), page.next), (1, None));
        for recall in [truthkeeper::Recall::query("tea"), truthkeeper::Recall::newest()] {
            assert_eq!(scene.memory.recall(&ann(), &recall.limit(1)).await.unwrap().facts.len(), 1);
        }
    }

    async fn a_reader_of_nothing_lists_nothing(store: Store) {
        let scene = Scene::on(store).await;
        crowd(&scene, 3).await;
        let nobody = user("nobody", "user:nobody");
        assert_eq!(scene.list(&nobody, State::Active).await, []);
        assert_eq!(scene.list_at(&nobody, State::Active, as_of(start())).await, []);
    }
}
