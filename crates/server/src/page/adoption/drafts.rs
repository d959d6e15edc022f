//! Reviews as far as they are made, kept in memory: each for one key, and bound to the audit that it is of. A process
//! that ends lets go of them; nothing of them is in the ledger before they are sealed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use truthkeeper::{
    AdoptionId, BadReview, Choice, Container, Group, KeyId, LegacyAudit, Review, ReviewGroup, Sealed,
    StepDone,
};

use super::super::work::Work;
use super::pages;

/// Reviews that are kept; the one that was used least lately goes first.
const DRAFTS_MAX: usize = 50;
/// What applying and taking back came to is known of so many.
const CAME_MAX: usize = 100;

/// Every review, and what applying and taking back came to.
#[derive(Clone, Default)]
pub(crate) struct Drafts(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    drafts: Vec<Arc<Draft>>,
    works: BTreeMap<String, Arc<Work<Came>>>,
}

/// A review with the audit that it is of.
pub(super) struct Draft {
    key: KeyId,
    pub(super) owner: Container,
    pub(super) audit: LegacyAudit,
    pub(super) digest: String,
    progress: Mutex<Progress>,
}

/// How far it is.
#[derive(Clone)]
pub(super) struct Progress {
    pub(super) review: Review,
    /// The review once it is sealed: nothing is decided then.
    pub(super) sealed: Option<Arc<Sealed>>,
    used: Instant,
}

/// How many rows are decided how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) approved: usize,
    pub(super) rejected: usize,
    pub(super) deferred: usize,
    pub(super) left: usize,
}

/// What applying a review, or taking one back, came to.
#[derive(Clone)]
pub(super) struct Came {
    pub(super) adoption: AdoptionId,
    pub(super) said: String,
    /// Why a step was refused, or what it made stays, by its number.
    pub(super) why: Arc<BTreeMap<u32, String>>,
}

/// Why a change of a review was not taken.
pub(super) enum Unchanged {
    /// It is sealed.
    Sealed,
    /// It changed since it was looked at.
    Stale,
    /// It is not one of the audit.
    Bad(BadReview),
}

impl Drafts {
    /// Keeps a new review, in the place of what the key had of that owner.
    pub(super) fn begin(&self, key: &KeyId, owner: Container, audit: LegacyAudit) -> Arc<Draft> {
        let progress = Progress { review: Review::of(&audit), sealed: None, used: Instant::now() };
        let digest = audit.digest();
        let draft =
            Arc::new(Draft { key: key.clone(), owner, audit, digest, progress: Mutex::new(progress) });
        let mut kept = self.kept();
        kept.drafts.retain(|one| one.key != draft.key || one.owner != draft.owner);
        if kept.drafts.len() >= DRAFTS_MAX {
            let oldest = kept.drafts.iter().enumerate().min_by_key(|(_, one)| one.progress().used);
            let oldest = oldest.map(|(place, _)| place);
            oldest.map(|place| kept.drafts.remove(place));
        }
        kept.drafts.push(Arc::clone(&draft));
        draft
    }

    /// The review that a key has of that audit.
    pub(super) fn find(&self, key: &KeyId, digest: &str) -> Option<Arc<Draft>> {
        let found = self.kept().drafts.iter().find(|one| one.key == *key && one.digest == digest).cloned()?;
        found.progress().used = Instant::now();
        Some(found)
    }

    /// The review that a key has of that owner's rows.
    pub(super) fn of_owner(&self, key: &KeyId, owner: &Container) -> Option<Arc<Draft>> {
        self.kept().drafts.iter().find(|one| one.key == *key && one.owner == *owner).cloned()
    }

    /// What runs under a name, or ended.
    pub(super) fn work(&self, name: &str) -> Option<Arc<Work<Came>>> {
        self.kept().works.get(name).cloned()
    }

    /// Begins work under a name, unless it runs.
    pub(super) fn begin_work(
        &self,
        name: String,
        begin: impl FnOnce() -> Arc<Work<Came>>,
    ) -> Arc<Work<Came>> {
        let mut kept = self.kept();
        if let Some(running) = kept.works.get(&name).filter(|work| work.end().is_none()) {
            return Arc::clone(running);
        }
        if kept.works.len() >= CAME_MAX {
            kept.works.retain(|_, work| work.end().is_none());
        }
        let work = begin();
        kept.works.insert(name, Arc::clone(&work));
        work
    }

