//! `facts export`: the current facts as drafts that `facts import` reads.

use serde_json::{Value, json};
use truthkeeper::{Cursor, Draft, Filter, Retention, Seen, Text, Times, Trust, limits};

use crate::args::Global;
use crate::error::CliError;
use crate::out;
use crate::session::Session;
use crate::show::counted;

/// The member of a line that says who said it; the rest is a draft.
pub(crate) const ATTRIBUTION: &str = "attributedTo";

/// Prints what is current at one moment, oldest first: an import then records it in the same order.
pub(crate) async fn run(global: &Global) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    let now = session.memory.now(session.caller.tenant()).await?;
    let times = Times { as_of: Some(now), valid_at: None };
    let mut places = vec![None];
    while let Some(next) = page(&session, times, places.last().and_then(Option::as_ref)).await?.1 {
        places.push(Some(next));
    }
    let mut count = 0_u64;
    for place in places.iter().rev() {
        for seen in page(&session, times, place.as_ref()).await?.0.iter().rev() {
            if let Some(line) = line(seen) {
                out::json_line(&line.to_string())?;
                count += 1;
            }
        }
    }
    let (_, conflicts) = session.memory.conflicts(&session.caller, 0).await?;
    let left_out = match conflicts {
        0 => String::new(),
        open => format!("; open conflicts left out: {open}"),
    };
    let count = counted(count, "current fact");
    out::note(&format!("exported {count}{left_out} (`memory ledger dump` keeps the whole history)"));
    Ok(())
}

async fn page(
    session: &Session,
    times: Times,
    after: Option<&Cursor>,
) -> Result<(Vec<Seen>, Option<Cursor>), CliError> {
    let filter = Filter::current();
    let page = session.memory.list(&session.caller, &filter, times, after, limits::PAGE_ITEMS_MAX).await?;
    Ok((page.items, page.next))
}

/// A fact as a line; none where its words are erased.
fn line(seen: &Seen) -> Option<Value> {
    let mut line = draft(seen)?.to_json();
    line.as_object_mut()?.insert(ATTRIBUTION.to_owned(), json!(seen.revision.actor));
    Some(line)
}

/// The draft that says again what a revision says.
fn draft(seen: &Seen) -> Option<Draft> {
    let Seen { head, revision, state: _, admission: _ } = seen;
    let said = &revision.saying;
    let words = revision.words.as_ref()?;
    let texts = |texts: &[Text]| texts.iter().map(|text| text.as_str().to_owned()).collect::<Vec<_>>();
    Some(Draft {
        fact: None,
        expect_version: None,
        kind: Some(head.kind.as_str().to_owned()),
        scope: Some(head.scope.clone()),
        key: words.key.as_ref().map(|key| key.as_str().to_owned()),
        content: Some(revision.content()?.value().clone()),
        tags: (!words.tags.is_empty()).then(|| texts(&words.tags)),
        confidence: Some(said.confidence),
        // Nobody can hand on that somebody vouched for it.
        trust: Some(said.trust).filter(|trust| *trust != Trust::Verified),
        evidence: revision.evidence().cloned().collect(),
        retention: Some(said.retention.clone()).filter(|kept| *kept != Retention::default()),
        legal_hold: head.held,
        subjects: (!said.subjects.is_empty()).then(|| said.subjects.clone()),
        valid_from: Some(revision.valid_from()),
        valid_until: said.valid_until,
        observed_at: said.observed_at,
        reason: words.reason.as_ref().map(|reason| reason.as_str().to_owned()),
        provenance: said.provenance.clone(),
    })
}
