//! Everything that can be told: the one table of it. The help, `memory config show` and `docs/operate.md` follow it.

use super::Knob;
use super::value::Kind;

/// Seconds that one may wait for another process.
const BUSY_SECONDS_MAX: u64 = 3_600;
/// Requests a second of a key.
const RATE_MAX: u64 = 1_000_000;
/// Facts of one recall.
const RECALLED_MAX: u64 = 100;
/// Tokens of a block.
const TOKENS_MAX: u64 = 10_000_000;

/// Without default and flag.
const fn plain(name: &'static str, kind: Kind, about: &'static str) -> Knob {
    Knob { name, kind, default: None, flag: None, about }
}

pub(crate) static DB: Knob = Knob {
    flag: Some("--db"),
    ..plain(
        "db",
        Kind::Store,
        "where the memory is: a file, or a postgres:// address; memory.db in the data folder when not set",
    )
};
pub(crate) static BUSY_SECONDS: Knob = Knob {
    default: Some("30"),
    ..plain(
        "busy_seconds",
        Kind::Whole { least: 0, most: BUSY_SECONDS_MAX },
        "how long to wait while another process writes",
    )
};
pub(crate) static SEARCH_LIMIT: Knob = Knob {
    default: Some("10"),
    flag: Some("recall --limit"),
    ..plain(
        "search_limit",
        Kind::Whole { least: 1, most: RECALLED_MAX },
        "how many facts a recall or a retrieve gives at most, where it does not say",
    )
};
pub(crate) static SEARCH_FLOOR: Knob = Knob {
    flag: Some("recall --floor"),
    ..plain(
        "search_floor",
        Kind::Number { least: -1.0, most: 1.0 },
        "how well a fact that is found by meaning alone must fit: a cosine; nothing is left out when not set",
    )
};
pub(crate) static TOKEN_BUDGET: Knob = Knob {
    default: Some("2000"),
    flag: Some("recall --tokens"),
    ..plain(
        "token_budget",
        Kind::Whole { least: 1, most: TOKENS_MAX },
        "about how many tokens the block for a prompt may take",
    )
};
pub(crate) static EMBEDDINGS: Knob = Knob {
    default: Some("auto"),
    ..plain(
        "embeddings",
        Kind::Finder,
        "what finds by meaning: auto, off, local, or an endpoint's address; before the default comes what `memory models use` chose",
    )
};
pub(crate) static EMBEDDING_MODEL: Knob = plain(
    "embedding_model",
    Kind::Name,
    "the model's name at the endpoint; the local one is all-MiniLM-L6-v2",
);
pub(crate) static EMBEDDINGS_KEY: Knob = plain("embeddings_key", Kind::Secret, "the endpoint's key");
pub(crate) static EMBEDDINGS_FORMER: Knob = Knob {
    default: Some("off"),
    ..plain(
        "embeddings_former",
        Kind::Finder,
        "what found by meaning before, by which is searched until a rebuild; before the default comes the choice before the last",
    )
};
pub(crate) static EMBEDDINGS_FORMER_MODEL: Knob =
    plain("embeddings_former_model", Kind::Name, "the model's name at that endpoint");
pub(crate) static EMBEDDINGS_FORMER_KEY: Knob =
    plain("embeddings_former_key", Kind::Secret, "the key of that endpoint");
pub(crate) static MODELS: Knob =
    plain("models", Kind::Folder, "a folder with the local model's files, looked in first");
pub(crate) static LISTEN: Knob = Knob {
    default: Some("127.0.0.1:7711"),
    flag: Some("serve --listen"),
    ..plain("listen", Kind::Socket, "where the service listens")
};
pub(crate) static HOSTS: Knob = Knob {
    flag: Some("serve --host"),
    ..plain(
        "hosts",
        Kind::Hosts,
        "names, with commas between them, under which the service is called besides this machine's own",
    )
};
pub(crate) static RATE_LIMIT: Knob = Knob {
    default: Some("100"),
    flag: Some("serve --rate-limit"),
    ..plain(
        "rate_limit",
        Kind::Whole { least: 0, most: RATE_MAX },
        "requests a second that each key may make, and twice as many at once; 0 is no limit",
    )
};
pub(crate) static SECRETS: Knob = Knob {
    default: Some("refuse"),
    ..plain(
        "secrets",
        Kind::Policy,
        "what becomes of what is said with a secret in it: refuse, redact or off",
    )
};
pub(crate) static SECRET_VALUES: Knob =
    plain("secret_values", Kind::File, "a file of values of your own that are never kept, one a line");
pub(crate) static LOG: Knob = Knob {
    default: Some("warn"),
    ..plain("log", Kind::Level, "what stderr says: off, error, warn, info, debug or trace")
};

/// Each of them.
pub(super) static ALL: [&Knob; 18] = [
    &DB,
    &BUSY_SECONDS,
    &SEARCH_LIMIT,
    &SEARCH_FLOOR,
    &TOKEN_BUDGET,
    &EMBEDDINGS,
    &EMBEDDING_MODEL,
    &EMBEDDINGS_KEY,
    &EMBEDDINGS_FORMER,
    &EMBEDDINGS_FORMER_MODEL,
    &EMBEDDINGS_FORMER_KEY,
    &MODELS,
    &LISTEN,
    &HOSTS,
    &RATE_LIMIT,
    &SECRETS,
    &SECRET_VALUES,
    &LOG,
];

/// What the long help says of the environment.
pub(crate) fn help() -> String {
    let rows = ALL.iter().map(|knob| (knob.variable(), said(knob)));
    let more = [
        (
            super::FILE_VARIABLE,
            "a file that says the same, by the names of `memory config show`; --config counts before it",
        ),
        ("NO_COLOR", "no colour"),
    ];
    let rows = rows.chain(more.map(|(name, about)| (name.to_owned(), about.to_owned())));
    let lines: Vec<String> = rows.map(|(name, about)| format!("  {name:<30} {about}")).collect();
    format!("Environment:\n{}", lines.join("\n"))
}

fn said(knob: &Knob) -> String {
    match knob.default {
        Some(default) => format!("{} [{default}]", knob.about),
        None => knob.about.to_owned(),
    }
}
