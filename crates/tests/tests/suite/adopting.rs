//! A review of memories from before the ledger: audited, sealed, applied once, taken back as a unit.

use serde_json::json;
use truthkeeper::{
    AdoptionError, Applied, Caller, Choice, Container, FactId, GroupKind, Legacy, LegacyAudit, MemoryError,
    NotSealable, Recall, Review, Sealed, State, StepOutcome,
};
use truthkeeper_tests::{Store, on_both_engines};

use super::legacy::{bring, memory, older, plain, rows};
use super::scene::{Scene, agent, ann, bob, id, operator, refused, says, texts};

pub(super) fn owner() -> Container {
    Container::User(id("ann"))
}

pub(super) async fn audited(scene: &Scene) -> LegacyAudit {
    scene.memory.audit_legacy(&ann(), &owner()).await.unwrap()
}

/// Everything that is pending is decided so.
pub(super) fn decided(audit: &LegacyAudit, choice: Choice) -> Review {
    let mut review = Review::of(audit);
    for group in &mut review.groups {
        group.decision = choice;
        // What must be approved row by row is.
        for row in &mut group.rows {
            row.decision = Some(choice);
        }
    }
    review
}

pub(super) async fn sealed(scene: &Scene, audit: &LegacyAudit, review: &Review) -> Sealed {
    scene.memory.seal_review(&ann(), audit, review).await.unwrap().unwrap()
}

/// Audits, decides all in one way, and seals.
pub(super) async fn all(scene: &Scene, choice: Choice) -> Sealed {
    let audit = audited(scene).await;
    sealed(scene, &audit, &decided(&audit, choice)).await
}

async fn apply(scene: &Scene, caller: &Caller, sealed: &Sealed) -> Result<Applied, MemoryError> {
    scene.memory.apply_review(caller, sealed, |_| {}).await
}

fn outcomes(applied: &Applied) -> Vec<StepOutcome> {
    applied.steps.iter().map(|(done, _)| done.outcome).collect()
}

fn facts(applied: &Applied) -> Vec<FactId> {
    applied.steps.iter().filter_map(|(done, _)| done.fact).map(|(fact, _)| fact).collect()
}

/// The groups of an audit with the texts of each.
fn told(audit: &LegacyAudit) -> Vec<(GroupKind, usize, bool)> {
    audit.groups.iter().map(|group| (group.kind, group.rows.len(), group.safe)).collect()
}

