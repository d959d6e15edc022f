//! What is found as a secret, and, above all, what is not.

use proptest::prelude::*;

use crate::secret::{Reading, find};
use crate::{Detector, SecretValues};

/// Every detector with texts in which it finds one. `~` stands for nothing: no scanner is to take these for real ones.
const POSITIVES: &[(Detector, &[&str])] = &[
    (
        Detector::MemoryKey,
        &[
            "my key is mem~_0123456789abcdef_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff1a2b3c4d",
        ],
    ),
    (
        Detector::PrivateKey,
        &[
            "-----BEGIN~ RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN~ PGP PRIVATE KEY BLOCK-----\nlQVYBF cut off",
            "A~GE-SECRET-KEY-1QQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQPQYQQ",
        ],
    ),
    (Detector::AwsKey, &["the id is AK~IAIOSFODNN7EXAMPLQ, keep it"]),
    (
        Detector::GoogleKey,
        &["AI~zaSyA1234567890abcdefghijklmnopqrstuv", "GO~CSPX-abc123def456ghi789jkl012mno3"],
    ),
    (
        Detector::DigitaloceanToken,
        &["do~p_v1_00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"],
    ),
    (
        Detector::GithubToken,
        &[
            "use gh~p_16C7e42F292c6912E7710c838347Ae178B4a",
            "gi~thub_pat_11ABCDEFG0abcdefghijkl_MNOPQRSTUVWXYZ0123456789abcdef",
        ],
    ),
    (Detector::GitlabToken, &["gl~pat-x1Y2z3A4b5C6d7E8f9G0"]),
    (
        Detector::SlackToken,
        &[
            "xo~xb-123456789012-1234567890123-AbCdEfGhIjKlMnOp1234",
            "https://hooks.sla~ck.com/services/T00000000/B00000000/x1y2z3x1y2z3x1y2z3x1y2z3",
        ],
    ),
    (Detector::StripeKey, &["sk~_live_4eC39HqLyjWDarjtT1zdp7dc", "sk~_test_00000000000000001"]),
    (Detector::AnthropicKey, &["sk-~ant-api03-abcDEF123456ghiJKL789mno"]),
    (Detector::OpenaiKey, &["sk~-test-0000000000000000", "sk~-proj-abc123DEF456ghi789JKL012"]),
    (Detector::HuggingfaceToken, &["h~f_abcdefghijABCDEFGHIJ0123456789klmn"]),
    (Detector::RegistryToken, &["np~m_abcdefghijABCDEFGHIJ0123456789klmnop"]),
    (Detector::SendgridKey, &["S~G.abcdefghij0123456789AB.abcdefghij0123456789ABCDEFGHIJabcdefghij012"]),
    (Detector::TelegramToken, &["12345~6789:AAabcdefghijklmnopqrstuvwxyz0123456"]),
    (Detector::ServiceToken, &["sh~pat_0123456789abcdef0123456789abcdef", "hv~s.CAESIabc123DEF456ghi789JKL"]),
    (Detector::Jwt, &["ey~JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"]),
    (
        Detector::AuthorizationHeader,
        &["Authorization: Bearer abc123def456ghi", "curl -H 'authorization: basic dXNlcjpwYXNzd29yZDE='"],
    ),
    (
        Detector::ConnectionPassword,
        &[
            "postgres://ana:s3cr3tpw@db.example.com/app",
            "redis://:hunter2@cache:6379",
            "https://bob:swordfish@host",
        ],
    ),
    (
        Detector::Password,
        &[
            "password is hunter2",
            "My wifi password is hunter2.",
            "her password is swordfish",
            "the password: Tr0ub4dor&3",
            "**Password:** hunter2",
            "{\"password\": \"hunter2\"}",
            "PASSWORD=hunter2 in the environment",
            "DB_PASSWORD=hunter2",
            "userPassword = 'hunter2'",
            "the passphrase is \"correct horse battery staple\"",
            "I changed my password to hunter2 yesterday",
            "password was 12345678 before",
            "https://example.com/login?user=ana&password=hunter2&next=1",
            "Das Passwort ist hunter2",
            "mi contraseña es hunter2",
            "mon mot de passe est hunter2",
            "мой пароль: hunter2",
            "我的密码是hunter2",
            "パスワードはhunter2です",
        ],
    ),
    (
        Detector::Pin,
        &["my pin is 4821", "PIN: 0042", "the door code is 7731", "CVV: 123", "the passcode is 123456"],
    ),
    (
        Detector::NamedKey,
        &[
            "the api key is 3f2a9c81d04b77e2",
            "client_secret=abcd1234efgh",
            "API token: zx81spectrum48k",
            "&token=abc12345",
        ],
    ),
    (
        Detector::SeedPhrase,
        &[
            "my seed phrase is abandon ability able about above absent absorb abstract absurd abuse access accident",
        ],
    ),
    (
        Detector::HighEntropy,
        &["it says q7Zx9Kd2Lm4Np8Rt6Vw1Yb3Hc5Jf0Gs", "bPxRfiCYEX4mPl3KeyZ7qT9wUv2sLr5h+A1B"],
    ),
];

