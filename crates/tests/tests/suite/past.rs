//! Recalling as of another time: what was known, what was true, and the same answer for ever.

use std::sync::Arc;

use serde_json::json;
use truthkeeper::{
    Block, Budget, Caller, Degraded, Embedder, FactId, Layout, Memory, MemoryError, Mode, Options, Recall,
    RevisionNumber, Times, Timestamp,
};
use truthkeeper_tests::{Engine, FewWords, Planted, on_both_engines};

use crate::faults::seed::Seed;

use super::scene::{
    DAY, SECOND, Scene, after, agent, ann, as_of, bob, local, operator, refused, says, texts, valid_at,
};

async fn then(scene: &Scene, query: &str, times: Times) -> Vec<String> {
    texts(&scene.memory.recall(&ann(), &Recall::query(query).times(times)).await.unwrap())
}

type Ids = Vec<(FactId, RevisionNumber, Option<u64>)>;

/// What one recall gave: versions in order, with their scores to the last bit.
async fn ids(memory: &Memory, caller: &Caller, recall: &Recall) -> Ids {
    let recalled = memory.recall(caller, recall).await.unwrap();
    let one = |fact: &truthkeeper::RecalledFact| {
        (fact.case.head.fact, fact.revision.number, fact.score.map(f64::to_bits))
    };
    recalled.facts.iter().map(one).collect()
}

