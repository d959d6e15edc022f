//! Moving and forgetting several facts of the list at once, each by itself.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use truthkeeper::{BadInput, Each, Fate, Named, Right};

use super::act::asked;
use super::fields::Fields;
use super::frame::Flash;
use super::session::SignedIn;
use crate::app::App;
use crate::fault::Fault;
use crate::input;

pub(crate) async fn forget(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let facts = chosen(&fields)?;
    let all = app.memory.forget_facts(&caller, key.as_ref(), &facts, fields.get("reason")).await?;
    Ok(told(&signed, "forgotten", &all))
}

pub(crate) async fn move_facts(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let facts = chosen(&fields)?;
    let to = fields.scope(caller.tenant())?.ok_or_else(|| BadInput::new("scope", "is missing"))?;
    let all = app.memory.move_facts(&caller, key.as_ref(), &facts, &to).await?;
    Ok(told(&signed, "moved", &all))
}

/// The facts that are ticked, each with the version that was on the page: `ID@VERSION`.
fn chosen(fields: &Fields) -> Result<Vec<Named>, BadInput> {
    let chosen = fields.all("fact").map(input::fact_at).collect::<Result<Vec<_>, BadInput>>()?;
    match chosen.is_empty() {
        true => Err(BadInput::new("facts", "tick at least one")),
        false => Ok(chosen),
    }
}

fn told(signed: &SignedIn, done: &str, all: &[Each]) -> Response {
    signed.say(Flash::of(words(done, all.iter().map(Each::fate))));
    Redirect::to("/memory").into_response()
}

/// How many of each came to what.
fn words(done: &str, fates: impl Iterator<Item = Fate>) -> String {
    let mut counts: BTreeMap<Fate, usize> = BTreeMap::new();
    fates.for_each(|fate| *counts.entry(fate).or_default() += 1);
    let told = |(fate, count): (&Fate, &usize)| match fate {
        Fate::Succeeded => format!("{count} {done}"),
        Fate::NotFound => format!("{count} not there any more"),
        Fate::Awaiting => format!("{count} waiting for a review of older memories"),
        Fate::Stale => format!("{count} left alone: changed meanwhile"),
        Fate::Failed => format!("{count} refused"),
    };
    let told: Vec<String> = counts.iter().map(told).collect();
    format!("{}.", told.join(", "))
}

#[cfg(test)]
mod tests {
    use truthkeeper::Fate;

    use super::words;

    #[test]
    fn each_fate_is_counted_apart() {
        let fates = [Fate::Awaiting, Fate::Succeeded, Fate::Stale, Fate::Succeeded, Fate::Failed];
        let told =
            "2 moved, 1 waiting for a review of older memories, 1 left alone: changed meanwhile, 1 refused.";
        assert_eq!(words("moved", fates.into_iter()), told);
    }
}
