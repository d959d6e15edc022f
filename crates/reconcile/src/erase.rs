//! Who may erase the words of a fact.

use fact::{Actor, Head, Truth};

use crate::{Barrier, Refusal};

/// Refuses a machine where the fact is contested: what is left of the conflict would be settled by it.
pub fn check_erasure(head: &Head, actor: &Actor) -> Result<(), Refusal> {
    match &head.truth {
        Truth::Contested(_) if !actor.is_person() => {
            Err(Refusal::NotPermitted { why: Barrier::MachineNeverSettles })
        }
        Truth::Contested(_) | Truth::Settled(_) | Truth::Ended(_) => Ok(()),
    }
}