on_both_engines! {
    async fn what_was_known_and_what_was_true_are_found_by_their_words(store: Store) {
        let scene = Scene::on(store).await;
        let before = scene.now();
        scene.pass(SECOND);
        let drink = scene.say("tea in the morning").await;
        scene.say("the morning is cold").await;
        let first = scene.recorded().await;
        scene.pass(DAY);
        scene.change(drink, "coffee in the morning").await;
        let gone = scene.say("a morning walk").await;
        let second = scene.recorded().await;
        scene.pass(DAY);
        scene.forget(gone).await;
        assert_eq!(then(&scene, "morning tea", as_of(first)).await, ["tea in the morning", "the morning is cold"]);
        let mut found = then(&scene, "morning", as_of(second)).await;
        found.sort_unstable();
        assert_eq!(found, ["a morning walk", "coffee in the morning", "the morning is cold"]);
        assert_eq!(then(&scene, "morning tea", valid_at(first)).await[0], "tea in the morning", "by what is known now");
        assert_eq!(then(&scene, "morning", as_of(before)).await, [""; 0]);
        let both = Times { as_of: Some(first), valid_at: Some(scene.now()) };
        assert_eq!(then(&scene, "tea", both).await, ["tea in the morning"], "as it was expected then");
        let list = Recall::newest().times(as_of(first));
        assert_eq!(texts(&scene.memory.recall(&ann(), &list).await.unwrap()), ["the morning is cold", "tea in the morning"]);
        let other = scene.memory.recall(&bob(), &Recall::query("morning").times(as_of(second))).await.unwrap();
        assert!(other.facts.is_empty(), "nobody else's");
        let to_come = Recall::query("morning").times(as_of(after(scene.now(), DAY)));
        let recalled = scene.memory.recall(&ann(), &to_come).await.unwrap();
        assert_eq!(recalled.then.map(|then| then.known), Some(scene.now()), "of what is to come nothing is known");
    }

    async fn it_says_that_it_is_not_current_truth_and_is_a_block_only_when_asked(store: Store) {
        let scene = Scene::on(store).await;
        let drink = scene.say("tea").await;
        let first = scene.recorded().await;
        scene.pass(SECOND);
        scene.change(drink, "coffee").await;
        let recalled = scene.memory.recall(&ann(), &Recall::query("tea").times(as_of(first))).await.unwrap();
        assert_eq!(recalled.then.map(|then| then.known), Some(first));
        assert!(Block::render(&recalled, Budget::tokens(500)).is_empty());
        let asked = Layout { past: true, ..Layout::from(Budget::tokens(500)) };
        let block = Block::render(&recalled, asked);
        assert!(block.as_str().contains("\"current_truth\":false") && block.as_str().contains("\"tea\""));
        let verified = scene.memory.verify(&ann(), None, drink, None).await.unwrap();
        let at = scene.recorded().await;
        scene.pass(SECOND);
        let recalled = scene.memory.recall(&ann(), &Recall::query("coffee").times(as_of(at))).await.unwrap();
        assert_eq!(recalled.facts[0].revision.number, verified.revision);
        let policies = vec![recalled.facts[0].case.head.kind.clone()];
        let block = Block::render(&recalled, Layout { past: true, policies, ..Layout::from(Budget::tokens(500)) });
        assert_eq!((block.policies(), block.counts()), ("", (1, 0)), "what was a policy once is none now");
    }

    async fn as_of_now_is_what_the_index_finds(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = Scene::on(store).await;
        let embedder: Arc<dyn Embedder> = model.clone();
        let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
        let scene = Scene { memory: Memory::open_with(&scene.store.address, options).await.unwrap(), ..scene };
        for text in ["green tea", "a cup of tea and milk", "espresso", "cold milk", "water", "tea tea tea", "unknown"] {
            assert!(scene.wrote(&ann(), says(text)).await.searchable);
        }
        scene.wrote(&bob(), json!({"scope": {"userId": "bob"}, "content": {"text": "tea for bob"}})).await;
        scene.pass(SECOND);
        for mode in [Mode::Keyword, Mode::Semantic, Mode::Both, Mode::List] {
            for limit in [2, 100] {
                for caller in [ann(), operator()] {
                    let recall = match mode {
                        Mode::List => Recall::newest(),
                        Mode::Keyword | Mode::Semantic | Mode::Both => Recall::query("tea with dairy").mode(mode),
                    };
                    let recall = recall.limit(limit);
                    let now = ids(&scene.memory, &caller, &recall).await;
                    let then = ids(&scene.memory, &caller, &recall.clone().times(as_of(scene.now()))).await;
                    assert_eq!(then, now, "{mode:?}");
                    assert!(!now.is_empty());
                }
            }
        }
    }

    async fn meaning_is_known_of_what_no_row_has_any_more(store: Store) {
        let model = Arc::new(FewWords::named("one"));
        let scene = Scene::on(store).await;
        let embedder: Arc<dyn Embedder> = model.clone();
        let options = Options { clock: scene.clock(), embedder: Some(embedder), ..Options::default() };
        let scene = Scene { memory: Memory::open_with(&scene.store.address, options).await.unwrap(), ..scene };
        let drink = scene.say("espresso").await;
        let first = scene.recorded().await;
        scene.pass(SECOND);
        scene.change(drink, "water").await;
        let recall = Recall::query("coffee").mode(Mode::Semantic).times(as_of(first)).limit(1);
        assert_eq!(texts(&scene.memory.recall(&ann(), &recall).await.unwrap()), ["espresso"]);
        model.plant(Planted::Outage);
        let both = Recall::query("espresso coffee").mode(Mode::Both).times(as_of(first));
        let recalled = scene.memory.recall(&ann(), &both).await.unwrap();
        assert_eq!((texts(&recalled), recalled.degraded), (vec!["espresso".to_owned()], Some(Degraded::EmbedderUnreachable)));
    }

    async fn admission_is_that_of_then(store: Store) {
        let scene = Scene::on(store).await;
        let tea = scene.say("tea").await;
        let free = scene.recorded().await;
        scene.pass(SECOND);
        scene.memory.quarantine(&operator(), None, tea).await.unwrap();
        let kept = scene.recorded().await;
        scene.pass(SECOND);
        scene.memory.admit(&operator(), None, tea).await.unwrap();
        scene.change(tea, "coffee").await;
        assert_eq!(then(&scene, "tea", as_of(free)).await, ["tea"]);
        assert_eq!(then(&scene, "tea", as_of(kept)).await, [""; 0]);
        let recalled = scene.memory.recall(&ann(), &Recall::query("tea").times(as_of(kept))).await.unwrap();
        assert_eq!(recalled.withheld.get(&truthkeeper::Reason::Quarantined), Some(&1));
    }

    async fn a_receipt_can_be_asked_again(store: Store) {
        let scene = Scene::on(store).await;
        let (tea, also) = (scene.say("green tea").await, scene.say("tea with milk").await);
        // The next event may have the time of this recall: it is the ledger's place that counts.
        let id = scene.recall("tea").await.receipt.unwrap();
        scene.say("more tea").await;
        scene.pass(DAY);
        scene.change(tea, "cocoa").await;
        scene.forget(also).await;
        let replay = scene.memory.replay(&ann(), id).await.unwrap();
        assert!(replay.is_same(), "{replay:?}");
        assert_eq!(replay.then, replay.again, "scores too");
        scene.memory.erase(&ann(), None, also, None).await.unwrap();
        let replay = scene.memory.replay(&ann(), id).await.unwrap();
        assert_eq!((replay.is_same(), replay.then.len(), replay.again.len()), (false, 2, 1), "but for what was erased");
        let list = scene.newest().await.receipt.unwrap();
        scene.say("newer").await;
        assert!(scene.memory.replay(&ann(), list).await.unwrap().is_same());
        scene.memory.forget_query(&ann(), id).await.unwrap();
        refused!(scene.memory.replay(&ann(), id).await, MemoryError::QueryForgotten);
        refused!(scene.memory.replay(&bob(), list).await, MemoryError::NoSuchReceipt);
        let past = Recall::query("tea").times(valid_at(after(scene.now(), -DAY)));
        let id = scene.memory.recall(&ann(), &past).await.unwrap().receipt.unwrap();
        scene.say("tea again").await;
        assert!(scene.memory.replay(&ann(), id).await.unwrap().is_same());
    }

    // a thousand recalls of random times, repeated after heavy change, give the same versions in the same order
    async fn a_thousand_recalls_as_of_then_are_the_same_for_ever(store: Store) {
        let recalls = if store.engine() == Engine::Sqlite { 1_000 } else { 100 };
        let scene = Scene::on(store).await;
        let mut seed = Seed::new(7);
        let mut times: Vec<Timestamp> = Vec::new();
        live(&scene, &mut seed, 60, &mut times).await;
        let mut asked = Vec::new();
        for _ in 0..recalls {
            let recall = drawn(&mut seed, &times);
            let found = ids(&scene.memory, &ann(), &recall).await;
            asked.push((recall, found));
        }
        assert!(asked.iter().filter(|(_, found)| found.len() > 1).count() > recalls / 4, "most find something");
        live(&scene, &mut seed, 60, &mut Vec::new()).await;
        scene.memory.rebuild(|_| {}).await.unwrap();
        scene.memory.rebuild_index(&local(), |_| {}).await.unwrap();
        for (recall, found) in asked {
            assert_eq!(ids(&scene.memory, &ann(), &recall).await, found, "{recall:?}");
        }
        scene.check().await;
    }
}