/// Ordinary statements, as people, agents and programs make them.
const NEGATIVES: &[&str] = &[
    // About secrets, without one.
    "The password policy is strict",
    "I forgot my password",
    "forgot my password, please reset it",
    "Mia keeps her passwords in 1Password",
    "The password is stored in the vault",
    "the password is required",
    "the password is 12 characters long",
    "The password is at least 8 characters and expires after 90 days",
    "password: required",
    "password: string",
    "password = os.environ['DB_PASSWORD']",
    "password = config.database.password",
    "PASSWORD=$DB_PASSWORD",
    "password: ********",
    "login(user='testuser', password='testpassword')",
    "password: <your password>",
    "password: {{ vault.password }}",
    "my password is case-sensitive",
    "her password is expired",
    "my password is wrong again",
    "The password to the wiki is with Bob",
    "the password to office365 is in the vault",
    "The password reset link is https://example.com/reset",
    "password hashing uses argon2id",
    "The passphrase is long",
    "the password is the same as before",
    "Prefers passwordless sign-in: passkeys are fine",
    "The pin is bent on the connector",
    "GPIO pin 13 drives the relay",
    "pin: D13",
    "He wears a pin on his jacket",
    "The PIN has four digits",
    "the postal PIN code 560001 is Bangalore",
    "The secret is out",
    "secret: true",
    "Their secret is patience",
    "The secret to good bread is time",
    "the token is refreshed hourly",
    "max_tokens=4096 and temperature=0.2",
    "token: BPE",
    "The context is 128000 tokens long",
    "The API key is in the vault",
    "API keys are rotated every 90 days",
    "the primary key is customer_id2",
    "Answer key: A B C D",
    "Bearer tokens are refused without a scope",
    "Basic understanding of Rust2024 is enough",
    "The security code is on the back",
    "the seed phrase is kept in the safe in the office next to the desk of the owner",
    "Das Passwort ist abgelaufen",
    "密码已过期",
    "我忘记了密码，请重置",
    "パスワードを忘れました",
    // Ids and digests.
    "01a22aee-0019-7597-a439-f7919543ab92",
    "fact 01981f6e-6a1c-7c3e-8f0a-0123456789ab was superseded",
    "commit 1e149acf2b7d90c4a8e6f1035d27b98c4e6a7f21",
    "sha256:f7de1d8940eba40c71e365c8e853f9cc631c6948e8b17e786417b116cdee69bc",
    "integrity sha512-9f2Vw4Xk8Lq1Zc7Bn3Md6Hs0Jt5Py2Rg8Ue4Wa7Qi1Ox3Kb6Nf9Lz0Cv5Dm2Xh==",
    "SHA256:q7Zx9Kd2Lm4Np8Rt6Vw1Yb3Hc5Jf0GsTuIoPaSdFgH",
    "md5 9e107d9d372bb6826bd81d3542a419d6",
    "run b60f6477-d7cc-4646-a223-09d522ab0ebd, call call_nsiflkbc",
    "toolu_01A09q90qw90lq917835lq9 and chatcmpl-9Yx2Kd7Lm4Np8Rt6Vw1Yb3Hc5Jf",
    "payment pi_3MtwBwLkdIwHu7ix28a3tqPa, customer cus_NffrFeUfNV2Hib",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV is a ULID",
    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPBdG",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "mem_0123456789abcdef is the id of a key",
    "order 4471-2026-0000123456, invoice INV-2026-11-000482",
    "tracking 1Z999AA10123456784",
    "IBAN DE89370400440532013000",
    "ISBN 978-3-16-148410-0",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJx9Kd2Lm4Np8Rt6Vw1Yb3Hc5Jf0GsTuIoPaSdF ana@host",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "AKIA is what access keys of AWS begin with",
    "tokens of GitHub begin with ghp_ or github_pat_",
    // Addresses, paths, names.
    "https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
    "https://example.com/a/very/long/path/with-Many-Words/And2026/Numbers11/index.html?utm_source=Newsletter2026",
    "http://127.0.0.1:7711/v1/memory/facts?limit=50",
    "git clone git@github.com:example/truthkeeper.git",
    "postgres://user:password@host/postgres",
    "postgres://ana@db.example.com:5432/app",
    "mail ana.smith@example.com or call +351 912 345 678",
    "/usr/local/share/Cellar/OpenSSL3/include/openssl/Version2026/x509V3.h",
    "C:\\Users\\Ana\\Documents\\Projects2026\\Report_Final_V2.docx",
    "crates/ledger/src/sql/IndexReports2/AddMissing3.sql",
    "com.example.Application2026.FactoryBeanProviderImpl",
    "DefaultHttpClientConnectionFactoryBuilder2Impl",
    "iPhone15ProMaxSpaceBlack256GB is the model",
    "sk-learn-compatible-estimators-for-pipelines2024",
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    // Prose.
    "Ana drinks tea in the morning",
    "end-7 orders spare parts for a washing machine.",
    "I prefer receiving updates about my orders via email.",
    "Meeting on 2026-11-30T05:29:30.412Z in room B2.14, bring 3 copies",
    "The build takes 22m; p99 is 12.5ms at 64 connections (v1.95.0)",
    "100% of Q3/Q4 targets: R&D + C++ at 50/50",
    "她喜欢早上喝茶，不喜欢咖啡。订单号是20261130",
    "毎朝8時に会議があります。部屋番号は1204です",
    "Она живёт в Лиссабоне с 2019 года",
    "أنا أفضل الشاي في الصباح",
    "<memory note=\"data\">[redacted: password]</memory>",
    "password is [redacted: password]",
    "The progress is 20%25 and then 30%",
];

