//! Secrets in what is said: found by named detectors and by the operator's own list, before anything is kept.
//!
//! Pure: a text goes in, places in it come out. What is done about them is the screen's.

mod block;
mod connection;
mod entropy;
mod jwt;
mod prefixed;
mod said;
mod screen;
mod values;
mod view;

use view::View;

pub use screen::{HoldsSecret, Screen, SecretPolicy};
pub use values::SecretValues;

use said::Beside;

macro_rules! detectors {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What found a secret. The surest come first: where two find the same words, the first one is named.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Detector {
            $($(#[$doc])* $variant,)*
        }

        impl Detector {
            /// All of them, the surest first.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name, as an error and a mark have it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

detectors! {
    /// A value of the operator's own list.
    ListedValue = "listed-value",
    /// A key of this memory's own API.
    MemoryKey = "memory-key",
    /// A private key, as a block of text or as age writes it.
    PrivateKey = "private-key",
    /// An access key of AWS.
    AwsKey = "aws-key",
    /// A key or token of Google.
    GoogleKey = "google-key",
    /// A token of DigitalOcean.
    DigitaloceanToken = "digitalocean-token",
    /// A token of GitHub.
    GithubToken = "github-token",
    /// A token of GitLab.
    GitlabToken = "gitlab-token",
    /// A token of Slack, or the address of a webhook there.
    SlackToken = "slack-token",
    /// A key of Stripe.
    StripeKey = "stripe-key",
    /// A key of Anthropic.
    AnthropicKey = "anthropic-key",
    /// A key of OpenAI, or of those who write theirs the same way.
    OpenaiKey = "openai-key",
    /// A token of Hugging Face.
    HuggingfaceToken = "huggingface-token",
    /// A token of a package registry: npm, PyPI, Docker.
    RegistryToken = "registry-token",
    /// A key of SendGrid.
    SendgridKey = "sendgrid-key",
    /// A token of a Telegram bot.
    TelegramToken = "telegram-token",
    /// A token of another service that marks its tokens.
    ServiceToken = "service-token",
    /// A JSON web token.
    Jwt = "jwt",
    /// What an HTTP request carries to say who asks.
    AuthorizationHeader = "authorization-header",
    /// The password in an address, such as `postgres://ana:…@host`.
    ConnectionPassword = "connection-password",
    /// A password that is named as one.
    Password = "password",
    /// A number that opens something, and is named as that.
    Pin = "pin",
    /// A key, token or secret that is named as one.
    NamedKey = "named-key",
    /// The words from which a wallet is made again.
    SeedPhrase = "seed-phrase",
    /// A long word that only chance writes.
    HighEntropy = "high-entropy",
}

/// Where a secret stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) detector: Detector,
}

/// How much of a text is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    /// Words: everything, and whether a secret is named beside them.
    Words(Beside<'a>),
    /// An id or a name, in which chance and plain words mean nothing: what is marked as a secret alone.
    Id,
}

/// How often a text may be percent-encoded, one time over another.
const LAYERS_MAX: usize = 6;

/// Every secret in a text, in order and apart from each other.
pub(crate) fn find(text: &str, values: &SecretValues, reading: Reading<'_>) -> Vec<Found> {
    let mut all = Vec::new();
    let mut view = Some(View::of(text));
    for _ in 0..LAYERS_MAX {
        let Some(seen) = view else { break };
        look(&seen, values, reading, &mut all);
        view = seen.decoded();
    }
    apart(all)
}

/// Looks at one layer, and adds what is there by its place in the text.
fn look(view: &View, values: &SecretValues, reading: Reading<'_>, all: &mut Vec<Found>) {
    let text = view.text();
    let mut here = values.find(text);
    here.extend(prefixed::find(text));
    here.extend(block::find(text));
    here.extend(jwt::find(text));
    here.extend(connection::find(text));
    match reading {
        Reading::Id => {}
        Reading::Words(beside) => {
            here.extend(said::find(text));
            here.extend(said::find_beside(text, beside));
            here.extend(entropy::find(text));
        }
    }
    all.extend(here.into_iter().map(|found| view.origin(found)));
}

/// Joins what overlaps, under the name of the surest.
fn apart(mut all: Vec<Found>) -> Vec<Found> {
    all.sort_by_key(|found| (found.start, found.end));
    let mut joined: Vec<Found> = Vec::with_capacity(all.len());
    for found in all {
        match joined.last_mut() {
            Some(last) if found.start < last.end => {
                last.end = last.end.max(found.end);
                last.detector = last.detector.min(found.detector);
            }
            Some(_) | None => joined.push(found),
        }
    }
    joined
}
