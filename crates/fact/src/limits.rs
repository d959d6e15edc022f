//! Every limit on what comes in, by name, with its unit last.

/// Text of a content, in characters.
pub const CONTENT_CHARS_MAX: usize = 16_384;
/// Canonical JSON of a content, in bytes.
pub const CONTENT_BYTES_MAX: usize = 65_536;
/// Nesting of a content's JSON, in levels.
pub const CONTENT_DEPTH_MAX: usize = 64;
/// Largest whole number that canonical JSON keeps apart from its neighbours (RFC 8785, section 3.2.2.3).
pub const CONTENT_INTEGER_MAX: u64 = 9_007_199_254_740_992;
/// Sides of one conflict.
pub const CONFLICT_SIDES_MAX: usize = 33;
/// A reason given with a statement, in characters.
pub const REASON_CHARS_MAX: usize = 2_048;
/// A note on a decision, in characters.
pub const NOTE_CHARS_MAX: usize = 500;
/// A quote inside an evidence, in characters.
pub const QUOTE_CHARS_MAX: usize = 2_048;
/// Tags of one revision.
pub const TAGS_MAX: usize = 32;
/// One tag, in characters.
pub const TAG_CHARS_MAX: usize = 128;
/// Evidence of one revision.
pub const EVIDENCE_MAX: usize = 64;
/// One id, in characters.
pub const ID_CHARS_MAX: usize = 128;
/// A fact type, in characters.
pub const TYPE_CHARS_MAX: usize = 128;
/// A key, in characters.
pub const KEY_CHARS_MAX: usize = 128;
/// Subjects of one revision.
pub const SUBJECTS_MAX: usize = 20;
/// Facts that one revision is said to be derived from.
pub const DERIVED_FROM_MAX: usize = 64;
/// Shortest retention, in days.
pub const KEEP_DAYS_MIN: u32 = 1;
/// Longest retention, in days.
pub const KEEP_DAYS_MAX: u32 = 3_650;
/// Facts that one request names by id.
pub const BULK_FACTS_MAX: usize = 50;
/// A query, in characters.
pub const QUERY_CHARS_MAX: usize = 2_000;
/// A page, in items, when the caller does not say.
pub const PAGE_ITEMS_DEFAULT: usize = 50;
/// A page, in items, at most.
pub const PAGE_ITEMS_MAX: usize = 100;
/// Containers that one reader names.
pub const CONTAINERS_MAX: usize = 1_000;
/// Where a legacy row stands in its source, in characters.
pub const PLACE_CHARS_MAX: usize = 1_024;
