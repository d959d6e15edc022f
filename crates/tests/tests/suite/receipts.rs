//! What a recall gave is kept for a while, for whom it was made.

use serde_json::json;
use truthkeeper::{Intent, Memory, MemoryError, Miss, Mode, Near, Options, Reason, Recall, Run, Warning};
use truthkeeper_tests::on_both_engines;

use super::projecting::in_index;
use super::raw;
use super::scene::{DAY, Scene, ann, bob, local, operator, refused, says, scope};

on_both_engines! {
    async fn a_receipt_says_what_was_asked_and_shown(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("green tea").await;
        let also = scene.say("tea with milk").await;
        let recalled = scene.memory.recall(&ann(), &Recall::query("green tea").limit(1)).await.unwrap();
        let id = recalled.receipt.unwrap();
        let receipt = scene.memory.receipt(&ann(), id).await.unwrap();
        let given = &receipt.given;
        assert_eq!(receipt.query.as_ref().unwrap().as_str(), "green tea");
        assert_eq!((&given.by, given.position.get()), (&ann().actor, 2));
        let question = &given.questions[0];
        assert_eq!((given.questions.len(), question.mode, question.limit), (1, Mode::Keyword, 1));
        assert_eq!(question.reader, ann().reader);
        let shown: Vec<_> = given.shown.iter().map(|one| (one.fact, one.revision.get(), one.score)).collect();
        assert_eq!(shown, [(tea, 1, recalled.facts[0].score)]);
        let near: Vec<_> = given.near.iter().map(|one| (one.fact, one.why)).collect();
        assert_eq!(near, [(also, Miss::TooLate)]);
        assert_eq!(receipt.expires_at, receipt.recalled_at.plus_days(30));
        let kept = raw::value(&scene.store, "SELECT body FROM receipts").await;
        assert!(!kept.contains("tea"), "no content: {kept}");
    }

    async fn what_was_withheld_is_named_with_its_reason(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("green tea").await;
        in_index(
            &scene,
            "UPDATE entries SET revision = 7",
            "UPDATE truthkeeper_index.entries SET revision = 7",
        )
        .await;
        let id = scene.recall("tea").await.receipt.unwrap();
        let near = scene.memory.receipt(&ann(), id).await.unwrap().given.near;
        let near: Vec<_> = near.iter().map(|one| (one.fact, one.why)).collect();
        assert_eq!(near, [(tea, Miss::Withheld(Reason::Stale))]);
    }

    async fn a_receipt_is_its_callers_own(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("green tea").await;
        let first = scene.recall("tea").await.receipt.unwrap();
        let second = scene.memory.recall(&bob(), &Recall::query("coffee")).await.unwrap().receipt.unwrap();
        refused!(scene.memory.receipt(&bob(), first).await, MemoryError::NoSuchReceipt);
        refused!(scene.memory.forget_query(&bob(), first).await, MemoryError::NoSuchReceipt);
        let ids = async |caller: &truthkeeper::Caller| {
            let all = scene.memory.receipts(caller, None, 100).await.unwrap();
            all.iter().map(|one| one.receipt).collect::<Vec<_>>()
        };
        assert_eq!((ids(&ann()).await, ids(&bob()).await), (vec![first], vec![second]));
        assert_eq!(ids(&operator()).await, [second, first]);
        let page = scene.memory.receipts(&operator(), Some(second), 1).await.unwrap();
        assert_eq!(page[0].receipt, first);
        refused!(scene.memory.receipts(&ann(), None, 0).await, MemoryError::BadInput(_));
        refused!(scene.memory.receipts(&ann(), None, 101).await, MemoryError::BadInput(_));
    }

    async fn it_goes_after_its_time_and_its_query_when_it_is_told_to(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("green tea").await;
        let id = scene.recall("secret tea").await.receipt.unwrap();
        scene.memory.forget_query(&ann(), id).await.unwrap();
        let receipt = scene.memory.receipt(&ann(), id).await.unwrap();
        assert_eq!((receipt.query, receipt.given.shown.len()), (None, 1));
        scene.pass(31 * DAY);
        refused!(scene.memory.receipt(&ann(), id).await, MemoryError::NoSuchReceipt);
        scene.memory.sweep(&local()).await.unwrap();
        assert_eq!(raw::value(&scene.store, "SELECT CAST(COUNT(*) AS TEXT) FROM receipts").await, "0");
        scene.check().await;
    }

    async fn none_is_kept_where_none_is_wanted(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("green tea").await;
        let options = Options { receipt_days: None, clock: scene.clock(), ..Options::default() };
        let memory = Memory::open_with(&scene.store.address, options).await.unwrap();
        assert_eq!(memory.recall(&ann(), &Recall::query("tea")).await.unwrap().receipt, None);
        assert!(memory.receipts(&ann(), None, 10).await.unwrap().is_empty());
    }

    async fn a_turn_has_one_receipt_for_all_that_it_asked(store: Store) {
        let scene = Scene::on(store).await;
        scene.wrote(&ann(), says("green tea")).await;
        let intent = |near| Intent { kinds: Vec::new(), near, mode: Mode::Keyword, limit: Some(3) };
        let run = Run::of(scope("user:ann"));
        let intents = [intent(Near::SameUser), intent(Near::SameProject), intent(Near::Tenant)];
        let recalled = scene.memory.recall_turn(&ann(), &run, &intents, "tea").await.unwrap();
        let receipt = scene.memory.receipt(&ann(), recalled.receipt.unwrap()).await.unwrap();
        assert_eq!((receipt.given.questions.len(), receipt.given.shown.len()), (2, 1));
        assert_eq!(receipt.given.warnings, [Warning::NeedsProject]);
        assert_eq!(json!(receipt.given.questions[0].mode), "keyword");
    }

    async fn who_shares_a_project_does_not_share_its_receipts(store: Store) {
        let scene = Scene::on(store).await;
        let (one, other) = (super::scene::user("ann", "project:p"), super::scene::user("ben", "project:p"));
        let id = scene.memory.recall(&one, &Recall::query("secret")).await.unwrap().receipt.unwrap();
        refused!(scene.memory.receipt(&other, id).await, MemoryError::NoSuchReceipt);
        refused!(scene.memory.forget_query(&other, id).await, MemoryError::NoSuchReceipt);
        assert!(scene.memory.receipts(&other, None, 10).await.unwrap().is_empty());
        assert_eq!(scene.memory.receipts(&one, None, 10).await.unwrap().len(), 1);
    }

    async fn what_was_asked_of_some_types_is_asked_again_among_all(store: Store) {
        let scene = Scene::on(store).await;
        let write = async |kind: &str, text: String| scene.wrote(&ann(), json!({"type": kind, "content": {"text": text}})).await;
        for text in ["banana split", "apple pie", "apple cake"] {
            write("acme.t", text.to_owned()).await;
        }
        for number in 0..6 {
            write("acme.o", format!("banana number {number}")).await;
        }
        let kinds = ["acme.t", "acme.t"].map(super::scene::kind).to_vec();
        let recall = Recall::query("apple banana").kinds(kinds);
        let id = scene.memory.recall(&ann(), &recall).await.unwrap().receipt.unwrap();
        let replay = scene.memory.replay(&ann(), id).await.unwrap();
        assert_eq!((replay.then.len(), &replay.then), (3, &replay.again));
    }
}