on_both_engines! {
    // 79, 88
    async fn an_audit_of_the_same_rows_is_the_same_and_changes_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let memories: Vec<Legacy> =
            (0..40).map(|number| plain(&format!("n.md:{number}"), &format!("Ann has bicycle {number}"))).collect();
        bring(&scene.memory, &memories).await;
        let before = (scene.events().await, rows(&scene.memory).await);
        let (one, other) = (audited(&scene).await, audited(&scene).await);
        assert_eq!(one.digest(), other.digest());
        assert_eq!(one.groups.iter().map(|group| group.rows.len()).sum::<usize>(), 40);
        assert_eq!((scene.events().await, rows(&scene.memory).await), before);
    }

    // 64, 82, 85, 90: the whole way
    async fn what_is_approved_becomes_true_once(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[
            plain("a", "Ann drinks green tea"),
            plain("b", "Ann drinks green  tea"),
            plain("c", "Ann rides a bicycle to work"),
            memory("d", "Moved the blog to a new host; it worked", json!({"origin": "episode"})),
        ]).await;
        let sealed = all(&scene, Choice::Approve).await;
        let applied = apply(&scene, &ann(), &sealed).await.unwrap();
        assert_eq!(outcomes(&applied), [StepOutcome::Adopted, StepOutcome::Kept, StepOutcome::Adopted]);
        assert_eq!((applied.was_applied, applied.resumed, applied.unsearchable), (false, 0, 0));
        let recalled = scene.recall("green tea bicycle blog").await;
        assert_eq!(recalled.facts.len(), 2);
        assert_eq!(older(&recalled), ["Moved the blog to a new host; it worked"], "an episode, and no truth");
        assert_eq!(recalled.legacy[0].label(), "episode");
        let tea = scene.recall("tea").await.facts.remove(0);
        assert_eq!(tea.revision.evidence().count(), 2, "it cites its sibling");
        let before = scene.events().await;
        let again = apply(&scene, &ann(), &sealed).await.unwrap();
        assert!(again.was_applied);
        assert_eq!((again.steps, scene.events().await), (applied.steps.iter().map(|(done, _)| (done.clone(), None)).collect(), before));
        let census = scene.memory.census(&ann()).await.unwrap().remove(0);
        assert_eq!((census.is_reconciled, census.census.absorbed, census.census.rows()), (true, 4, 4));
        // What comes in later is not recalled before it is reviewed, and is asked about.
        bring(&scene.memory, &[plain("e", "Ann plays the cello")]).await;
        assert_eq!(older(&scene.recall("cello").await), [""; 0]);
        assert_eq!(scene.memory.census(&ann()).await.unwrap()[0].census.unclassified, 1);
        assert_eq!(audited(&scene).await.groups.len(), 1);
        scene.check().await;
    }

    // 85
    async fn rejected_rows_stay_away_and_deferred_ones_come_back(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea"), plain("b", "Ann rides a bicycle")]).await;
        let audit = audited(&scene).await;
        let mut review = decided(&audit, Choice::Reject);
        review.groups[0].note = Some(super::scene::stored("ask her"));
        let bicycle = review.groups[0].rows.iter_mut().find(|row| row.text.as_str().contains("bicycle")).unwrap();
        bicycle.decision = Some(Choice::Defer);
        let sealed = sealed(&scene, &audit, &review).await;
        apply(&scene, &ann(), &sealed).await.unwrap();
        assert_eq!(older(&scene.recall("tea bicycle").await), [""; 0]);
        let audit = audited(&scene).await;
        let row = &audit.groups[0].rows[0];
        assert_eq!((audit.groups.len(), audit.groups[0].safe), (1, false));
        assert_eq!(row.earlier.as_ref().unwrap().note.as_ref().unwrap().as_str(), "ask her");
        assert_eq!(row.legacy.text.as_str(), "Ann rides a bicycle");
        // The rejected one comes back once it has changed, and is not approved in bulk.
        bring(&scene.memory, &[plain("a", "Ann drinks green tea"), plain("a", "Ann drinks black tea")]).await;
        let audit = audited(&scene).await;
        let texts: Vec<&str> =
            audit.groups.iter().flat_map(|group| &group.rows).map(|row| row.legacy.text.as_str()).collect();
        assert_eq!(texts.len(), 2);
        assert!(!texts.contains(&"Ann drinks green tea"));
        assert!(audit.groups.iter().all(|group| !group.safe), "{:?}", told(&audit));
    }

    // 83, 84
    async fn what_changed_since_the_review_stops_it_before_anything_is_done(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea"), plain("b", "Ann rides a bicycle")]).await;
        let sealed = all(&scene, Choice::Approve).await;
        // New facts and rows do not matter.
        scene.say("something else").await;
        bring(&scene.memory, &[plain("c", "Ann plays the cello")]).await;
        let forged = "UPDATE legacy_rows SET doc = REPLACE(doc, 'green', 'black')";
        super::raw::run(&scene.store, forged).await;
        let before = (scene.events().await, decisions_of_all(&scene).await);
        let refused = apply(&scene, &ann(), &sealed).await;
        assert!(
            matches!(&refused, Err(MemoryError::Adoption(AdoptionError::Changed { rows })) if rows.len() == 1),
            "{refused:?}"
        );
        assert_eq!((scene.events().await, decisions_of_all(&scene).await), before);
        assert!(!scene.memory.census(&ann()).await.unwrap()[0].is_reconciled);
        super::raw::run(&scene.store, "UPDATE legacy_rows SET doc = REPLACE(doc, 'black', 'green')").await;
        apply(&scene, &ann(), &sealed).await.unwrap();
        assert_eq!(texts(&scene.recall("tea").await), ["Ann drinks green tea"]);
    }

    async fn two_reviews_of_the_same_rows_are_not_both_applied(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        let (one, other) = (all(&scene, Choice::Approve).await, all(&scene, Choice::Reject).await);
        apply(&scene, &ann(), &one).await.unwrap();
        let refused = apply(&scene, &ann(), &other).await;
        assert!(matches!(refused, Err(MemoryError::Adoption(AdoptionError::Changed { .. }))), "{refused:?}");
        assert_eq!(texts(&scene.recall("tea").await), ["Ann drinks green tea"]);
    }

    // undo
    async fn an_adoption_is_taken_back_as_a_unit(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[
            plain("a", "Ann drinks green tea"),
            plain("b", "Ann rides a bicycle"),
            plain("c", "Ann plays the cello"),
        ]).await;
        let known = scene.wrote(&ann(), json!({"type": "legacy.note", "content": {"text": "Ann plays the cello"}})).await;
        let sealed = all(&scene, Choice::Approve).await;
        let applied = apply(&scene, &ann(), &sealed).await.unwrap();
        let bicycle = scene.recall("bicycle").await.facts.remove(0).case.head.fact;
        scene.change(bicycle, "Ann rides a horse").await;
        let back = scene.memory.roll_back(&ann(), applied.adoption, |_| {}).await.unwrap();
        let mut told: Vec<(StepOutcome, bool)> =
            back.steps.iter().map(|(done, why)| (done.outcome, why.is_some())).collect();
        told.sort();
        assert_eq!(told, [
            (StepOutcome::TakenBack, false),
            (StepOutcome::TakenBack, false),
            (StepOutcome::Left, true),
        ]);
        assert_eq!(texts(&scene.recall("tea bicycle horse").await), ["Ann rides a horse"]);
        assert_eq!(scene.text(known.fact).await, "Ann plays the cello", "it was there before");
        let forgotten = scene.list(&ann(), State::Retracted).await;
        assert_eq!(forgotten.len(), 1);
        // Nothing is recalled as an old memory again; the rows wait for another review.
        assert_eq!(older(&scene.recall("green tea").await), [""; 0]);
        let audit = audited(&scene).await;
        let waiting: Vec<&str> =
            audit.groups.iter().flat_map(|group| &group.rows).map(|row| row.legacy.text.as_str()).collect();
        assert_eq!(waiting.len(), 2, "{waiting:?}");
        assert!(audit.groups.iter().all(|group| !group.safe || group.kind == GroupKind::LikelyDuplicates));
        let before = scene.events().await;
        assert!(scene.memory.roll_back(&ann(), applied.adoption, |_| {}).await.unwrap().was_rolled_back);
        assert_eq!(scene.events().await, before);
        let refused = apply(&scene, &ann(), &sealed).await;
        assert!(matches!(refused, Err(MemoryError::AdoptionRolledBack { .. })), "{refused:?}");
        scene.check().await;
    }

    async fn only_a_person_of_the_scope_decides(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        let audit = audited(&scene).await;
        let review = decided(&audit, Choice::Approve);
        let refused = scene.memory.seal_review(&agent(), &audit, &review).await.unwrap();
        assert!(matches!(refused, Err(NotSealable::NotAPerson)));
        let sealed = sealed(&scene, &audit, &review).await;
        for caller in [bob(), agent()] {
            assert!(matches!(apply(&scene, &caller, &sealed).await, Err(MemoryError::NotPermitted)));
        }
        assert_eq!(scene.memory.audit_legacy(&bob(), &owner()).await.unwrap().groups.len(), 0);
        let applied = apply(&scene, &operator(), &sealed).await.unwrap();
        assert!(matches!(
            scene.memory.roll_back(&bob(), applied.adoption, |_| {}).await,
            Err(MemoryError::NoSuchAdoption)
        ));
        assert!(scene.memory.adoptions(&bob()).await.unwrap().is_empty());
        assert_eq!(scene.memory.adoptions(&ann()).await.unwrap().len(), 1);
    }

    // a key that is somebody's by now, and what was forgotten
    async fn nothing_that_stands_is_overruled(store: Store) {
        let scene = Scene::on(store).await;
        let gone = scene.wrote(&ann(), json!({"type": "legacy.note", "content": {"text": "Ann smokes"}})).await;
        scene.forget(gone.fact).await;
        bring(&scene.memory, &[
            memory("a", "the port is 8001", json!({"key": "port"})),
            plain("b", "Ann smokes"),
        ]).await;
        let audit = audited(&scene).await;
        let review = decided(&audit, Choice::Approve);
        assert!(Review::of(&audit).safe_groups(&audit).unwrap().len() <= 1, "{:?}", told(&audit));
        let sealed = sealed(&scene, &audit, &review).await;
        let port = json!({"type": "legacy.note", "key": "port", "content": {"text": "the port is 9000"}});
        scene.wrote(&ann(), port).await;
        let applied = apply(&scene, &ann(), &sealed).await.unwrap();
        let refused: Vec<_> = applied.steps.iter().filter(|(_, why)| why.is_some()).collect();
        assert_eq!(refused.len(), 1);
        assert!(refused[0].1.as_ref().unwrap().contains("has its key"), "{refused:?}");
        assert_eq!(texts(&scene.recall("port").await), ["the port is 9000"]);
        // The owner approved by name what had been forgotten: it is true again.
        assert_eq!(texts(&scene.recall("smokes").await), ["Ann smokes"]);
        assert_eq!(facts(&applied), [gone.fact]);
        let audit = audited(&scene).await;
        assert!(audit.groups[0].rows[0].earlier.as_ref().unwrap().note.as_ref().unwrap().as_str().contains("has its key"));
    }

    async fn an_erased_row_is_not_brought_back_by_a_review(store: Store) {
        let scene = Scene::on(store).await;
        let row = bring(&scene.memory, &[plain("a", "canary4711 tea"), plain("b", "Ann rides a bicycle")]).await;
        let truthkeeper::Taken::New(row) = row[0] else { panic!("{row:?}") };
        let sealed = all(&scene, Choice::Approve).await;
        let cites = json!({"content": {"text": "tea"}, "evidence": [{"kind": "legacy", "id": row.to_string()}]});
        let fact = scene.wrote(&ann(), cites).await.fact;
        scene.memory.erase(&operator(), None, fact, None).await.unwrap();
        let refused = apply(&scene, &ann(), &sealed).await;
        assert!(matches!(refused, Err(MemoryError::Adoption(AdoptionError::Changed { .. }))), "{refused:?}");
        assert!(!super::erasing::holds(&super::erasing::bytes(&scene).await, b"canary4711"));
    }

    async fn a_dump_carries_adoptions(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea"), plain("b", "Ann rides a bicycle")]).await;
        let applied = apply(&scene, &ann(), &all(&scene, Choice::Approve).await).await.unwrap();
        let mut lines = Vec::new();
        let keep = |line: &str| { lines.push(line.to_owned()); Ok(()) };
        scene.memory.dump(keep, |_| {}).await.unwrap();
        let other = Store::sqlite();
        let loaded = truthkeeper::Memory::open(&other.address).await.unwrap();
        loaded.load(lines.into_iter().map(Ok), |_| {}).await.unwrap();
        assert_eq!(rows(&loaded).await, rows(&scene.memory).await);
        assert_eq!(loaded.census(&ann()).await.unwrap(), scene.memory.census(&ann()).await.unwrap());
        let back = loaded.roll_back(&ann(), applied.adoption, |_| {}).await.unwrap();
        assert!(back.steps.iter().all(|(done, _)| done.outcome == StepOutcome::TakenBack));
        let found = loaded.recall(&ann(), &Recall::query("tea bicycle")).await.unwrap();
        assert_eq!((found.facts.len(), found.legacy.len()), (0, 0));
    }

    async fn forgetting_everything_lets_go_of_them(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        scene.wrote(&ann(), says("coffee")).await;
        let forgot = scene.memory.forget_all(&ann(), None, &truthkeeper::Filter::current(), None, None).await.unwrap();
        assert_eq!((forgot.forgotten, forgot.legacy), (1, 1));
        assert_eq!(older(&scene.recall("tea").await), [""; 0]);
        assert!(rows(&scene.memory).await.is_empty());
    }

    // Whoever applies one review, it is applied once
    async fn two_who_apply_one_review_apply_it_once(store: Store) {
        let scene = Scene::on(store).await;
        let memories: Vec<Legacy> = (0..20)
            .map(|n| memory(&format!("n:{n}"), &format!("Ann has errand {n}"), json!({"key": format!("errand {n}")})))
            .collect();
        bring(&scene.memory, &memories).await;
        let sealed = all(&scene, Choice::Approve).await;
        let other = scene.opened_again().await;
        let (ann, operator) = (ann(), operator());
        let (one, two) = tokio::join!(
            scene.memory.apply_review(&ann, &sealed, |_| {}),
            other.apply_review(&operator, &sealed, |_| {})
        );
        for applied in [one.unwrap(), two.unwrap()] {
            assert!(applied.steps.iter().all(|(done, _)| done.outcome == StepOutcome::Adopted), "{applied:?}");
        }
        assert_eq!(scene.list(&ann, State::Active).await.len(), 20);
    }

    async fn of_two_reviews_at_once_one_is_applied(store: Store) {
        let scene = Scene::on(store).await;
        let memories: Vec<Legacy> = (0..20).map(|n| plain(&format!("n:{n}"), &format!("Ann has errand {n}"))).collect();
        bring(&scene.memory, &memories).await;
        let (yes, no) = (all(&scene, Choice::Approve).await, all(&scene, Choice::Reject).await);
        let other = scene.opened_again().await;
        let (ann, operator) = (ann(), operator());
        let (one, two) =
            tokio::join!(scene.memory.apply_review(&ann, &yes, |_| {}), other.apply_review(&operator, &no, |_| {}));
        assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
        let decided = rows(&scene.memory).await.into_iter().map(|row| row.standing.decision);
        assert_eq!(decided.collect::<std::collections::BTreeSet<_>>().len(), 1);
    }

    async fn what_is_taken_back_while_it_is_applied_leaves_nothing(store: Store) {
        let scene = Scene::on(store).await;
        let memories: Vec<Legacy> = (0..60).map(|n| plain(&format!("n:{n}"), &format!("Ann has errand {n}"))).collect();
        bring(&scene.memory, &memories).await;
        let sealed = all(&scene, Choice::Approve).await;
        let other = scene.opened_again().await;
        let ann = ann();
        let back = async {
            loop {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                if let Some(adoption) = other.adoptions(&ann).await.unwrap().first().cloned() {
                    return other.roll_back(&ann, adoption.adoption, |_| {}).await.unwrap();
                }
            }
        };
        let (_, back) = tokio::join!(scene.memory.apply_review(&ann, &sealed, |_| {}), back);
        assert!(back.steps.iter().all(|(_, why)| why.is_none()), "{back:?}");
        assert_eq!(scene.list(&ann, State::Active).await.len(), 0);
        let waiting: usize = audited(&scene).await.groups.iter().map(|group| group.rows.len()).sum();
        assert_eq!(waiting, 60);
        scene.check().await;
    }

    // Nobody saw the second step when the adoption was taken back: whoever does it takes it back
    async fn a_step_that_is_done_after_its_adoption_was_taken_back_leaves_nothing(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &(0..3).map(|n| plain(&format!("n:{n}"), &format!("Ann has errand {n}"))).collect::<Vec<_>>()).await;
        let sealed = all(&scene, Choice::Approve).await;
        let (ann, other) = (ann(), scene.opened_again().await);
        let back_after_the_first = |_| {
            tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(async {
                    let adoption = other.adoptions(&ann).await.unwrap()[0].adoption;
                    other.roll_back(&ann, adoption, |_| {}).await.unwrap();
                });
            });
        };
        let applied = scene.memory.apply_review(&ann, &sealed, back_after_the_first).await;
        refused!(applied, MemoryError::AdoptionRolledBack { .. });
        assert_eq!(scene.list(&ann, State::Active).await.len(), 0);
        let waiting: usize = audited(&scene).await.groups.iter().map(|group| group.rows.len()).sum();
        assert_eq!(waiting, 3);
        scene.check().await;
    }

    // What a later review decided stays when an earlier one is taken back
    async fn an_older_adoption_that_is_taken_back_leaves_the_newer_ones_decisions(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea"), plain("b", "Ann rides a bicycle")]).await;
        let audit = audited(&scene).await;
        let mut review = decided(&audit, Choice::Approve);
        let bicycle = review.groups[0].rows.iter_mut().find(|row| row.text.as_str().contains("bicycle")).unwrap();
        bicycle.decision = Some(Choice::Defer);
        let first = apply(&scene, &ann(), &sealed(&scene, &audit, &review).await).await.unwrap();
        apply(&scene, &ann(), &all(&scene, Choice::Reject).await).await.unwrap();
        scene.memory.roll_back(&ann(), first.adoption, |_| {}).await.unwrap();
        let census = scene.memory.census(&ann()).await.unwrap().remove(0).census;
        assert_eq!((census.rejected, census.unclassified), (1, 1));
    }

    async fn a_fact_that_its_owner_forgot_does_not_stand_in_the_way(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        let applied = apply(&scene, &ann(), &all(&scene, Choice::Approve).await).await.unwrap();
        scene.forget(facts(&applied)[0]).await;
        let back = scene.memory.roll_back(&ann(), applied.adoption, |_| {}).await.unwrap();
        assert_eq!(back.steps[0].0.outcome, StepOutcome::TakenBack);
    }

    // Only what was sealed here is applied
    async fn a_seal_that_somebody_made_is_none(store: Store) {
        let scene = Scene::on(store).await;
        bring(&scene.memory, &[plain("a", "Ann drinks green tea")]).await;
        let elsewhere = Scene::on(Store::sqlite()).await;
        bring(&elsewhere.memory, &[plain("a", "Ann drinks green tea")]).await;
        let sealed = all(&elsewhere, Choice::Approve).await;
        let refused = apply(&scene, &ann(), &sealed).await;
        assert!(matches!(refused, Err(MemoryError::Adoption(AdoptionError::NotSealed))), "{refused:?}");
        let audit = audited(&scene).await;
        let refused = scene.memory.seal_review(&bob(), &audit, &decided(&audit, Choice::Approve)).await;
        assert!(matches!(refused, Err(MemoryError::NotPermitted)));
    }

    // Nothing that is true is contradicted unseen
    async fn what_contradicts_the_ledger_is_not_safe(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("Ann drinks coffee in the morning").await;
        let port = json!({"type": "legacy.note", "key": "port", "content": {"text": "the port is 9000"}});
        scene.wrote(&ann(), port).await;
        bring(&scene.memory, &[
            plain("a", "Ann does not drink coffee in the morning"),
            memory("b", "the port is 8001", json!({"key": "port"})),
            plain("c", "Ann rides a bicycle"),
        ]).await;
        let audit = audited(&scene).await;
        let safe: Vec<&str> = audit
            .groups
            .iter()
            .filter(|group| group.safe)
            .flat_map(|group| group.rows.iter().map(|row| row.legacy.text.as_str()))
            .collect();
        assert_eq!(safe, ["Ann rides a bicycle"], "{:?}", told(&audit));
    }
}

async fn decisions_of_all(scene: &Scene) -> Vec<Vec<String>> {
    super::raw::select(&scene.store, "SELECT legacy, decision, adoption FROM legacy_rows ORDER BY legacy")
        .await
}
