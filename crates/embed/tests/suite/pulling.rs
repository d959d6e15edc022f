//! Pulling the model: from a hub, a folder or an archive, whole or not at all.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use truthkeeper_embed::{BadModel, ModelFiles, OnProgress, Progress, PullError, PullSource, pull};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::model;

const NAMES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];
const ON_HUB: &str =
    "/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41/config.json";

fn silent() -> OnProgress {
    Arc::new(|_| ())
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A pull that fails leaves nothing behind.
async fn fails(source: PullSource) -> PullError {
    let into = tempfile::tempdir().unwrap();
    let error = pull(&source, into.path(), silent()).await.unwrap_err();
    assert_eq!(names_in(into.path()), [""; 0], "{error}");
    error
}

async fn hub(answer: ResponseTemplate) -> (MockServer, PullSource) {
    let server = MockServer::start().await;
    Mock::given(method("GET")).and(path(ON_HUB)).respond_with(answer).mount(&server).await;
    let source = PullSource::Hub(server.uri());
    (server, source)
}

#[tokio::test]
async fn what_a_hub_does_not_have_is_told_from_what_it_cannot_give_now() {
    for (status, passes) in [(404, false), (401, false), (503, true), (429, true)] {
        let (_server, source) = hub(ResponseTemplate::new(status)).await;
        let error = fails(source).await;
        let said = matches!(error, PullError::Unreachable { .. });
        assert_eq!(said, passes, "{error}");
        assert!(error.to_string().contains(&format!("status {status}")), "{error}");
    }
    let error = fails(PullSource::Hub("http://127.0.0.1:9".to_owned())).await;
    assert!(matches!(error, PullError::Unreachable { .. }), "{error}");
    let error = fails(PullSource::Hub("nowhere".to_owned())).await;
    assert!(matches!(error, PullError::NotThere { .. }), "{error}");
}

#[tokio::test]
async fn a_file_that_is_another_is_not_kept() {
    let (_server, source) = hub(ResponseTemplate::new(200).set_body_string("{}")).await;
    let error = fails(source).await;
    assert!(matches!(error, PullError::Bad(BadModel::Digest { .. })), "{error}");
    let (_server, source) = hub(ResponseTemplate::new(200).set_body_bytes(vec![b' '; 613])).await;
    let error = fails(source).await;
    assert!(error.to_string().contains("longer"), "{error}");
}

#[tokio::test]
async fn a_connection_that_breaks_leaves_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 4_096]).unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 612\r\n\r\n{\"half\":").unwrap();
    });
    let error = fails(PullSource::Hub(format!("http://{address}"))).await;
    assert!(matches!(error, PullError::Unreachable { .. }), "{error}");
    answering.join().unwrap();
}

#[tokio::test]
async fn a_path_without_the_files_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let error = fails(PullSource::Path(empty.path().to_owned())).await;
    assert!(matches!(error, PullError::Bad(BadModel::Unreadable { .. })), "{error}");
    let file = empty.path().join("archive.zip");
    fs::write(&file, "no archive").unwrap();
    let error = fails(PullSource::Path(file)).await;
    assert!(matches!(error, PullError::Bad(BadModel::Unreadable { .. })), "{error}");
}

#[tokio::test]
async fn a_folder_gives_its_files_once() {
    let Some(files) = model::files() else { return };
    let into = tempfile::tempdir().unwrap();
    let into = into.path().join("a/b");
    let heard: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let hearing = Arc::clone(&heard);
    let progress: OnProgress = Arc::new(move |progress| hearing.lock().unwrap().push(progress));
    let pulled = pull(&PullSource::Path(files.folder().to_owned()), &into, progress).await.unwrap();
    assert_eq!(pulled.folder(), into);
    pulled.check().unwrap();
    let ends: Vec<_> =
        heard.lock().unwrap().iter().filter(|heard| heard.bytes == heard.total).copied().collect();
    assert_eq!(ends.iter().map(|end| end.file).collect::<Vec<_>>(), NAMES);

    let nowhere = PullSource::Path(PathBuf::from("/nowhere"));
    let noise: OnProgress = Arc::new(|progress| panic!("{progress:?}"));
    pull(&nowhere, &into, noise).await.unwrap();

    fs::write(into.join("tokenizer.json"), "damaged").unwrap();
    let damaged = ModelFiles::find(std::slice::from_ref(&into)).unwrap().check();
    assert!(matches!(damaged, Err(BadModel::Digest { .. })), "{damaged:?}");
    pull(&nowhere, &into, silent()).await.unwrap_err();
    pull(&PullSource::Path(files.folder().to_owned()), &into, silent()).await.unwrap().check().unwrap();
}

#[tokio::test]
async fn an_archive_gives_the_files_from_any_folder_of_it() {
    let Some(files) = model::files() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.whl");
    let mut archive = zip::ZipWriter::new(File::create(&path).unwrap());
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("pooling/config.json", stored).unwrap();
    archive.write_all(b"another").unwrap();
    for name in NAMES {
        let packed = zip::CompressionMethod::Deflated;
        let options = if name == "tokenizer.json" { stored.compression_method(packed) } else { stored };
        archive.start_file(format!("data/../deep/{name}"), options).unwrap();
        archive.write_all(&fs::read(files.folder().join(name)).unwrap()).unwrap();
    }
    archive.finish().unwrap();
    let into = folder.path().join("into");
    pull(&PullSource::Path(path), &into, silent()).await.unwrap().check().unwrap();
    assert_eq!(names_in(&into).len(), 3);
}

#[tokio::test]
async fn a_hub_gives_the_files_from_where_it_points() {
    let Some(files) = model::files() else { return };
    let store = MockServer::start().await;
    let folder = files.folder().to_owned();
    let give = move |request: &Request| {
        let name = request.url.path().rsplit('/').next().unwrap();
        ResponseTemplate::new(200).set_body_bytes(fs::read(folder.join(name)).unwrap())
    };
    Mock::given(method("GET")).respond_with(give).mount(&store).await;
    let hub = MockServer::start().await;
    let stored = store.uri();
    let point = move |request: &Request| {
        let address = format!("{stored}{}", request.url.path());
        ResponseTemplate::new(302).insert_header("location", address)
    };
    Mock::given(method("GET")).respond_with(point).mount(&hub).await;
    let into = tempfile::tempdir().unwrap();
    pull(&PullSource::Hub(hub.uri()), into.path(), silent()).await.unwrap().check().unwrap();
    assert_eq!(hub.received_requests().await.unwrap().len(), 3);
}
