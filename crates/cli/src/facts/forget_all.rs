//! `facts forget-all`.

use server::wire::ForgotAll;
use truthkeeper::{Forgot, Scope, State};

use crate::args::Global;
use crate::error::CliError;
use crate::facts::filter::FilterArgs;
use crate::ledger::Confirmed;
use crate::session::Session;
use crate::show::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what is this owner's, such as user:ann or project:P/participant:X.
    #[arg(long, visible_alias = "principal", value_name = "SCOPE")]
    owner: Option<String>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Why they are forgotten.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    reason: Option<String>,
    #[command(flatten)]
    confirmed: Confirmed,
}

pub(crate) async fn run(global: &Global, args: &Args) -> Result<(), CliError> {
    let tenant = crate::who::tenant(global)?;
    let filter = args.filter.filter(&tenant, State::Active)?;
    let owner = args.owner.as_deref().map(|path| Scope::parse_path("owner", &tenant, path)).transpose()?;
    let owner = owner.map(|scope| scope.anchor());
    let session = Session::open(global).await?;
    args.confirmed.check(|| {
        let whose = owner.as_ref().map_or_else(String::new, |owner| format!(" of {owner}"));
        format!("forget every current fact{whose} that the other options name; each can be restored, memories from before the ledger can not")
    })?;
    let (memory, caller, reason) = (&session.memory, &session.caller, args.reason.as_deref());
    let forgot = memory.forget_all(caller, None, &filter, owner.as_ref(), reason).await?;
    let Forgot { forgotten, held, not_permitted, conflicts, legacy, replayed: _ } = forgot;
    session.answer(&ForgotAll::of(&forgot), || {
        let dropped = match legacy {
            0 => String::new(),
            rows => format!("; let go of {} from before the ledger, for ever", counted(rows, "memory row")),
        };
        format!(
            "forgot {}{dropped}\nkept: {held} under legal hold, {not_permitted} not yours to write, {}",
            counted(forgotten, "fact"),
            counted(conflicts, "open conflict")
        )
    })
}
