//! Recalling as of another time: from the ledger, by the scorer of today, so that it gives the same answer again.

use std::collections::{BTreeMap, HashMap};

use embed::{EmbedError, Role};
use fact::{Admission, FactId, Timestamp, limits};
use index::{Around, Past, Row, Source, Vectors};
use ledger::{Filter, Instant, Seen};
use projection::Searching;
use recall::{Admitted, Degraded, Found, Reason, Recalled};

use crate::ask::CANDIDATES_SPARE;
use crate::orders::{Meant, Orders, queries, unscored};
use crate::{Caller, Memory, MemoryError, Mode, Recall, Times};

/// Texts of another time that are embedded for one recall, because nothing has kept their vectors.
const EMBEDDED_MAX: usize = 2_000;
/// Contents whose vectors are read together.
const VECTORS_AT_ONCE: usize = 500;

/// What the reader could see.
struct Sight {
    seen: Vec<Seen>,
    withheld: BTreeMap<Reason, usize>,
}

impl Memory {
    /// Recalls what was known and true at other times. It looks at every fact that the caller could see then, and its
    /// answer is not current truth.
    pub(crate) async fn recall_then(
        &self,
        caller: &Caller,
        recall: &Recall,
        now: Timestamp,
    ) -> Result<Recalled, MemoryError> {
        let pick = recall.pick()?;
        // Of what is still to come nothing is known.
        let known = recall.times.as_of.map(|known| known.min(now));
        let at = Times { as_of: known, ..recall.times }.instant(now);
        let Sight { seen, withheld } = self.seen_then(caller, recall, at).await?;
        let (mut degraded, mut model) = (None, None);
        let found = match recall.mode {
            Mode::List => newest_first(&seen, recall),
            Mode::Keyword | Mode::Semantic | Mode::Both => {
                let serving = self.index.serving().await.unwrap_or_default();
                let (meant, why) = self.meaning_of(recall, serving.as_deref()).await?;
                let (rows, lacking) = self.rows_then(&seen, meant.as_ref()).await;
                degraded = why.or(lacking);
                model = meant.as_ref().map(|meant| meant.model.clone());
                let reach = pick.limit + CANDIDATES_SPARE;
                orders(&Past::of(rows), caller, recall, meant.as_ref(), reach)?.found()
            }
        };
        let Admitted { mut facts, near, .. } = recall::then(&found, seen, &pick);
        if recall.mode == Mode::List {
            facts.iter_mut().for_each(|fact| fact.score = None);
        }
        Ok(Recalled { facts, near, withheld, degraded, model, then: Some(at), ..Recalled::default() })
    }

    /// Every fact that the caller could see then, whatever its kind, for each counts in the scores of the others; and how
    /// many of the kinds asked for were kept out of recall.
    async fn seen_then(&self, caller: &Caller, recall: &Recall, at: Instant) -> Result<Sight, MemoryError> {
        let mut sight = Sight { seen: Vec::new(), withheld: BTreeMap::new() };
        let (filter, mut after) = (Filter::current(), None);
        loop {
            let size = limits::PAGE_ITEMS_MAX;
            let page = self.ledger.list(&caller.reader, &filter, at, after.as_ref(), size).await?;
            page.items.into_iter().for_each(|seen| sight.take(seen, recall));
            after = page.next;
            if after.is_none() {
                return Ok(sight);
            }
        }
    }

    /// The rows that those facts had, with what they mean where that is asked for.
    async fn rows_then(&self, seen: &[Seen], meant: Option<&Meant>) -> (Vec<Row>, Option<Degraded>) {
        let mut rows: Vec<Row> = seen.iter().filter_map(row).collect();
        let Some(meant) = meant else { return (rows, None) };
        let known = self.vectors_then(&rows, &meant.model).await;
        let mut lacking = Vec::new();
        for (place, row) in rows.iter_mut().enumerate() {
            match known.get(&row.digest) {
                Some(pieces) => {
                    row.vectors.push(Vectors { model: meant.model.clone(), pieces: pieces.clone() })
                }
                None => lacking.push(place),
            }
        }
        let all = self.embed_then(&mut rows, &lacking, &meant.model).await;
        (rows, all.is_err().then_some(Degraded::NotAllEmbedded))
    }

