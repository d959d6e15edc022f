//! One request, tried until it is answered, refused, or enough.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::header::AUTHORIZATION;
use reqwest::{Response, StatusCode};
use serde::Serialize;

use super::answer::{self, Answer};
use super::{Endpoint, retry};
use crate::{EmbedError, http};

/// 2,048 vectors of 4,096 numbers of 22 digits.
const ANSWER_BYTES_MAX: usize = 256 << 20;

/// What providers share; whatever more one of them takes is its own.
#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: &'a [String],
}

/// How one try ended.
enum Try {
    Answered(Answer),
    /// It may pass.
    Out {
        reason: Cow<'static, str>,
        asked: Option<Duration>,
    },
    /// Nothing that is tried again will help.
    Failed(EmbedError),
}

impl Try {
    fn out(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Out { reason: reason.into(), asked: None }
    }
}

impl Endpoint {
    /// Asks for the vectors of one batch.
    pub(super) async fn ask(&self, texts: &[String]) -> Result<Answer, EmbedError> {
        let total = self.settings.retry.total;
        let late = |_| Err(EmbedError::passing("no answer in all the time that there was"));
        tokio::time::timeout(total, self.ask_again(texts)).await.unwrap_or_else(late)
    }

    async fn ask_again(&self, texts: &[String]) -> Result<Answer, EmbedError> {
        let mut tried = 0;
        loop {
            let (reason, asked) = match self.ask_once(texts).await {
                Try::Answered(answer) => return Ok(answer),
                Try::Failed(error) => return Err(error),
                Try::Out { reason, asked } => (reason, asked),
            };
            tried += 1;
            let Some(wait) = self.settings.retry.wait(tried, asked, retry::chance()) else {
                return Err(EmbedError::Passing { reason, retry_after: asked });
            };
            tokio::time::sleep(wait).await;
        }
    }

    async fn ask_once(&self, texts: &[String]) -> Try {
        let question = Question { model: &self.settings.model, input: texts };
        let mut request =
            self.client.post(self.address.clone()).timeout(self.settings.timeout).json(&question);
        if let Some(key) = self.settings.api_key.as_ref().and_then(|key| key.header()) {
            request = request.header(AUTHORIZATION, key);
        }
        match request.send().await {
            Ok(response) if response.status() == StatusCode::OK => read(response, texts.len()).await,
            Ok(response) => refused(&response),
            Err(error) => Try::out(http::reason(&error)),
        }
    }
}

/// The body, which is not shown to anybody: an endpoint may repeat the text in it.
async fn read(mut response: Response, count: usize) -> Try {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) if body.len() + bytes.len() > ANSWER_BYTES_MAX => {
                return Try::Answered(Answer::Refused("its answer is too long".into()));
            }
            Ok(Some(bytes)) => body.extend_from_slice(&bytes),
            Ok(None) => break,
            Err(error) => return Try::out(http::reason(&error)),
        }
    }
    answer::read(&body, count).map_or_else(|| Try::out("its answer is none of an endpoint"), Try::Answered)
}

fn refused(response: &Response) -> Try {
    let status = response.status();
    let reason: Cow<'static, str> = format!("status {}", status.as_u16()).into();
    match status {
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
            Try::Answered(Answer::Refused(reason))
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Try::Failed(EmbedError::NotConfigured(
            format!("the endpoint refuses the api key: {reason}").into(),
        )),
        StatusCode::NOT_FOUND => Try::Failed(EmbedError::NotConfigured(
            format!("the endpoint has no such address or model: {reason}").into(),
        )),
        _ if retry::may_pass(status) => Try::Out { reason, asked: retry::asked(response.headers()) },
        _ => Try::Failed(EmbedError::NotConfigured(format!("the endpoint cannot be used: {reason}").into())),
    }
}
