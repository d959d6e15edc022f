//! No statement that every call runs walks a whole tenant: each finds its rows by an index of its own.

use sqlx::{AssertSqlSafe, Row as _};
use truthkeeper_tests::Store;

use super::raw;
use super::scene::Scene;

/// Statements of single facts or of what a reader may see, run on every write, read or recall.
const POINT_STATEMENTS: [(&str, &str); 28] = [
    ("content_erase", include_str!("../../../ledger/src/sql/content_erase.sql")),
    ("erasure_find", include_str!("../../../ledger/src/sql/erasure_find.sql")),
    ("fact_events", include_str!("../../../ledger/src/sql/fact_events.sql")),
    ("head_as_of", include_str!("../../../ledger/src/sql/head_as_of.sql")),
    ("head_in_slot", include_str!("../../../ledger/src/sql/head_in_slot.sql")),
    ("head_read", include_str!("../../../ledger/src/sql/head_read.sql")),
    ("heads_saying", include_str!("../../../ledger/src/sql/heads_saying.sql")),
    ("conflicts_within", include_str!("../../../ledger/src/sql/conflicts_within.sql")),
    ("heads_unsearchable", include_str!("../../../ledger/src/sql/heads_unsearchable.sql")),
    ("legacy_find", include_str!("../../../ledger/src/sql/legacy_find.sql")),
    ("legacy_recallable", include_str!("../../../ledger/src/sql/legacy_recallable.sql")),
    ("legacy_recallable_of", include_str!("../../../ledger/src/sql/legacy_recallable_of.sql")),
    ("legacy_of_owner", include_str!("../../../ledger/src/sql/legacy_of_owner.sql")),
    ("legacy_decide", include_str!("../../../ledger/src/sql/legacy_decide.sql")),
    ("legacy_uncite", include_str!("../../../ledger/src/sql/legacy_uncite.sql")),
    ("operations_due", include_str!("../../../ledger/src/sql/operations_due.sql")),
    ("key_find", include_str!("../../../ledger/src/sql/key_find.sql")),
    ("receipts_expire", include_str!("../../../ledger/src/sql/receipts_expire.sql")),
    ("heads_within", include_str!("../../../ledger/src/sql/heads_within.sql")),
    ("list_within", include_str!("../../../ledger/src/sql/list_within.sql")),
    ("operation_of", include_str!("../../../ledger/src/sql/operation_of.sql")),
    ("request_find", include_str!("../../../ledger/src/sql/request_find.sql")),
    ("revision_events", include_str!("../../../ledger/src/sql/revision_events.sql")),
    ("revision_states", include_str!("../../../ledger/src/sql/revision_states.sql")),
    ("revision_turn", include_str!("../../../ledger/src/sql/revision_turn.sql")),
    ("revision_valid_at", include_str!("../../../ledger/src/sql/revision_valid_at.sql")),
    ("truth_next", include_str!("../../../ledger/src/sql/truth_next.sql")),
    ("truths_since", include_str!("../../../ledger/src/sql/truths_since.sql")),
];

#[tokio::test]
async fn sqlite_finds_a_fact_without_walking_its_tenant() {
    let store = Store::sqlite();
    let scene = Scene::on(store).await;
    let mut connection = raw::connect(&scene.store).await;
    for (name, statement) in POINT_STATEMENTS {
        let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        for row in sqlx::query(explain).fetch_all(&mut connection).await.unwrap() {
            let detail: String = row.get(3);
            let walks = detail.starts_with("SCAN") || detail.ends_with("(tenant=?)");
            let is_of_readers =
                ["CONSTANT ROW", "wanted", "w", "s", "p"].iter().any(|few| detail == format!("SCAN {few}"));
            let walks = walks && !is_of_readers;
            assert!(!walks, "{name}: {detail}");
        }
    }
}
