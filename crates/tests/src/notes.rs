//! A folder of memories as people keep them, with every oddity that broke somebody's reader, and a review of it.

use std::fs;
use std::path::Path;

use truthkeeper::{
    Account, Actor, Caller, Choice, Container, GroupKind, Id, Intake, LegacyAudit, LegacySource, Memory,
    MemoryError, Review, Scope, Sealed,
};

/// How many files one folder of oddities has.
const PER_ROUND: usize = 20;

/// The person whose memories they are.
pub fn ann() -> Result<Caller, MemoryError> {
    Ok(Caller::within(&scope()?, Actor::User { id: Id::parse("id", "ann")? })?)
}

/// Whose they become.
pub fn scope() -> Result<Scope, MemoryError> {
    Ok(Scope::parse_path("scope", &Id::parse("tenant", "local")?, "user:ann")?)
}

/// Writes about `count` notes, some of them with an oddity, into a folder that is there.
pub fn write(folder: &Path, count: usize) -> std::io::Result<()> {
    for round in 0..count.div_ceil(PER_ROUND) {
        let place = folder.join(format!("r{round}"));
        fs::create_dir_all(place.join("deep/er"))?;
        for (name, bytes) in round_of(round) {
            fs::write(place.join(name), bytes)?;
        }
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", folder.join("link.md"))?;
    Ok(())
}

fn round_of(round: usize) -> Vec<(String, Vec<u8>)> {
    let fact =
        |place: usize| format!("Ann has errand number {} on list {}", round * PER_ROUND + place, place);
    let noted = |header: &str, body: &str| format!("---\n{header}\n---\n{body}\n").into_bytes();
    let mut files: Vec<(String, Vec<u8>)> = vec![
        // A byte order mark hides nothing.
        ("bom.md".into(), [b"\xef\xbb\xbf".as_slice(), &noted("category: preference", &fact(0))].concat()),
        // Values that YAML would take for something else.
        ("colon.md".into(), noted("category: preference\nsummary: \"Core (Split: A)\"", &fact(1))),
        ("star.md".into(), noted("summary: '*Italic* [[x]] C:\\agent'\ntags: [yes, 1e3]", &fact(2))),
        ("hash.md".into(), noted("summary: \"# x\"", &fact(3))),
        // A rule is no header, and a header that is never closed is none either.
        ("rule.md".into(), format!("---\n{}\n\n---\n\n{}\n", fact(4), fact(5)).into_bytes()),
        ("unclosed.md".into(), format!("---\ncategory: session\n{}\n", fact(6)).into_bytes()),
        ("crlf.md".into(), format!("---\r\ncategory: session\r\n---\r\n{}\r\n", fact(7)).into_bytes()),
        ("bare.md".into(), format!("category: preference\n\n{}\n", fact(8)).into_bytes()),
        ("time.md".into(), noted("created: yesterday", &fact(9))),
        ("zoned.md".into(), noted("created: 2026-03-01T10:00:00Z", &fact(10))),
        ("empty.md".into(), Vec::new()),
        ("blank.md".into(), b"  \n\n".to_vec()),
        ("binary.md".into(), vec![0, 159, 146, 150, 0, 1]),
        ("broken.md".into(), [b"Ann has \xff\xfe ".as_slice(), fact(11).as_bytes()].concat()),
        ("long.md".into(), format!("{} {}", fact(12), "固".repeat(17_000)).into_bytes()),
        ("wide.md".into(), format!("{} {}", fact(13), "固".repeat(2_000)).into_bytes()),
        ("deep/er/note.md".into(), noted("type: acme.note", &fact(14))),
        ("today.md".into(), noted("created: 2026-01-01T10:00:00Z", &format!("Today {}", fact(15)))),
    ];
    let memory = format!(
        "# Memory\n\n## Ports\n- the port of service {round} is {}\n- the port of service {round} is {}\n\n## Habits\n- {}\n- {}.\n- [ ] {}\n",
        8_000 + round,
        9_000 + round,
        fact(16),
        fact(16),
        fact(17),
    );
    files.push(("MEMORY.md".into(), memory.into_bytes()));
    files.push(("INDEX.md".into(), b"- [bom](bom.md)\n- [colon](colon.md)\n".to_vec()));
    files
}

/// Brings the notes of a folder in.
pub async fn bring(memory: &Memory, folder: &Path) -> Result<Account, MemoryError> {
    let mut intake = Intake::of(scope()?);
    memory.import_source(&ann()?, &mut intake, (LegacySource::Markdown, folder), |_| {}).await
}

/// Audits what was brought in, and decides: what is safe in bulk, everything else one by one.
pub async fn reviewed(memory: &Memory) -> Result<Sealed, MemoryError> {
    let owner = Container::User(Id::parse("id", "ann")?);
    let audit = memory.audit_legacy(&ann()?, &owner).await?;
    let review = decided(&audit);
    let sealed = memory.seal_review(&ann()?, &audit, &review).await?;
    Ok(sealed.expect("everything is decided, and can be carried out"))
}

fn decided(audit: &LegacyAudit) -> Review {
    let mut review = Review::of(audit);
    review.approve_safe(audit).expect("it is of this audit");
    for group in review.groups.iter_mut().filter(|group| group.decision == Choice::Pending) {
        group.decision = match group.kind {
            GroupKind::PossibleContradictions | GroupKind::Lapsed => Choice::Reject,
            GroupKind::MalformedProvenance => Choice::Defer,
            GroupKind::LikelyDuplicates
            | GroupKind::Fragments
            | GroupKind::RelatedEpisodes
            | GroupKind::Plain => Choice::Approve,
        };
        let chosen = group.decision;
        for (place, row) in group.rows.iter_mut().enumerate() {
            // Of what contradicts another, the first holds.
            let first = group.kind == GroupKind::PossibleContradictions && place == 0;
            row.decision = Some(if first { Choice::Approve } else { chosen });
        }
    }
    review
}
