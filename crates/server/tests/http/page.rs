//! The owner's page as a browser without a script meets it.

mod acts;
mod adoption;
mod conflicts;
mod forms;
mod reading;
mod signing;
mod status;
mod sync;

use serde_json::json;
use truthkeeper::Right;

use super::client::{Answer, FACTS, Running, get, post};

/// Somebody who is signed in.
struct Browser<'a> {
    service: &'a Running,
    cookie: String,
}

impl<'a> Browser<'a> {
    /// Signs in with a key.
    #[track_caller]
    fn signed_in(service: &'a Running, key: &str) -> Self {
        let answer = service.call(&form("/sign-in", &[("key", key)]));
        assert_eq!((answer.status, answer.headers["location"].as_str()), (303, "/"), "{answer:?}");
        let cookie = answer.headers["set-cookie"].split(';').next().unwrap().to_owned();
        Self { service, cookie }
    }

    fn get(&self, path: &str) -> Answer {
        self.service.call(&get(path).header("Cookie", &self.cookie))
    }

    fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.service.call(&form(path, fields).header("Cookie", &self.cookie))
    }

    /// The page that is there.
    #[track_caller]
    fn sees(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.text
    }

    /// Does it, and looks at where it leads.
    #[track_caller]
    fn does(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.post(path, fields);
        assert_eq!(answer.status, 303, "{path}: {answer:?}");
        self.sees(&answer.headers["location"])
    }
}

/// A form as a browser sends it from our own page.
fn form(path: &str, fields: &[(&str, &str)]) -> super::client::Ask {
    let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    let body: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    post(path)
        .header("Sec-Fetch-Site", "same-origin")
        .bytes("application/x-www-form-urlencoded", body.join("&").into_bytes())
}

/// What a hidden field of a page holds: the first of that name.
#[track_caller]
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let start = format!("name=\"{name}\" value=\"");
    let (_, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().unwrap()
}

/// The agent of a person's.
fn agent(service: &Running, name: &str) -> String {
    service.key("agent:kai", &[Right::FactsRead, Right::FactsWrite], &[], &[&format!("user:{name}")])
}

/// A conflict of a person's: what they said, and what their agent doubts of it. Gives the fact and the conflict.
fn contested(service: &Running, key: &str, name: &str, said: &str, doubt: &str) -> (String, String) {
    let fact = service.says(key, name, said);
    doubts(service, name, &fact, doubt);
    let listed = service.call(&get("/v1/memory/conflicts").key(key)).ok();
    let listed = listed["data"].as_array().unwrap();
    let ours = listed.iter().find(|conflict| conflict["fact"] == fact.as_str()).unwrap();
    (fact, ours["conflict"].as_str().unwrap().to_owned())
}

fn doubts(service: &Running, name: &str, fact: &str, text: &str) {
    let doubt = json!({"content": {"text": text}, "confidence": 0.6, "reason": "it was said so"});
    service.call(&post(&format!("{FACTS}/{fact}/supersede")).key(&agent(service, name)).json(&doubt)).ok();
}
