//! Lists of revisions, newest first, filtered by reader before any limit.

use fact::{
    BadInput, FactType, Head, Position, Reader, RevisionNumber, Scope, State, Text, Timestamp, Truth,
    canonical, hex, limits,
};
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::read::{self, Instant, Seen};
use crate::{Ledger, find, row};

/// Rows taken at a time while a page fills.
const BATCH_ROWS: i64 = 256;

/// Which revisions to list.
#[derive(Debug, Clone)]
pub struct Filter {
    /// Only this kind of fact.
    pub kind: Option<FactType>,
    /// Only facts of exactly this scope.
    pub scope: Option<Scope>,
    /// Only facts with this key.
    pub key: Option<Text>,
    /// Only revisions with this tag.
    pub tag: Option<Text>,
    /// Only revisions in this state.
    pub state: State,
}

impl Filter {
    /// Every current fact.
    pub fn current() -> Self {
        Self { kind: None, scope: None, key: None, tag: None, state: State::Active }
    }

    /// The facts that the words of a request name, in that state: a kind, a key, a tag.
    pub fn parse(
        kind: Option<&str>,
        key: Option<&str>,
        tag: Option<&str>,
        scope: Option<Scope>,
        state: State,
    ) -> Result<Self, BadInput> {
        let name = |field, given: Option<&str>, most| {
            given.map(|name| Text::parse_name(field, name, most)).transpose()
        };
        Ok(Self {
            kind: kind.map(FactType::parse).transpose()?,
            scope,
            key: name("key", key, limits::KEY_CHARS_MAX)?,
            tag: name("tag", tag, limits::TAG_CHARS_MAX)?,
            state,
        })
    }

    /// Whether it names a revision, its state left aside.
    pub fn names(&self, seen: &Seen) -> bool {
        let Self { kind, scope, key, tag, state: _ } = self;
        let words = seen.revision.words.as_ref();
        let has_key = |key: &Text| words.and_then(|words| words.key.as_ref()) == Some(key);
        let has_tag = |tag: &Text| words.is_some_and(|words| words.tags.contains(tag));
        kind.as_ref().is_none_or(|kind| *kind == seen.head.kind)
            && scope.as_ref().is_none_or(|scope| *scope == seen.head.scope)
            && key.as_ref().is_none_or(has_key)
            && tag.as_ref().is_none_or(has_tag)
    }

    /// A short digest of it, so that a cursor belongs to one filter.
    fn digest(&self, reader: &Reader, of: &str) -> String {
        let Self { kind, scope, key, tag, state } = self;
        let image = canonical(&(&reader.tenant, of, kind, scope, key, tag, state));
        hex(&Sha256::digest(image)[..8])
    }
}

/// A place in a list, bound to the filter it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor(String);

impl Cursor {
    fn new(position: Position, digest: &str) -> Self {
        Self(format!("{:016x}{digest}", position.get()))
    }

    /// Wraps what a caller sends back; it is checked where it is used.
    pub fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// As it is given to callers.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn position(&self, digest: &str) -> Result<i64, BadInput> {
        let bad = || BadInput::new("cursor", "does not belong to this list");
        let (place, bound) = self.0.split_at_checked(16).ok_or_else(bad)?;
        if bound != digest {
            return Err(bad());
        }
        let is_ours = place.bytes().all(|byte| byte.is_ascii_hexdigit());
        i64::from_str_radix(place, 16).ok().filter(|_| is_ours).ok_or_else(bad)
    }
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The revisions, newest first.
    pub items: Vec<Seen>,
    /// Where the next page begins; none when this was the last.
    pub next: Option<Cursor>,
}

