//! One fact: what it says now, its whole history, what it rests on, and what recalls showed of it.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use truthkeeper::{
    Actor, Caller, ConflictId, Ended, FactId, Head, MemoryError, ReceiptId, Refusal, Right, Seen, Times,
    Timestamp, Truth, is_owner, limits,
};

use super::assets;
use super::fields::Queried;
use super::frame::{Frame, Section, page};
use super::history::{Entry, History};
use super::said::Said;
use super::session::SignedIn;
use super::version::Version;
use super::when::When;
use crate::app::App;
use crate::fault::Fault;
use crate::input::{self, Named};
use crate::keyed::Keyed;
use crate::plain;

#[derive(Template)]
#[template(path = "fact.html")]
struct Shown {
    frame: Frame,
    fact: FactId,
    kind: Said,
    scope: Said,
    /// What is true now, or is the first that will be.
    current: Option<Version>,
    /// When that begins, where it has not.
    begins: Option<When>,
    over: Option<Over>,
    conflict: Option<ConflictId>,
    /// A conflict that was settled and can be opened again.
    settled: Option<ConflictId>,
    merged_into: Option<FactId>,
    /// The history, newest first.
    line: Vec<Entry>,
    /// From which revision on the history goes on.
    before: Option<u32>,
    recalls: Vec<Recall>,
    offers: Vec<Offer>,
}

/// How it ended.
pub(crate) struct Over {
    pub(crate) how: &'static str,
    pub(crate) at: When,
    pub(crate) by: Option<Said>,
    pub(crate) reason: Option<Said>,
}

/// A recall that showed the fact.
struct Recall {
    receipt: ReceiptId,
    at: When,
    by: Said,
    query: Option<Said>,
    revision: u32,
    score: Option<String>,
}

/// What is offered to whoever is signed in; the rules decide all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    /// Saying it anew, and forgetting it.
    Change,
    /// Vouching for it, holding it and bringing it back: a person.
    Vouch,
    /// Moving it: its owner.
    Move,
    /// Deciding whether it may be recalled: an operator.
    Admit,
    /// Settling what is contested.
    Review,
}

pub(crate) async fn show(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    Queried(fields): Queried,
) -> Result<Response, Fault> {
    let caller = signed.keyed.caller(Right::FactsRead)?;
    let before = fields.get("before").map(|text| input::version("before", text)).transpose()?;
    let history = History::of(&app, &caller, fact, before).await?;
    let frame = Frame::of(&app, &signed, Section::Memory, "A fact").await?;
    let now = frame.now;
    let current = current(&app, &caller, fact).await?;
    let over = match current {
        None => app.memory.ended(&caller, fact).await?.map(|ended| Over::of(ended, now)),
        Some(_) => None,
    };
    let head = history.head().ok_or(MemoryError::NotFound)?;
    let shown = Shown {
        fact,
        kind: Said::of(head.kind.as_str()),
        scope: Said::of(head.scope.path()),
        conflict: contested(head),
        settled: head.reopenable.as_ref().map(|settled| settled.conflict),
        begins: current
            .as_ref()
            .map(|seen| seen.revision.valid_from())
            .and_then(|from| (from > now).then(|| When::of(from, now))),
        merged_into: head.truth.merged_into(),
        before: history.before(),
        offers: offers(&signed.keyed, &caller, head),
        line: history.line(now),
        current: current.map(|seen| Version::of(&seen, now)),
        over,
        recalls: recalls(&app, &caller, fact, now).await?,
        frame,
    };
    page(&shown)
}

/// What is true now, or is the first that will be; none where nothing is.
pub(crate) async fn current(app: &App, caller: &Caller, fact: FactId) -> Result<Option<Seen>, Fault> {
    match app.memory.get(caller, fact, Times::default()).await {
        Ok(seen) => Ok(Some(seen)),
        Err(MemoryError::NotCurrent { .. }) => to_come(app, caller, fact).await,
        Err(MemoryError::Refused(Refusal::Merged { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What begins next of a fact of which nothing holds now.
async fn to_come(app: &App, caller: &Caller, fact: FactId) -> Result<Option<Seen>, Fault> {
    let now = app.memory.now(caller.tenant()).await?;
    let newest = app.memory.revisions(caller, fact, None, 1).await?;
    let reign = newest.first().and_then(|seen| seen.head.truth.reign());
    let mut starts = reign.into_iter().flat_map(|reign| reign.spans()).map(|span| span.from);
    let Some(from) = starts.find(|from| *from > now) else { return Ok(None) };
    match app.memory.get(caller, fact, Times { as_of: None, valid_at: Some(from) }).await {
        Ok(seen) => Ok(Some(seen)),
        Err(MemoryError::NotCurrent { .. } | MemoryError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The recalls among the newest that showed the fact.
async fn recalls(app: &App, caller: &Caller, fact: FactId, now: Timestamp) -> Result<Vec<Recall>, Fault> {
    let receipts = app.memory.receipts(caller, None, limits::PAGE_ITEMS_MAX).await?;
    let shown = receipts.into_iter().filter_map(|receipt| {
        let shown = receipt.given.shown.iter().find(|shown| shown.fact == fact)?;
        Some(Recall {
            receipt: receipt.receipt,
            at: When::of(receipt.recalled_at, now),
            by: Said::of(plain::actor(&receipt.given.by)),
            query: receipt.query.as_ref().map(|query| Said::of(query.as_str())),
            revision: shown.revision.get(),
            score: shown.score.map(|score| format!("{score:.3}")),
        })
    });
    Ok(shown.collect())
}

fn contested(head: &Head) -> Option<ConflictId> {
    match &head.truth {
        Truth::Contested(contest) => Some(contest.conflict),
        Truth::Settled(_) | Truth::Ended(_) => None,
    }
}

impl Over {
    pub(crate) fn of(ended: Ended, now: Timestamp) -> Self {
        match ended {
            Ended::Forgotten { at, by, reason } => Self {
                how: "forgotten",
                at: When::of(at, now),
                by: Some(Said::of(plain::actor(&by))),
                reason: reason.map(|reason| Said::of(reason.as_str())),
            },
            Ended::Expired { at } => Self { how: "ran out", at: When::of(at, now), by: None, reason: None },
        }
    }
}

impl Shown {
    fn offers(&self, offer: Offer) -> bool {
        self.offers.contains(&offer)
    }
}

fn offers(keyed: &Keyed, caller: &Caller, head: &Head) -> Vec<Offer> {
    let writes = keyed.may(Right::FactsWrite) && caller.writer.may_write(&head.scope);
    let is_operator = match caller.actor {
        Actor::Operator { .. } => true,
        Actor::User { .. } | Actor::Agent { .. } | Actor::Migration { .. } | Actor::Service { .. } => false,
    };
    let offers = [
        (Offer::Change, writes),
        (Offer::Vouch, writes && caller.actor.is_person()),
        (Offer::Move, writes && is_owner(&caller.actor, &head.scope)),
        (Offer::Admit, writes && is_operator),
        (Offer::Review, keyed.may(Right::Review)),
    ];
    offers.into_iter().filter(|(_, is_offered)| *is_offered).map(|(offer, _)| offer).collect()
}
