//! Figures of the ledger, of recall and of adoption: `cargo run --release -p truthkeeper-benches -- append|reads|hot-fact|order|search|recall|rebuild|audit|embed|serve`.
//!
//! Every figure stands beside a baseline of the same run, because machines differ and drift.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod append;
mod audit;
mod disk;
mod embed;
mod hot_fact;
mod order;
mod reads;
mod rebuild;
mod recall;
mod search;
mod seed;
mod serve;
mod store;
mod timing;

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let which = arguments.next().unwrap_or_default();
    if which == "embed" {
        return embed::run(arguments.next()).await;
    }
    let size = arguments.next().map(|text| text.parse()).transpose()?;
    match which.as_str() {
        "append" => append::run(size.unwrap_or(20_000)).await,
        "reads" => reads::run(size.unwrap_or(1_000_000)).await,
        "hot-fact" => hot_fact::run(size.unwrap_or(10_000)).await,
        "search" => search::run(size.unwrap_or(100_000)).await,
        "recall" => recall::run(size.unwrap_or(100_000)).await,
        "rebuild" => rebuild::run(size.unwrap_or(20_000)).await,
        "audit" => audit::run(size.unwrap_or(10_000)),
        "serve" => serve::run(size.unwrap_or(60)).await,
        "order" => order::run(size.unwrap_or(1_000_000)).await,
        _ => {
            println!(
                "usage: append [EVENTS] | reads [EVENTS] | hot-fact [REVISIONS] | order [ROWS] | search [ROWS] | recall [FACTS] | rebuild [FACTS] | audit [ROWS] | embed [FOLDER] | serve [SECONDS]"
            );
            Ok(())
        }
    }
}