    /// The vectors that the index has kept. Where it cannot be read, none.
    async fn vectors_then(&self, rows: &[Row], model: &str) -> HashMap<String, Vec<Vec<f32>>> {
        let digests: Vec<String> = rows.iter().map(|row| row.digest.clone()).collect();
        let mut known = HashMap::new();
        for digests in digests.chunks(VECTORS_AT_ONCE) {
            let Ok(vectors) = self.index.vectors(model, digests).await else { return known };
            let there = digests.iter().cloned().zip(vectors).filter(|(_, pieces)| !pieces.is_empty());
            known.extend(there);
        }
        known
    }

    /// Embeds what nothing has kept the vectors of.
    async fn embed_then(&self, rows: &mut [Row], lacking: &[usize], model: &str) -> Result<(), Lacking> {
        if lacking.is_empty() {
            return Ok(());
        }
        let Some(Searching { embedder, partial: false }) = self.models.searching(Some(model)).await else {
            return Err(Lacking);
        };
        for place in lacking.iter().take(EMBEDDED_MAX) {
            let row = &mut rows[*place];
            let pieces = embedder.pieces(row.text.as_str());
            match embedder.embed(Role::Passage, &pieces).await {
                Ok(pieces) => row.vectors.push(Vectors { model: model.to_owned(), pieces }),
                // Its words are all that it is found by, as they were then.
                Err(EmbedError::Final { .. }) => {}
                Err(_) => return Err(Lacking),
            }
        }
        if lacking.len() > EMBEDDED_MAX { Err(Lacking) } else { Ok(()) }
    }
}

/// Some texts have no vectors.
struct Lacking;

impl Sight {
    fn take(&mut self, seen: Seen, recall: &Recall) {
        let reason = match seen.admission {
            Admission::Admitted if seen.revision.content().is_some() => return self.seen.push(seen),
            Admission::Admitted => Reason::Erased,
            Admission::Quarantined => Reason::Quarantined,
        };
        if recall.is_of_kind(&seen.head.kind) {
            *self.withheld.entry(reason).or_default() += 1;
        }
    }
}

fn row(seen: &Seen) -> Option<Row> {
    let content = seen.revision.content()?;
    Some(Row {
        source: Source::Fact,
        fact: seen.head.fact,
        revision: seen.revision.number,
        kind: seen.head.kind.clone(),
        scope: seen.head.scope.clone(),
        digest: content.hash(),
        text: content.text(),
        around: Around::of(&seen.head.scope, &seen.revision.saying.provenance),
        vectors: Vec::new(),
    })
}

fn newest_first(seen: &[Seen], recall: &Recall) -> Vec<Found> {
    let wanted = seen.iter().filter(|seen| recall.is_of_kind(&seen.head.kind));
    let mut newest: Vec<(i64, FactId, &Seen)> =
        wanted.map(|seen| (seen.revision.position.get(), seen.head.fact, seen)).collect();
    newest.sort_by_key(|(position, fact, _)| std::cmp::Reverse((*position, *fact)));
    newest.into_iter().map(|(_, _, seen)| unscored(seen)).collect()
}

/// The orders that the mode asks for, with as many candidates as a recall of now takes: all of them may be shown.
fn orders<'a>(
    past: &Past,
    caller: &Caller,
    recall: &'a Recall,
    meant: Option<&Meant>,
    reach: usize,
) -> Result<Orders<'a>, MemoryError> {
    let (words, meaning) = queries(recall, meant, reach)?;
    let mut orders = Orders::new(recall, reach);
    if let Some(query) = words {
        orders.add_words(past.search(&caller.reader, &query)?);
    }
    if let Some(query) = meaning {
        orders.add_meaning(past.nearest(&caller.reader, &query)?);
    }
    Ok(orders)
}