fn read(text: &str) -> String {
    text.replace('~', "")
}

fn found(text: &str) -> Vec<Detector> {
    let reading = Reading::Words(Default::default());
    find(text, &SecretValues::default(), reading).into_iter().map(|found| found.detector).collect()
}

#[test]
fn each_detector_finds_what_it_is_for() {
    let mut missed = Vec::new();
    for (detector, texts) in POSITIVES {
        for text in *texts {
            let text = read(text);
            for text in [text.clone(), format!("Note this: {text}"), encoded(&text, 1), encoded(&text, 3)] {
                if found(&text) != [*detector] {
                    missed.push((*detector, found(&text), text));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_detector_is_tried() {
    let tried = POSITIVES.iter().map(|(detector, _)| *detector);
    let left: Vec<Detector> =
        Detector::ALL.iter().copied().filter(|one| !tried.clone().any(|other| other == *one)).collect();
    assert_eq!(left, [Detector::ListedValue], "which is tried by itself");
}

#[test]
fn ordinary_statements_hold_no_secret() {
    let wrong: Vec<_> =
        NEGATIVES.iter().filter(|text| !found(text).is_empty()).map(|text| (text, found(text))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Each byte that a form would change, and every letter of the last layer, as `%xx`.
fn encoded(text: &str, layers: usize) -> String {
    (0..layers)
        .fold(text.to_owned(), |text, _| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>())
}

fn listed(text: &str, values: &str) -> bool {
    let values = SecretValues::parse(values).unwrap();
    let found = find(text, &values, Reading::Id);
    found.iter().any(|found| found.detector == Detector::ListedValue)
}

#[test]
fn a_listed_value_is_found_however_it_is_encoded() {
    let values = "blue Falcon/9%\n\n  plain-words  \n";
    for (text, is_found) in [
        ("it is blue Falcon/9% you know", true),
        ("it is plain-words", true),
        ("blue%20Falcon%2F9%25", true),
        ("blue%20Falcon%2f9%25", true),
        ("blue+Falcon%2F9%25", true),
        ("blue%2520Falcon%25252F9%2525", true),
        ("%62%6C%75%65%20%46alcon%2f9%", true),
        ("blue\u{200b} Falcon/9%", true),
        ("blue falcon/9%", false),
        ("blue Falcon/9", false),
    ] {
        assert_eq!(listed(text, values), is_found, "{text}");
    }
}

#[test]
fn a_list_is_read_line_by_line() {
    let refused = SecretValues::parse("long enough\nshort").unwrap_err();
    assert_eq!(refused.to_string(), "secretValues: line 2 has fewer than 6 characters");
    assert_eq!(format!("{:?}", SecretValues::parse("hunter2").unwrap()), "SecretValues(1)");
}

#[test]
fn in_an_id_only_what_is_marked_as_a_secret_is_one() {
    let in_id = |text: &str| !find(text, &SecretValues::default(), Reading::Id).is_empty();
    assert!(in_id(&read("gh~p_16C7e42F292c6912E7710c838347Ae178B4a")));
    assert!(!in_id("q7Zx9Kd2Lm4Np8Rt6Vw1Yb3Hc5Jf0Gs"));
    assert!(!in_id("password=hunter2"));
}

/// Chance is found most of the time, by what is written of it.
#[test]
fn most_of_what_chance_writes_is_found() {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % 62).unwrap()
    };
    let mut word = |length: usize| (0..length).map(|_| alphabet[next()]).collect::<String>();
    for (length, least) in [(32, 750), (40, 850), (64, 900)] {
        let hits = (0..1_000).filter(|_| !found(&word(length)).is_empty()).count();

        assert!(hits >= least, "{hits} of 1000 with {length} characters");
    }
}

proptest! {
    /// Any text can be looked at, and every place is one of the text.
    #[test]
    fn every_place_is_one_of_the_text(text in any::<String>()) {
        let all = find(&text, &SecretValues::parse("abcdef").unwrap(), Reading::Words(Default::default()));
        let mut last = 0;
        for one in all {
            prop_assert!(last <= one.start && one.start < one.end);
            prop_assert!(text.is_char_boundary(one.start) && text.is_char_boundary(one.end));
            last = one.end;
        }
    }

    /// A listed value is found between any words, encoded any number of times.
    #[test]
    fn a_listed_value_is_found_anywhere(before in "[ -~]{0,40}", after in "[ -~]{0,40}", layers in 0_usize..4) {
        let text = format!("{before} {} {after}", encoded("Zürich & 7 Bären", layers));
        prop_assert!(listed(&text, "Zürich & 7 Bären"));
    }

    /// Hexadecimal digits, UUIDs and words in small letters are none, whatever they are.
    #[test]
    fn digests_and_plain_words_are_none(digest in "[0-9a-f]{7,128}", id in any::<u128>(), words in "[a-z]{1,12}( [a-z]{1,12}){0,20}") {
        prop_assert!(found(&digest).is_empty());
        prop_assert!(found(&uuid::Uuid::from_u128(id).to_string()).is_empty());
        prop_assert!(found(&words).is_empty());
    }
}
