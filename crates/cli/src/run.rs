//! From the command line to the exit code.

use std::env;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::pin::Pin;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::FromArgMatches as _;
use clap::error::ErrorKind;
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{Cli, Command, command};
use crate::config::{Config, LOG};
use crate::error::{CliError, Verdict};
use crate::{
    Exit, adopt, config, conflicts, demo, doctor, duplicates, eval, facts, forgotten, keys, ledger, models,
    out, projections, recall, receipts, review, serve, settings, status,
};

/// An error as a program reads it.
#[derive(Debug, Serialize)]
struct Said<'a> {
    error: &'a Verdict,
}

/// How long the runtime may take to end after the answer is given.
const FAREWELL: Duration = Duration::from_millis(500);

/// Does what the command line says, and says how it ended.
pub fn main() -> ExitCode {
    let cli = match parse(env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let json = cli.global.json;
    ended(live(cli), json).into()
}

/// Reads a command line.
pub(crate) fn parse(
    words: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
) -> Result<Cli, clap::Error> {
    let mut cli = Cli::from_arg_matches(&command().try_get_matches_from(words)?)?;
    cli.global.config = Config::gather(cli.global.config_file.as_deref());
    Ok(cli)
}

/// Does what a command line says. Boxed, because the demo runs others of its kind.
pub(crate) fn run(cli: Cli) -> Pin<Box<dyn Future<Output = Result<(), CliError>> + Send>> {
    Box::pin(async move {
        let Cli { global, command } = cli;
        match command {
            Command::Facts(command) => facts::run(&global, *command).await,
            Command::Recall(args) => recall::run(&global, args).await,
            Command::Receipts(command) => receipts::run(&global, command).await,
            Command::Conflicts(command) => conflicts::run(&global, command).await,
            Command::Adopt(command) => adopt::run(&global, command).await,
            Command::Duplicates(command) => duplicates::run(&global, command).await,
            Command::Forgotten(command) => forgotten::run(&global, command).await,
            Command::Review(command) => review::run(&global, command).await,
            Command::Ledger(command) => ledger::run(&global, command).await,
            Command::Projections(command) => projections::run(&global, command).await,
            Command::Status(args) => status::run(&global, &args).await,
            Command::Doctor(args) => doctor::run(&global, &args).await,
            Command::Serve(args) => serve::run(&global, args).await,
            Command::Openapi => out::json_line(server::openapi().trim_end()),
            Command::Keys(command) => keys::run(&global, command).await,
            Command::Config(command) => config::run(&global, &command),
            Command::Settings(command) => settings::run(&global, command).await,
            Command::Models(command) => models::run(&global, command).await,
            Command::Demo => demo::run().await,
            // It works on one thread, as futures that stay there.
            Command::Eval(args) => block_in_place(|| Handle::current().block_on(eval::run(&global, &args))),
        }
    })
}

/// Runs until it is done or interrupted. Whatever still lives then ends with it.
fn live(cli: Cli) -> Result<(), CliError> {
    // These say themselves what makes no sense.
    let explains = matches!(cli.command, Command::Doctor(_) | Command::Config(_));
    watch_log(match cli.global.config.number(&LOG) {
        Err(_) if explains => LevelFilter::WARN,
        told => told?,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::Broken(error.to_string()))?;
    // A service lets the requests that run come to their end.
    let ends_itself = matches!(cli.command, Command::Serve(_));
    let outcome = runtime.block_on(async {
        let task = tokio::spawn(run(cli));
        tokio::select! {
            outcome = task => outcome.unwrap_or_else(|error| Err(CliError::Broken(error.to_string()))),
            signal = tokio::signal::ctrl_c(), if !ends_itself => Err(signal.map_or_else(CliError::from, |()| CliError::Interrupted)),
        }
    });
    runtime.shutdown_timeout(FAREWELL);
    outcome
}

/// Warnings and worse go to stderr, or what `MEMORY_LOG` asks for.
fn watch_log(level: LevelFilter) {
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal() && env::var_os("NO_COLOR").is_none())
        .without_time()
        .with_target(false)
        .init();
}

/// A command line that clap refused, or a wish for help.
fn usage(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        // Who closes the pipe has read enough of the help.
        drop(error.print());
        return Exit::Ok;
    }
    let asked_json = env::args_os().any(|word| word == "--json");
    let wants_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let text = error.render().to_string();
    if asked_json {
        let message = if wants_help { "a command is missing" } else { text.trim_start_matches("error: ") };
        say(&Verdict::of(Exit::Usage, "usage", message.trim_end()), true);
    } else {
        out::note(text.trim_end());
    }
    Exit::Usage
}

/// Says what went wrong, if anything did.
fn ended(outcome: Result<(), CliError>, json: bool) -> Exit {
    match outcome {
        Ok(()) => Exit::Ok,
        Err(error) if error.is_closed_pipe() => Exit::Ok,
        Err(error) => {
            let verdict = error.verdict();
            say(&verdict, json);
            verdict.exit
        }
    }
}

/// Says an error on stderr.
pub(crate) fn say(verdict: &Verdict, json: bool) {
    if json {
        return out::note_json(&Said { error: verdict });
    }
    let (red, dim) = (Style::new().bold().fg_color(Some(AnsiColor::Red.into())), Style::new().bold());
    let mut lines = vec![("error", red, verdict.message.as_str())];
    lines.extend(verdict.hint.as_deref().map(|hint| ("hint", dim, hint)));
    let mut to = anstream::stderr().lock();
    for (label, style, text) in lines {
        let text = crate::show::escape::in_lines(text);
        // Where stderr is closed, the exit code still says it.
        drop(writeln!(to, "{style}{label}:{style:#} {text}"));
    }
}
