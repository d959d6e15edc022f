//! A service on a store of its own, and a client that shows every byte of an answer.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use truthkeeper::{Actor, Bounds, Caller, Draft, Id, Intake, KeyId, Memory, NewKey, Options, Right, Scope};
use truthkeeper_server::{Server, Settings};

use crate::place::Place;

pub(crate) const FACTS: &str = "/v1/memory/facts";
/// A fact that nobody has.
pub(crate) const NOBODYS: &str = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";

/// A service that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) memory: Memory,
    pub(crate) address: SocketAddr,
    runtime: Runtime,
    stop: Option<oneshot::Sender<()>>,
    done: Option<JoinHandle<()>>,
    place: Place,
}

/// A request as it is made up.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) text: String,
}

fn local() -> Id {
    Id::parse("tenant", "local").unwrap()
}

fn scope_of(name: &str) -> Scope {
    Scope::parse_path("scope", &local(), &format!("user:{name}")).unwrap()
}

fn olga() -> Caller {
    Caller::operator(local(), Id::parse("actor", "olga").unwrap())
}

impl Running {
    pub(crate) fn start() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        Self::on(Options::default(), settings)
    }

    /// On a memory that is opened otherwise.
    pub(crate) fn on(options: Options, settings: Settings) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let (place, memory, address, done) = runtime.block_on(async {
            let place = Place::new().await;
            let memory = Memory::open_with(&place.address(), options).await.unwrap();
            let service = Server::bind(memory.clone(), ([127, 0, 0, 1], 0).into(), settings).await.unwrap();
            let address = service.address();
            let stop = async move { drop(stopped.await) };
            (place, memory, address, tokio::spawn(service.run(stop)))
        });
        Self { memory, address, runtime, stop: Some(stop), done: Some(done), place }
    }

    /// A key with these rights, in the scopes `reads` and `writes`.
    pub(crate) fn key(&self, actor: &str, rights: &[Right], reads: &[&str], writes: &[&str]) -> String {
        let scopes = |paths: &[&str]| {
            paths.iter().map(|path| Scope::parse_path("scope", &local(), path).unwrap()).collect()
        };
        let bounds =
            Bounds { rights: rights.iter().copied().collect(), reads: scopes(reads), writes: scopes(writes) };
        let actor = Actor::parse("actor", actor).unwrap();
        let new = NewKey { label: "test".to_owned(), actor, bounds };
        self.runtime.block_on(self.memory.create_key(&local(), new)).unwrap().1.reveal()
    }

    /// A person's own key.
    pub(crate) fn person(&self, name: &str) -> String {
        let rights = [Right::FactsRead, Right::FactsWrite, Right::Review];
        self.key(&format!("user:{name}"), &rights, &[], &[&format!("user:{name}")])
    }

    /// The operator's, which opens everything.
    pub(crate) fn operator(&self) -> String {
        self.key("operator:olga", &[Right::Admin, Right::Operate], &[], &[])
    }

    /// A memory from before the ledger, of a person's.
    pub(crate) fn remembered_before(&self, name: &str, text: &str) {
        self.remembered_otherwise(name, "notes.md:1", text, json!({}));
    }

    /// One of which its source tells more.
    pub(crate) fn remembered_otherwise(&self, name: &str, place: &str, text: &str, more: Value) {
        let mut legacy = json!({"source": "markdown", "place": place, "text": text, "origin": "explicit"});
        let Value::Object(more) = more else { panic!("{more} is no object") };
        legacy.as_object_mut().unwrap().extend(more);
        let (mut intake, memories) =
            (Intake::of(scope_of(name)), vec![serde_json::from_value(legacy).unwrap()]);
        self.runtime.block_on(self.memory.import_legacy(&olga(), &mut intake, memories)).unwrap();
    }

    /// A fact of a person's that another process recorded, which made its copy in another index. None where the index
    /// lies in the same database.
    #[cfg(unix)]
    pub(crate) fn says_past_the_index(&self, name: &str, text: &str) -> Option<()> {
        let file = self.place.file()?;
        let elsewhere = file.with_file_name("elsewhere.db");
        std::os::unix::fs::symlink(file, &elsewhere).unwrap();
        let draft = json!({"type": "acme.note", "scope": {"userId": name}, "content": {"text": text}});
        self.wait(async {
            let memory = Memory::open(elsewhere.to_str().unwrap()).await.unwrap();
            let draft = Draft::from_json(draft, &local()).unwrap();
            assert!(memory.remember(&olga(), None, draft).await.unwrap().searchable);
        });
        Some(())
    }

    /// Waits for what is done beside the service.
    pub(crate) fn wait<T>(&self, done: impl Future<Output = T>) -> T {
        self.runtime.block_on(done)
    }

    /// Lets a key open nothing any more.
    pub(crate) fn revoke(&self, token: &str) {
        let id = KeyId::parse(token.split('_').nth(1).unwrap()).unwrap();
        self.runtime.block_on(self.memory.revoke_key(&local(), &id)).unwrap();
    }

    /// A fact of a person's; gives its id.
    pub(crate) fn says(&self, key: &str, name: &str, text: &str) -> String {
        let body = json!({"type": "acme.note", "scope": {"userId": name}, "content": {"text": text}});
        let said = self.call(&post(FACTS).key(key).json(&body));
        assert_eq!(said.status, 201, "{said:?}");
        said.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn call(&self, ask: &Ask) -> Answer {
        self.begin(ask).end()
    }

    /// Sends a request, and leaves its answer for later.
    pub(crate) fn begin(&self, ask: &Ask) -> Pending {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(&ask.head(self.address)).unwrap();
        // Who refuses a body may close before it is read.
        drop(stream.write_all(&ask.body));
        Pending { stream }
    }

    pub(crate) fn raw(&self, text: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        Pending { stream }.end()
    }

    /// Tells it to stop.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has ended.
    pub(crate) fn ended(&mut self) {
        let done = self.done.take().unwrap();
        self.runtime.block_on(done).unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
        self.runtime.block_on(self.place.remove());
    }
}

