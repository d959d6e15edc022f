//! What a memory says when it is asked everything, and how two such answers are compared.

use std::collections::BTreeMap;

use fact::{Head, Revision, State, Timestamp};
use truthkeeper::{Caller, Cursor, FactId, Filter, Memory, MemoryError, Recall, Recalled, Seen, Times};

use super::super::scene::{admin, ann, as_of};

/// A revision as it was shown. The state is none where it was recalled: then it is the truth of now.
type Shown = (Head, Revision, Option<State>);

/// What was shown, by the question. Where the answer was a refusal, nothing was.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers(BTreeMap<String, Vec<Shown>>);

impl Answers {
    /// Asks for each fact, and for lists, now and as of `before`.
    pub(super) async fn of(memory: &Memory, facts: &[FactId], before: Timestamp) -> Self {
        let mut answers = BTreeMap::new();
        let mut put = |question: String, shown: Result<Vec<Shown>, MemoryError>| {
            answers.insert(question, shown.unwrap_or_default());
        };
        let times = [("now", Times::default()), ("known then", as_of(before))];
        for fact in facts {
            for (name, times) in times {
                let seen = memory.get(&admin(), *fact, times).await;
                put(format!("get {fact} {name}"), seen.map(|seen| vec![shown(seen)]));
            }
            let revisions = memory.revisions(&admin(), *fact, None, 100).await;
            put(format!("revisions of {fact}"), revisions.map(all_shown));
        }
        for (who, caller) in [("ann", ann()), ("admin", admin())] {
            for state in State::ALL {
                for (name, times) in times {
                    put(
                        format!("list {state:?} {name} for {who}"),
                        list(memory, &caller, state, times).await,
                    );
                }
            }
            for (name, recall) in recalls(before) {
                put(format!("recall {name} for {who}"), memory.recall(&caller, &recall).await.map(recalled));
            }
        }
        Self(answers)
    }

    /// Each list and each recall shows something.
    pub(super) fn assert_full(&self) {
        let lists = self.0.iter().filter(|(question, _)| !question.starts_with("get"));
        let empty: Vec<_> =
            lists.filter(|(_, shown)| shown.is_empty()).map(|(question, _)| question).collect();
        assert!(empty.is_empty(), "{empty:?}");
    }

    /// What is answered here and not in `right`. What is withheld is no wrong answer.
    pub(super) fn wrong(&self, right: &Self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (question, shown) in &self.0 {
            let right = &right.0[question];
            for one in shown.iter().filter(|one| !right.contains(one)) {
                let fit = right.iter().find(|other| other.0.fact == one.0.fact);
                wrong.push(format!("{question}: {}", differs(one, fit)));
            }
        }
        wrong
    }
}

/// What differs, without words.
fn differs(one: &Shown, right: Option<&Shown>) -> String {
    let Some(right) = right else { return format!("{} was not to be shown", one.0.fact) };
    let pairs = |shown: &Shown| format!("{shown:?}");
    let (one, right) = (pairs(one), pairs(right));
    let same = one.chars().zip(right.chars()).take_while(|(one, right)| one == right).count();
    let part = |text: &str| text.chars().skip(same.saturating_sub(80)).take(140).collect::<String>();
    format!("…{}… and not …{}…", part(&one), part(&right))
}

fn recalls(before: Timestamp) -> [(&'static str, Recall); 3] {
    let query = "what does Ann like, drink or play, and where does she live";
    [
        ("newest", Recall::newest().limit(100)),
        ("by words", Recall::query(query).limit(100)),
        ("then", Recall::query(query).limit(100).times(as_of(before))),
    ]
}

async fn list(
    memory: &Memory,
    caller: &Caller,
    state: State,
    times: Times,
) -> Result<Vec<Shown>, MemoryError> {
    let filter = Filter { state, ..Filter::current() };
    let (mut all, mut next) = (Vec::new(), None::<Cursor>);
    loop {
        let page = memory.list(caller, &filter, times, next.as_ref(), 100).await?;
        all.extend(all_shown(page.items));
        match page.next {
            Some(cursor) if all.len() < 1_000 => next = Some(cursor),
            Some(_) | None => return Ok(all),
        }
    }
}

fn all_shown(seen: Vec<Seen>) -> Vec<Shown> {
    seen.into_iter().map(shown).collect()
}

fn shown(Seen { head, revision, state, admission: _ }: Seen) -> Shown {
    (head, recorded(revision), Some(state))
}

/// A revision as it was recorded. What later events added to it (evidence, an admission) is found by an index, and one
/// that a damaged entry hides is missed: what it says is right, and the check names the entry.
fn recorded(revision: Revision) -> Revision {
    let (added_evidence, merged_evidence, admissions) = (Vec::new(), Vec::new(), Vec::new());
    Revision { added_evidence, merged_evidence, admissions, ..revision }
}

fn recalled(recalled: Recalled) -> Vec<Shown> {
    recalled.facts.into_iter().map(|fact| (fact.case.head, recorded(fact.revision), None)).collect()
}
