//! Each test's own index on each engine, and short ways to say what is in it.

use std::path::PathBuf;
use std::sync::Arc;

use fact::{Access, FactId, FactType, Id, Reader, RevisionNumber, Scope, Sight, Text};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use truthkeeper_index::{Around, Candidate, Query, Row, SearchIndex, Source, Write};
use uuid::Uuid;

/// Runs `test` with the address of an index that does not exist yet, once an engine.
pub(crate) async fn at_both<F: Future<Output = ()> + Send + 'static>(test: impl Fn(String) -> F) {
    let folder = Folder::new();
    test(folder.file()).await;
    let Some(server) = postgres_server() else {
        return;
    };
    let name = format!("tk_index_{}", Uuid::new_v4().simple());
    on_server(&server, format!("CREATE DATABASE {name}")).await;
    let outcome = tokio::spawn(test(database_address(&server, &name))).await;
    on_server(&server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
    outcome.unwrap();
}

/// Runs `test` with an empty index, once an engine.
pub(crate) async fn on_both<F: Future<Output = ()> + Send + 'static>(
    test: impl Fn(Arc<dyn SearchIndex>) -> F + Send + Sync + Copy + 'static,
) {
    at_both(move |address| async move { test(truthkeeper_index::open(&address)).await }).await;
}

fn postgres_server() -> Option<String> {
    let server = std::env::var("TRUTHKEEPER_POSTGRES").ok();
    if server.is_none() {
        let required = std::env::var("TRUTHKEEPER_REQUIRE_POSTGRES").is_ok_and(|value| value == "1");
        assert!(!required, "TRUTHKEEPER_POSTGRES must name a server on which databases may be created");
        println!("skipped on PostgreSQL: TRUTHKEEPER_POSTGRES is not set");
    }
    server
}

async fn on_server(server: &str, statement: String) {
    let mut connection = PgConnection::connect(server).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The server's address with another database.
fn database_address(server: &str, name: &str) -> String {
    let (place, settings) = server.split_once('?').unwrap_or((server, ""));
    let start = place.find("://").unwrap() + 3;
    let end = place[start..].find('/').map_or(place.len(), |slash| start + slash);
    format!("{}/{name}?{settings}", &place[..end])
}

/// A folder that goes when the test does.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Makes the folder.
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("tk_index_{}", Uuid::new_v4().simple()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// The index file in it.
    pub(crate) fn file(&self) -> String {
        self.0.join("index.db").to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

pub(crate) fn id(id: &str) -> Id {
    Id::parse("id", id).unwrap()
}

pub(crate) fn kind(kind: &str) -> FactType {
    FactType::parse(kind).unwrap()
}

/// The fact of that number; a higher one is newer.
pub(crate) fn fact(number: u128) -> FactId {
    FactId::new(Uuid::from_u128(number))
}

/// A scope of tenant `local`, such as `user:ann`.
pub(crate) fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &id("local"), path).unwrap()
}

/// Who may read what `path` names, in tenant `local`.
pub(crate) fn reader(path: &str) -> Reader {
    Reader { tenant: id("local"), sight: Sight::Within(Access::of(&scope(path))) }
}

pub(crate) fn row(number: u128, path: &str, text: &str) -> Row {
    Row {
        source: Source::Fact,
        fact: fact(number),
        revision: RevisionNumber::FIRST,
        kind: kind("note"),
        scope: scope(path),
        digest: format!("digest of {number}"),
        text: Text::stored(text.to_owned()),
        around: Around::default(),
        vectors: Vec::new(),
    }
}

pub(crate) fn put(number: u128, path: &str, text: &str) -> Write {
    Write::put(row(number, path, text))
}

pub(crate) fn remove(number: u128) -> Write {
    Write::remove(id("local"), Source::Fact, fact(number))
}

pub(crate) fn query(text: &str) -> Query {
    Query { text: Text::stored(text.to_owned()), kinds: Vec::new(), limit: 10 }
}

/// What `reader` finds.
pub(crate) async fn found(index: &Arc<dyn SearchIndex>, reader: &Reader, text: &str) -> Vec<Candidate> {
    index.search(reader, &query(text)).await.unwrap().candidates
}

/// The facts that `reader` finds, best first.
pub(crate) async fn facts(index: &Arc<dyn SearchIndex>, reader: &Reader, text: &str) -> Vec<FactId> {
    found(index, reader, text).await.iter().map(|candidate| candidate.fact).collect()
}