/// A connection that stays open from one request to the next.
pub(crate) struct Line {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Line {
    pub(crate) fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), address }
    }

    /// Asks, and reads the whole answer: head and body as they came.
    pub(crate) fn call(&mut self, ask: &Ask) -> String {
        let head = String::from_utf8(ask.head(self.address)).unwrap();
        let head = head.replacen("Connection: close\r\n", "", 1);
        self.stream.get_mut().write_all(&[head.as_bytes(), &ask.body].concat()).unwrap();
        let (mut answer, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            assert!(self.stream.read_line(&mut line).unwrap() > 0, "the service hung up: {answer}");
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
            answer.push_str(&line);
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        answer + &String::from_utf8(body).unwrap()
    }
}

/// A request whose answer was not read yet.
pub(crate) struct Pending {
    stream: TcpStream,
}

impl Pending {
    pub(crate) fn end(mut self) -> Answer {
        let mut bytes = Vec::new();
        // A reset after the answer is how a body that was not read ends.
        drop(self.stream.read_to_end(&mut bytes));
        Answer::parse(&String::from_utf8(bytes).unwrap())
    }

    /// What it says until it has said that.
    pub(crate) fn said_until(&mut self, what: &str) -> String {
        let (mut said, mut bytes) = (String::new(), [0; 4096]);
        while !said.contains(what) {
            let count = self.stream.read(&mut bytes).unwrap();
            assert!(count > 0, "it ended: {said}");
            said.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
        said
    }

    /// Reads to the end, which must come by then.
    pub(crate) fn end_within(mut self, wait: Duration) {
        self.stream.set_read_timeout(Some(wait)).unwrap();
        self.stream.read_to_end(&mut Vec::new()).unwrap();
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }
}

pub(crate) fn ask(method: &'static str, path: &str) -> Ask {
    Ask { method, path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
}

pub(crate) fn get(path: &str) -> Ask {
    ask("GET", path)
}

pub(crate) fn post(path: &str) -> Ask {
    ask("POST", path)
}

impl Ask {
    pub(crate) fn key(self, key: &str) -> Self {
        self.header("Authorization", &format!("Bearer {key}"))
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.text(&body.to_string())
    }

    pub(crate) fn text(self, body: &str) -> Self {
        Self { body: body.as_bytes().to_vec(), ..self.header("Content-Type", "application/json") }
    }

    pub(crate) fn bytes(self, kind: &str, body: Vec<u8>) -> Self {
        Self { body, ..self.header("Content-Type", kind) }
    }

    fn head(&self, address: SocketAddr) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nConnection: close\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name == "Host") {
            head.push_str(&format!("Host: {address}\r\n"));
        }
        if !self.headers.iter().any(|(name, _)| name == "Content-Length") {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        (head + "\r\n").into_bytes()
    }
}

impl Answer {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or("0").parse().unwrap();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        Self { status, headers, text: body.to_owned() }
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        self.json()
    }

    /// Checks that it is a refusal of that status and code, in the one shape.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(
            (self.status, self.headers["content-type"].as_str()),
            (status, "application/problem+json"),
            "{self:?}"
        );
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["status"], status, "{body}");
        assert_eq!(body["requestId"], self.headers["x-request-id"], "{body}");
        let inner = json!({"code": code, "message": body["detail"], "requestId": body["requestId"]});
        assert_eq!(body["error"], inner, "{body}");
        body
    }
}
