-- Each scope with what it holds, so that no search counts rows. Holds no session: nobody's reading depends on one.
-- The name is a digest of the scope, which can be longer than an index takes.
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    entries INTEGER NOT NULL CHECK (entries >= 0),
    length INTEGER NOT NULL CHECK (length >= 0),
    changes INTEGER NOT NULL
) STRICT;

CREATE TABLE scope_tokens (
    token TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (token, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX scope_tokens_by_scope ON scope_tokens (scope);

-- Numbers the writes: a scope bears the number of the last that changed its rows or their vectors.
CREATE TABLE clock (changes INTEGER NOT NULL) STRICT;
INSERT INTO clock (changes) VALUES (0);

-- The one model by whose vectors is searched; no row before the first vector.
CREATE TABLE serving (id INTEGER PRIMARY KEY CHECK (id = 1), model TEXT NOT NULL) STRICT;

-- What content means, piece by piece, by each model that was asked; gone with the last row of that content.
CREATE TABLE vectors (
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    piece INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (digest, model, piece)
) STRICT;

-- How often was written about a fact, removals included: a late writer finds that another came before it.
CREATE TABLE versions (
    tenant TEXT NOT NULL,
    source TEXT NOT NULL,
    fact TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (tenant, fact, source)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: a number is never given to another fact.
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    source TEXT NOT NULL,
    fact TEXT NOT NULL,
    revision INTEGER NOT NULL,
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scopes (id),
    digest TEXT NOT NULL,
    length INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    conversation TEXT,
    sequence INTEGER,
    message TEXT,
    speaker TEXT,
    UNIQUE (tenant, fact, source)
) STRICT;
CREATE INDEX entries_by_scope ON entries (scope);
CREATE INDEX entries_by_digest ON entries (digest);

-- Keeps its own content: external and contentless tables keep or leak deleted words.
CREATE VIRTUAL TABLE words USING fts5 (readers, terms, tokenize = 'ascii', detail = 'none');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);

-- "TrKI", and the form.
PRAGMA application_id = 0x54724b49;
PRAGMA user_version = 4;
