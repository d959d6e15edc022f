//! JSON: mem0's exports, lines of a graph, and our own plain form.

use fact::LegacySource;

use crate::shown::check;

#[test]
fn mem0_lists() {
    check(LegacySource::Mem0, "e.json", br#"[{"id": "1", "text": "a"}, {"memory": "b"}, {"id": 3, "data": ""}, {"id": "1", "memory": "c"}, {"id": "4"}, {"id": "5", "memory": 7}, null]"#, "
            1 | a | extracted
            :2 | b | extracted
            skipped 3: it says nothing
            skipped 1: the same row stands in the source before
            refused 4: text: is not there: expected data, memory, text or content
            refused 5: text: must be a string
            refused :7: memory: must be an object
        ");
    check(LegacySource::Mem0, "e.json", br#"{"results": {"results": [{"id": "1", "memory": "a"}]}, "relations": [{"source": "mia", "relationship": "lives_in", "target": "porto"}, {"source": "mia", "relationship": "knows", "destination": "ana"}, {}]}"#, "
            1 | a | extracted
            relations:1 | mia lives in porto | extracted
            relations:2 | mia knows ana | extracted
            refused relations:3: relation: must have source, relationship and target
        ");
    check(LegacySource::Mem0, "e.json", br#"{"memories": []}"#, "");
}

#[test]
fn mem0_fields() {
    check(LegacySource::Mem0, "e.json", br#"[{"id": "1", "memory": "a", "user_id": "mia", "agent_id": "desk", "categories": ["x", "y", 1], "created_at": "2026-05-01T10:00:00", "metadata": {"source": "chat", "confidence": "0.5", "category": "food & drink", "type": "acme.preference"}, "expiration_date": "2027-01-01"}]"#, "
            1 | a | unknown | kind=acme.preference | tags=food & drink,x,y | owner=mia | confidence=0.5 | malformed=source,categories,created_at,expiration_date
        ");
    check(LegacySource::Mem0, "e.json", br#"[{"id": "1", "memory": "a", "user_id": null, "agent_id": 7, "updated_at": "2026-05-01T10:00:00.123456-07:00", "tags": "x, y,", "confidence": -1, "source": "explicit", "metadata": null}]"#, "
            1 | a | explicit | tags=x,y | owner=7 | written=2026-05-01T17:00:00.123Z | malformed=confidence
        ");
    check(LegacySource::Mem0, "e.json", br#"[{"id": "1", "memory": "a", "owner": " mia", "user_id": ["mia"], "tags": {"a": 1}, "project": {"id": 1}, "confidence": true, "updated_at": 1777629600}]"#, "
            1 | a | extracted | owner=mia | malformed=tags,project,confidence,updated_at
        ");
}

#[test]
fn mem0_scopes() {
    let row = |scope: &str, project: &str| {
        format!(r#"[{{"id": "1", "memory": "a", "scope": {scope}, "project": {project}}}]"#)
    };
    let check = |scope: &str, project: &str, expected: &str| {
        check(
            LegacySource::Mem0,
            "e.json",
            row(scope, project).as_bytes(),
            &format!("1 | a | extracted{expected}"),
        );
    };
    check("\"global\"", "null", "");
    check("\"project\"", "\"atlas\"", " | project=atlas");
    check("\"project\"", "null", " | malformed=scope");
    check("\"project:atlas\"", "null", " | project=atlas");
    check("\"project:atlas\"", "\"atlas\"", " | project=atlas");
    check("\"project:atlas\"", "\"other\"", " | project=other | malformed=scope");
    check("\"task\"", "\"atlas\"", " | project=atlas | malformed=scope");
    check("7", "null", " | malformed=scope");
}

#[test]
fn mem0_episodes_and_bookkeeping() {
    check(LegacySource::Mem0, "e.json", br#"[{"id": "1", "source": "episode", "goal": "g", "outcome_quality": 3, "actors": ["a", {"b": 1}, "c"], "lessons": []}, {"id": "2", "source": "episode"}, {"id": "3", "data": "Mia", "linked_memory_ids": ["1"]}, {"id": "4", "type": "user_identity"}, {"id": "5", "source": "episode", "data": "whole", "goal": "g"}, {"id": "6", "source": "episode", "data": "", "goal": "g"}]"#, r#"
            1 | Goal: g\nOutcome quality: 3\nActors: a; c | episode
            refused 2: text: is not there: expected data, memory, text or content
            skipped 3: data that the program keeps for itself
            skipped 4: data that the program keeps for itself
            5 | whole | episode
            6 | Goal: g | episode
        "#);
}

#[test]
fn one_damaged_memory_does_not_stop_the_rest() {
    check(
        LegacySource::Mem0,
        "e.json",
        b"[{\"id\": \"1\", \"memory\": \"t\xffa\"}, {\"id\": \"2\", \"memory\": \"tea\", \"user_id\": \"\xff\"}]",
        "
            refused 1: text: must be a string
            2 | tea | extracted | malformed=user_id
        ",
    );
    check(
        LegacySource::Mem0,
        "e.json",
        br#"[{"id": "1", "memory": "cut \ud83d"}, {"id": "2", "memory": "\ud83c\udf75 \\ud83d NaN \"", "confidence": NaN, "created_at": -Infinity}, {"id": "3", "memory": "\udf75\ud83c"}]"#,
        r#"
            refused 1: text: must be a string
            2 | 🍵 \ud83d NaN " | extracted | malformed=confidence,created_at
            refused 3: text: must be a string
        "#,
    );
    check(
        LegacySource::Ndjson,
        "rows.ndjson",
        br#"{"text": "a", "confidence": Infinity}"#,
        "
            :1 | a | explicit | malformed=confidence
        ",
    );
    check(LegacySource::Mem0, "e.json", b"[{\"id\": \"1\", \"memory\": \"a\\", "
            PATH is not of this source: expected a JSON list of memories, an object with `results` or `memories`, or a SQLite file with a table `history` (id, memory_id, new_memory, event, created_at, updated_at, is_deleted)
        ");
}

#[test]
fn mem0_of_another_form() {
    check(LegacySource::Mem0, "e.json", br#"{"facts": []}"#, "
            PATH is not of this source: expected a JSON list of memories, an object with `results` or `memories`, or a SQLite file with a table `history` (id, memory_id, new_memory, event, created_at, updated_at, is_deleted)
        ");
    check(LegacySource::Mem0, "e.json", b"{\"results\": [", "
            PATH is not of this source: expected a JSON list of memories, an object with `results` or `memories`, or a SQLite file with a table `history` (id, memory_id, new_memory, event, created_at, updated_at, is_deleted)
        ");
    check(LegacySource::Mem0, "e.json", b"", "
            PATH is not of this source: expected a JSON list of memories, an object with `results` or `memories`, or a SQLite file with a table `history` (id, memory_id, new_memory, event, created_at, updated_at, is_deleted)
        ");
}

#[test]
fn a_graph_line_by_line() {
    check(
        LegacySource::McpMemory,
        "memory.jsonl",
        b"{\"type\":\"relation\",\"from\":\"B\",\"to\":\"A\",\"relationType\":\"knows\"}\n\n{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"\",\"observations\":[\"x\",\"x\",\"\",7]}\r\n{\"type\":\"entity\",\"name\":\"B\",\"observations\":[]}\n{\"type\":\"entity\",\"name\":\"\",\"observations\":[]}\n{\"type\":\"entity\",\"name\":\"C\"}\n{\"type\":\"relation\",\"from\":\"A\",\"to\":\"Z\",\"relationType\":\"knows\"}\n{\"type\":\"relation\",\"from\":\"A\"}\n{\"type\":\"note\"}\nnot json\n[1]\n\xff\n{\"type\":\"relation\",\"from\":\"B\",\"to\":\"A\",\"relationType\":\"knows\"}",
        "
            B/knows/A | B knows A | extracted
            skipped :2: it says nothing
            A#1 | A: x | extracted
            skipped A#2: the same row stands in the source before
            skipped A#3: it says nothing
            refused A#4: observations: must be strings
            skipped B: an entity of which nothing was observed
            refused :5: name: must be a string with words
            refused :6: observations: must be a list
            skipped A/knows/Z: a relation of an entity that is not there
            refused :8: relation: must have from, to and relationType with words
            refused :9: type: must be entity or relation
            refused :10: line: must be one JSON object
            refused :11: line: must be one JSON object
            refused :12: line: is not UTF-8
            skipped B/knows/A: the same row stands in the source before
        ",
    );
    check(LegacySource::McpMemory, "memory.jsonl", b"", "");
    check(
        LegacySource::McpMemory,
        "memory.jsonl",
        b"{\"a\": 1}\n",
        r#"PATH is not of this source: expected lines of JSON, each {"type": "entity", "name", "entityType", "observations"} or {"type": "relation", "from", "to", "relationType"}"#,
    );
}

#[test]
fn our_own_form() {
    check(
        LegacySource::Ndjson,
        "rows.ndjson",
        b"\xef\xbb\xbf{\"text\": \"Mia drinks tea\", \"id\": \"1\", \"type\": \"acme.preference\", \"key\": \"drink\", \"tags\": [\"tea\"], \"origin\": \"explicit\", \"owner\": \"mia\", \"project\": \"atlas\", \"confidence\": 0.9, \"writtenAt\": \"2026-05-01T10:00:00Z\", \"validFrom\": \"2026-05-01T10:00:00+02:00\", \"validUntil\": \"2027-05-01T10:00:00Z\"}\r\n\n{\"text\": \"alone\"}\n{\"text\": \"\"}\n{\"id\": \"2\"}\n{\"text\": 7}\n{\"text\": \"a\", \"texts\": \"b\"}\n{\"text\": \"a\", \"id\": \"1\"}\n{\"text\": \"a\", \"id\": [1], \"type\": \"a b\", \"key\": \" k\", \"tags\": \"x\", \"origin\": \"new\", \"owner\": true, \"confidence\": 1.01, \"writtenAt\": \"2026-05-01\", \"validFrom\": null, \"validUntil\": \"\"}\n{\"text\": \"a\\u0000b\"}\n{",
        "
            1 | Mia drinks tea | explicit | kind=acme.preference | key=drink | tags=tea | owner=mia | project=atlas | confidence=0.9 | written=2026-05-01T10:00:00.000Z | from=2026-05-01T08:00:00.000Z | until=2027-05-01T10:00:00.000Z
            skipped :2: it says nothing
            :3 | alone | explicit
            refused :4: text: must not be empty or blank
            refused 2: text: is not there
            refused :6: text: must be a string
            refused :7: texts: is no field of a row
            skipped 1: the same row stands in the source before
            :9 | a | unknown | key=k | tags=x | malformed=origin,type,owner,confidence,writtenAt,id
            refused :10: text: must not contain a NUL character
            refused :11: line: must be one JSON object
        ",
    );
    check(LegacySource::Ndjson, "rows.ndjson", b"a,b\n1,2\n", "
            PATH is not of this source: expected lines of JSON, each an object with `text`, and any of id, type, key, tags, origin, owner, project, confidence, writtenAt, validFrom, validUntil
        ");
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_go_on() {
    let content =
        format!("{{\"text\": \"a\"}}\n{{\"text\": \"{}\"}}\n{{\"text\": \"b\"}}", "x".repeat(16 << 20));
    check(
        LegacySource::Ndjson,
        "rows.ndjson",
        content.as_bytes(),
        "
            :1 | a | explicit
            refused :2: line: has more than 16777216 bytes
            :3 | b | explicit
        ",
    );
}

#[test]
fn a_place_that_is_too_long_is_cut() {
    let content = format!(
        "[{{\"id\": \"{}\", \"memory\": \"a\"}}, {{\"id\": \"a\\nb\", \"memory\": \"b\"}}]",
        "i".repeat(2_000)
    );
    check(LegacySource::Mem0, "e.json", content.as_bytes(), "
            iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii~0c57396a6f29ba62475c841060aace34 | a | extracted
            a b~7e18f737311b2dc3b2f269dd78396b03 | b | extracted
        ");
}