const WORDS: [&str; 8] = ["tea", "coffee", "milk", "cup", "morning", "cold", "green", "walk"];

fn place(seed: &mut Seed, of: usize) -> usize {
    usize::try_from(seed.below(u64::try_from(of).unwrap())).unwrap()
}

fn words(seed: &mut Seed) -> String {
    let count = 1 + place(seed, 3);
    let words: Vec<&str> = (0..count).map(|_| WORDS[place(seed, WORDS.len())]).collect();
    words.join(" ")
}

/// Something is written, changed, doubted, settled, forgotten or brought back, again and again.
async fn live(scene: &Scene, seed: &mut Seed, steps: u32, times: &mut Vec<Timestamp>) {
    let mut facts = Vec::new();
    for _ in 0..steps {
        scene.pass(SECOND);
        let text = format!("{} {}", words(seed), seed.below(50));
        let draft = |fact: FactId| json!({"fact": fact, "content": {"text": text}});
        let known = |seed: &mut Seed| (!facts.is_empty()).then(|| facts[place(seed, facts.len())]);
        match (seed.below(8), known(seed)) {
            (0..3, _) | (_, None) => facts.push(scene.wrote(&ann(), says(&text)).await.fact),
            (3, Some(fact)) => drop(scene.write(&ann(), draft(fact)).await),
            (4, Some(fact)) => drop(scene.write(&agent(), draft(fact)).await),
            (5, Some(fact)) => drop(scene.memory.forget(&ann(), None, fact, None, None).await),
            (6, Some(fact)) => drop(scene.memory.restore(&ann(), None, fact, None).await),
            (_, Some(_)) => {
                if let Some(open) = scene.memory.conflicts(&ann(), 1).await.unwrap().0.first() {
                    let keep = truthkeeper::Ruling::Keep(RevisionNumber::FIRST);
                    drop(scene.memory.settle(&ann(), None, (open.conflict, open.version), keep, None).await);
                }
            }
        }
        times.push(scene.recorded().await);
    }
}

fn drawn(seed: &mut Seed, times: &[Timestamp]) -> Recall {
    let known = times[place(seed, times.len())];
    let valid = (seed.once_in(3)).then(|| times[place(seed, times.len())]);
    let recall = if seed.once_in(5) { Recall::newest() } else { Recall::query(words(seed)) };
    recall.times(Times { as_of: Some(known), valid_at: valid }).limit(1 + place(seed, 11))
}