/// Why a list was not given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The cursor or the limit is not usable.
    #[error(transparent)]
    BadInput(#[from] BadInput),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Ledger {
    /// A page of revisions in a state at an instant, newest first. At most 100 a page.
    pub async fn list(
        &self,
        reader: &Reader,
        filter: &Filter,
        at: Instant,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, ListError> {
        let active_before = filter.state == State::Active && at.valid < at.known;
        let wanted = Wanted {
            filter,
            // What was true before may have been replaced since; what ran out may be on record as over.
            live: match filter.state {
                State::Active => !active_before,
                State::Conflicted => true,
                State::Expired | State::Superseded | State::Retracted => false,
            },
            of: "list",
            // An active revision is current only from its start.
            is_one: &|_, _, state, holds| state == filter.state && (state != State::Active || holds),
        };
        self.page(reader, &wanted, at, after, limit).await
    }

    /// A page of what can be restored at `now`: the revision of each fact that was forgotten, or ran out, that stood
    /// last. The newest revision first, at most 100 a page.
    pub async fn forgotten(
        &self,
        reader: &Reader,
        filter: &Filter,
        now: Timestamp,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, ListError> {
        let wanted = Wanted {
            filter,
            live: false,
            of: "forgotten",
            is_one: &|head, number, _, _| {
                let truth = &head.truth;
                let over = match truth {
                    Truth::Settled(_) | Truth::Ended(_) => !truth.stands(now),
                    Truth::Contested(_) => false,
                };
                over && truth.revisions().last() == Some(&number)
            },
        };
        self.page(reader, &wanted, Instant { known: now, valid: now }, after, limit).await
    }

    async fn page(
        &self,
        reader: &Reader,
        wanted: &Wanted<'_>,
        at: Instant,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<Page, ListError> {
        if !(1..=limits::PAGE_ITEMS_MAX).contains(&limit) {
            let most = limits::PAGE_ITEMS_MAX;
            return Err(BadInput::new("limit", format!("must be from 1 to {most}")).into());
        }
        if wanted.filter.scope.as_ref().is_some_and(|scope| scope.tenant != reader.tenant) {
            return Err(BadInput::new("scope.tenantId", "is not the caller's tenant").into());
        }
        let digest = wanted.filter.digest(reader, wanted.of);
        let mut below = after.map_or(Ok(i64::MAX), |cursor| cursor.position(&digest))?;
        let mut connection = self.reader().await?;
        let mut items = Vec::new();
        loop {
            let rows = batch(&mut connection, reader, wanted, at, below).await?;
            for found in &rows {
                below = found.try_get(0).map_err(StoreError::from)?;
                if let Some(item) = item(&mut connection, reader, wanted, at, found).await? {
                    items.push(item);
                }
                if items.len() > limit {
                    items.truncate(limit);
                    let last = items.last().map_or(Position::START, |seen| seen.revision.position);
                    return Ok(Page { items, next: Some(Cursor::new(last, &digest)) });
                }
            }
            if i64::try_from(rows.len()).map_or(true, |rows| rows < BATCH_ROWS) {
                return Ok(Page { items, next: None });
            }
        }
    }
}

/// Which revisions a page shows.
struct Wanted<'a> {
    filter: &'a Filter,
    /// Whether only those that are not over for good can be among them.
    live: bool,
    /// What the list is called, so that its cursors belong to no other.
    of: &'static str,
    /// Whether a revision is one of them, by its head, its number, its state, and whether it holds.
    is_one: &'a (dyn Fn(&Head, RevisionNumber, State, bool) -> bool + Sync),
}

async fn batch(
    connection: &mut AnyConnection,
    reader: &Reader,
    wanted: &Wanted<'_>,
    at: Instant,
    below: i64,
) -> Result<Vec<AnyRow>, StoreError> {
    let filter = wanted.filter;
    let scope_token = filter.scope.as_ref().map(|scope| scope.anchor().token());
    let tokens = scope_token.or_else(|| reader.tokens().map(|tokens| tokens.into_iter().collect()));
    let statement = match &tokens {
        Some(_) => include_str!("sql/list_within.sql"),
        None => include_str!("sql/list_all.sql"),
    };
    let rows = sqlx::query(statement)
        .bind(reader.tenant.as_str())
        .bind(at.known.micros())
        .bind(below)
        .bind(BATCH_ROWS)
        .bind(filter.kind.as_ref().map_or("", |kind| kind.as_str()))
        .bind(filter.scope.as_ref().map_or_else(String::new, canonical))
        .bind(filter.key.as_ref().map_or("", Text::as_str))
        .bind(filter.tag.as_ref().map_or_else(String::new, |tag| row::framed(tag.as_str())))
        .bind(i64::from(wanted.live))
        .bind(tokens.unwrap_or_default())
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

/// The row as the reader sees it, where it is the reader's and in the wanted state.
async fn item(
    connection: &mut AnyConnection,
    reader: &Reader,
    wanted: &Wanted<'_>,
    at: Instant,
    found: &AnyRow,
) -> Result<Option<Seen>, StoreError> {
    let head = find::of(row::fact_id("revisions", &found.try_get::<String, _>(5)?)?, row::head(found, 6)?)?;
    if !reader.may_read(&head.scope) {
        return Ok(None);
    }
    let head = read::turned(connection, &reader.tenant, head, (found, 7)).await?;
    let number = read::revision_number(found.try_get(1)?)?;
    let (state, ended) = row::turned(number, found, 2)?;
    let stored = match ended.is_some_and(|ended| ended <= at.known) {
        true => state,
        false => State::Superseded,
    };
    let holds = read::settled(connection, &reader.tenant, &head, at).await? == Some(number);
    let state = if holds { State::Active } else { head.truth.state(number, at.valid).unwrap_or(stored) };
    if !(wanted.is_one)(&head, number, state, holds) {
        return Ok(None);
    }
    let revision = read::revision(connection, &reader.tenant, &head, number).await?;
    if revision.position.get() != found.try_get::<i64, _>(0)? {
        return Err(StoreError::damaged("revisions", revision.position, "it names another event"));
    }
    Ok(Some(read::seen(head, revision, state, at.known)))
}
