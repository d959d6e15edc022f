//! Whether a text reads like an instruction to an agent, which one of them is not to give to the next.
//!
//! What it finds only waits for a person, so it may find too much; but "Ana never eats meat" is a fact about Ana.

use fact::{hides_text, is_invisible, reorders_text};

/// What begins an instruction, as a sentence or after words that lead into one.
const ORDERS: &[&str] = &[
    "ignore",
    "disregard",
    "override",
    "bypass",
    "pretend",
    "obey",
    "execute",
    "reveal",
    "do not",
    "don't",
    "dont",
    "make sure",
    "be sure to",
    "remember to",
    "act as",
    "behave as",
    "respond",
    "reply",
    "answer",
    "refuse",
    "call",
    "use the",
    "run the",
    "send",
    "forward",
    "follow",
    "comply",
    "trust",
    "approve",
    "forget",
    "treat",
    "assume",
    "tell the user",
    "tell them",
    "say that",
    "write to",
    "delete",
    "transfer",
    "stop",
    "start every",
    "begin every",
    "end every",
    "ignoriere",
    "vergiss",
    "antworte",
    "ignora",
    "olvida",
    "responde",
    "ignorez",
    "oubliez",
    "répondez",
    "ignoriert",
    "игнорируй",
    "забудь",
    "отвечай",
    "忽略",
    "无视",
    "不要",
    "务必",
    "必须",
    "総て",
    "無視",
];
/// What makes the word after it one: "always answer in French", and not "always answers in French".
const EVER: &[&str] =
    &["always", "never", "immer", "niemals", "siempre", "nunca", "toujours", "jamais", "всегда", "никогда"];
/// What says it anywhere in a text.
const SIGNS: &[&str] = &[
    "from now on",
    "you must",
    "you should",
    "you shall",
    "you have to",
    "you are to",
    "you are now",
    "you will",
    "the agent must",
    "the agent should",
    "the assistant must",
    "the assistant should",
    "agents must",
    "agents should",
    "all agents",
    "system prompt",
    "system message",
    "previous instructions",
    "prior instructions",
    "earlier instructions",
    "above instructions",
    "instructions above",
    "developer mode",
    "jailbreak",
    "as an ai",
    "as the assistant",
    "no matter what",
    "under no circumstances",
    "in every reply",
    "in all replies",
    "every time you",
    "whenever you",
    "before you answer",
    "ab jetzt",
    "du musst",
    "du sollst",
    "sie müssen",
    "a partir de ahora",
    "debes",
    "à partir de maintenant",
    "tu dois",
    "vous devez",
    "ты должен",
    "всегда отвечай",
    "总是",
    "始终",
    "从现在起",
    "你必须",
    "今後は",
    "必ず",
];
/// What leads into an order.
const LEADS: &[&str] =
    &["please", "then", "and", "but", "so", "also", "agent:", "assistant:", "system:", "note:", "bitte"];

/// Whether a person must look at it first: an order, a link, a tool, or words that nobody sees or that are shown in another order.
pub fn reads_like_an_instruction(text: &str) -> bool {
    if hides_text(text) || reorders_text(text) {
        return true;
    }
    let plain: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let lower = plain.to_lowercase().replace('’', "'");
    has_link(&lower) || names_tool(&plain) || has_sign(&lower) || sentences(&lower).any(orders)
}

fn has_sign(lower: &str) -> bool {
    let apart = |text: &str, end: bool| {
        let c = if end { text.chars().next_back() } else { text.chars().next() };
        c.is_none_or(|c| !c.is_alphanumeric())
    };
    SIGNS.iter().any(|sign| {
        lower.match_indices(sign).any(|(at, found)| {
            !sign.is_ascii() || (apart(&lower[..at], true) && apart(&lower[at + found.len()..], false))
        })
    })
}

fn has_link(lower: &str) -> bool {
    ["http://", "https://", "www.", "ftp://", "mailto:", "javascript:", "data:text", "]("]
        .iter()
        .any(|sign| lower.contains(sign))
}

/// The pieces of a text that can begin with an order.
fn sentences(lower: &str) -> impl Iterator<Item = &str> {
    lower
        .split(['.', '!', '?', '\n', ';', ':', ',', '—', '。', '！', '，', '"', '“', '(', '>', '*'])
        .map(str::trim)
}

fn orders(sentence: &str) -> bool {
    let mut rest = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some(after) = LEADS.iter().find_map(|lead| starts(rest, lead)) {
        rest = after;
    }
    let is_order = |text: &str| ORDERS.iter().any(|order| starts(text, order).is_some());
    match EVER.iter().find_map(|ever| starts(rest, ever)) {
        Some(after) => !describes(after),
        None => is_order(rest),
    }
}

/// What follows a word or words at the beginning of a text, where they end there.
fn starts<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(words)?;
    let ends = !words.is_ascii()
        || rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '\'' && c != '-');
    ends.then(|| rest.trim_start())
}

/// A verb that tells of somebody: "drinks", not "discuss"; or nothing that could be an order.
fn describes(after: &str) -> bool {
    let word = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let tells = word.ends_with('s') && !word.ends_with("ss") || word.ends_with("ed") || word.ends_with("ing");
    word.is_empty()
        || (tells && word.is_ascii())
        || ["a", "the", "on", "in", "at", "been", "with"].contains(&word)
}

/// A name as programs write them: `send_mail`, `fs.read()`, `<tool>`, or a tool that is called one.
fn names_tool(plain: &str) -> bool {
    let lower = plain.to_lowercase();
    let is_name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '(' | ')'));
        let is_call =
            word.ends_with("()") || (word.contains('(') && word.ends_with(')') && !word.starts_with('('));
        let is_snake = word.contains('_')
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && word.split('_').filter(|piece| !piece.is_empty()).count() >= 2;
        is_call || is_snake
    };
    let called = ["function call", "tool call", "the tool ", "tool_", "mcp server", "<tool", "```"];
    plain.split_whitespace().any(is_name) || called.iter().any(|sign| lower.contains(sign))
}