    /// Why steps of an adoption were refused, or what they made stays, as far as it is known.
    pub(super) fn why(&self, adoption: AdoptionId) -> BTreeMap<u32, String> {
        let ends: Vec<_> = self.kept().works.values().filter_map(|work| work.end()?.ok()).collect();
        let ours = ends.into_iter().filter(|came| came.adoption == adoption);
        ours.flat_map(|came| came.why.as_ref().clone()).collect()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Draft {
    /// Where it is.
    pub(super) fn path(&self) -> String {
        format!("/adoption/review/{}", self.digest)
    }

    /// Where a group of it is.
    pub(super) fn path_to(&self, group: &str) -> String {
        format!("{}/groups/{group}", self.path())
    }

    /// How far it is.
    pub(super) fn now(&self) -> Progress {
        self.progress().clone()
    }

    /// How many rows are decided how.
    pub(super) fn tally(&self) -> Tally {
        Tally::of(&self.progress().review)
    }

    /// A group of the audit with what is decided about it.
    pub(super) fn group<'a>(&'a self, review: &'a Review, id: &str) -> Option<(&'a Group, &'a ReviewGroup)> {
        let audited = self.audit.groups.iter().find(|group| group.id == id)?;
        let decided = review.groups.iter().find(|group| group.id == id)?;
        Some((audited, decided))
    }

    /// Changes it, where it is as it was looked at. The same change again is taken as done.
    pub(super) fn change(
        &self,
        version: &str,
        change: impl FnOnce(&mut Review) -> Result<(), BadReview>,
    ) -> Result<(), Unchanged> {
        let mut progress = self.progress();
        let mut review = progress.review.clone();
        change(&mut review).map_err(Unchanged::Bad)?;
        review.check(&self.audit).map_err(Unchanged::Bad)?;
        if review == progress.review {
            return Ok(());
        }
        if progress.sealed.is_some() {
            return Err(Unchanged::Sealed);
        }
        if progress.review.digest() != version {
            return Err(Unchanged::Stale);
        }
        progress.review = review;
        Ok(())
    }

    /// Keeps the sealed review, where it was not changed meanwhile.
    pub(super) fn seal(&self, version: &str, sealed: Sealed) -> bool {
        let mut progress = self.progress();
        let is_same = progress.review.digest() == version;
        if is_same {
            progress.sealed = Some(Arc::new(sealed));
        }
        is_same
    }

    /// Lets go of the seal: the decisions can be changed.
    pub(super) fn unseal(&self) {
        self.progress().sealed = None;
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tally {
    pub(super) fn of(review: &Review) -> Self {
        let mut tally = Self::default();
        review.groups.iter().for_each(|group| tally.add(group));
        tally
    }

    /// Of one group.
    pub(super) fn of_group(group: &ReviewGroup) -> Self {
        let mut tally = Self::default();
        tally.add(group);
        tally
    }

    fn add(&mut self, group: &ReviewGroup) {
        for row in &group.rows {
            *match group.choice(row) {
                Choice::Pending => &mut self.left,
                Choice::Approve => &mut self.approved,
                Choice::Reject => &mut self.rejected,
                Choice::Defer => &mut self.deferred,
            } += 1;
        }
    }

    pub(super) fn rows(&self) -> usize {
        let Self { approved, rejected, deferred, left } = self;
        approved + rejected + deferred + left
    }

    /// `12 approved, 3 rejected, 1 deferred, 2 left`.
    pub(super) fn words(&self) -> String {
        let Self { approved, rejected, deferred, left } = self;
        format!("{approved} approved, {rejected} rejected, {deferred} deferred, {left} left")
    }
}

impl Came {
    pub(super) fn of(adoption: AdoptionId, done: &str, steps: &[(StepDone, Option<String>)]) -> Self {
        let why = steps.iter().filter_map(|(step, why)| Some((step.step, why.clone()?)));
        let why: BTreeMap<u32, String> = why.collect();
        let said = match why.len() {
            0 => done.to_owned(),
            refused => format!("{done} {} not as decided: each says why.", pages::steps(refused)),
        };
        Self { adoption, said, why: Arc::new(why) }
    }
}
