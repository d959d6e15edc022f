//! The stylesheet, the script and the icon: compiled in, named by their content, so that a browser may keep them.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use crate::fault::Fault;

/// Bytes of the digest that a name has.
const NAME_BYTES: usize = 8;
/// A name says what it holds: nothing else ever comes under it.
const KEPT: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A file as it is served.
struct Asset {
    name: String,
    kind: &'static str,
    bytes: &'static [u8],
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::of("page", "css", "text/css; charset=utf-8", include_bytes!("../../assets/page.css"))
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::of("page", "js", "text/javascript; charset=utf-8", include_bytes!("../../assets/page.js"))
});
static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::of("icon", "svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")));

impl Asset {
    fn of(stem: &str, ending: &str, kind: &'static str, bytes: &'static [u8]) -> Self {
        let digest = truthkeeper::hex(&Sha256::digest(bytes)[..NAME_BYTES]);
        Self { name: format!("{stem}-{digest}.{ending}"), kind, bytes }
    }
}

/// Where the stylesheet is.
pub(crate) fn style() -> String {
    format!("/assets/{}", STYLE.name)
}

/// Where the script is.
pub(crate) fn script() -> String {
    format!("/assets/{}", SCRIPT.name)
}

/// Where the icon is.
pub(crate) fn icon() -> String {
    format!("/assets/{}", ICON.name)
}

pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, Fault> {
    let asset = [&*STYLE, &SCRIPT, &ICON].into_iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| Fault::of_status(StatusCode::NOT_FOUND))?;
    let kind = HeaderValue::from_static(asset.kind);
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEPT)], asset.bytes).into_response())
}
