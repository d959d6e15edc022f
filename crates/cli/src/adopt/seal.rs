//! `memory adopt seal`.

use std::path::PathBuf;

use serde::Serialize;
use truthkeeper::Actor;

use crate::adopt::papers;
use crate::args::Global;
use crate::error::CliError;
use crate::session::Session;
use crate::show;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The review in which everything is decided.
    #[arg(value_name = "REVIEW")]
    file: String,
}

#[derive(Debug, Serialize)]
struct Told<'a> {
    sealed: &'a PathBuf,
    digest: &'a str,
    reviewer: &'a Actor,
}

pub(super) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let (audit, review) = papers::read_review(&args.file)?;
    let session = Session::open(global).await?;
    let sealed = session.memory.seal_review(&session.caller, &audit, &review).await?;
    let sealed = sealed.map_err(CliError::NotSealable)?;
    let path = papers::folder_of(&args.file)?.keep_sealed(&sealed)?;
    let told = Told { sealed: &path, digest: sealed.digest(), reviewer: sealed.reviewer() };
    session.answer(&told, || {
        let path = path.display();
        let reviewer = show::fact::actor(sealed.reviewer());
        format!("sealed by {reviewer}: {path}\n`memory adopt apply {path}` says what it would do")
    })
}
