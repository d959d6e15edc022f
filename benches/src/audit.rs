//! The audit of legacy rows, its review and its seal, beside the digests of the same rows.

use std::time::Instant;

use fact::{Actor, Content, FactId, Id, Legacy, LegacyOrigin, LegacySource, Scope, Text, Timestamp};
use reconcile::{AuditRow, Choice, Review, audit, plan, seal};
use serde_json::json;
use uuid::Uuid;

use crate::Outcome;
use crate::seed::Seed;
use crate::store::tenant;

const FIRST_SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Meanings of real models have as many numbers; they are compared up to 4,000 rows.
const SIZE: usize = 384;
/// Words of a row: sentences, and paragraphs.
const WORDS: [usize; 3] = [4, 8, 30];

pub(crate) fn run(count: usize) -> Outcome {
    for words in WORDS {
        let rows = rows(count, words);
        let start = Instant::now();
        for row in &rows {
            std::hint::black_box(Content::parse(json!({"text": row.legacy.text.as_str()}))?.hash());
        }
        let baseline = start.elapsed();
        let now = Timestamp::from_micros(1);
        let start = Instant::now();
        let audited = audit(&rows, now);
        let took = start.elapsed();
        println!("{count} rows of {words} words, {} groups", audited.groups.len());
        println!("  digests:           {baseline:8.1?}");
        println!(
            "  audit:             {took:8.1?}   {:.1} of the digests",
            took.as_secs_f64() / baseline.as_secs_f64()
        );
        let start = Instant::now();
        let mut review = Review::parse(&Review::of(&audited).render())?;
        println!("  review and back:   {:8.1?}", start.elapsed());
        let start = Instant::now();
        for group in &mut review.groups {
            group.decision = Choice::Defer;
        }
        let sealed = seal(&audited, &review, Actor::Operator { id: Id::parse("operator", "bench")? }, now)?;
        println!("  seal and plan:     {:8.1?}, {} steps", start.elapsed(), plan(&sealed).len());
    }
    Ok(())
}

fn rows(count: usize, words: usize) -> Vec<AuditRow> {
    let mut seed = Seed::new(FIRST_SEED);
    let numbers = (1_u128..).take(count);
    let row = |number| AuditRow {
        row: FactId::new(Uuid::from_u128(number)),
        scope: Scope::tenant(tenant()),
        legacy: Legacy::new(
            LegacySource::Markdown,
            LegacyOrigin::Explicit,
            Text::stored(format!("notes.md:{number}")),
            Text::stored(seed.words(words)),
        ),
        digest: format!("{number:064x}"),
        earlier: None,
        known: None,
        meaning: seed.vector(SIZE),
    };
    numbers.map(row).collect()
}
