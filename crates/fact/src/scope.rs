//! Whose a fact is, and who may read and write it (the tables of readers and writers).

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{BadInput, Id, Near, Run, content::hex, limits};

/// Whose a fact is: the tenant, narrowed by any of the others. A participant needs its project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scope {
    /// The outermost wall.
    #[serde(rename = "tenantId")]
    pub tenant: Id,
    /// An organisation; looked at only where no project is named.
    #[serde(rename = "orgId", default, skip_serializing_if = "Option::is_none")]
    pub org: Option<Id>,
    /// A project.
    #[serde(rename = "projectId", default, skip_serializing_if = "Option::is_none")]
    pub project: Option<Id>,
    /// A user of the application.
    #[serde(rename = "userId", default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Id>,
    /// An end user within the project.
    #[serde(rename = "participantId", default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<Id>,
    /// A conversation.
    #[serde(rename = "threadId", default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Id>,
    /// A session; narrows a fact but is never a container of its own.
    #[serde(rename = "sessionId", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Id>,
}

/// Something that holds facts and that a reader may be let into.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Container {
    /// The whole tenant.
    Tenant,
    /// An organisation.
    Org(Id),
    /// A project.
    Project(Id),
    /// A user.
    User(Id),
    /// An end user of a project.
    Participant {
        /// The project.
        project: Id,
        /// The end user.
        participant: Id,
    },
    /// A conversation.
    Thread(Id),
    /// Everyone in a project, held on their behalf.
    PeopleOf(Id),
}

/// What a reader may open.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Access {
    /// Organisations.
    pub orgs: BTreeSet<Id>,
    /// Projects.
    pub projects: BTreeSet<Id>,
    /// Projects held on behalf of their people: opens every participant and thread in them, no user's facts.
    pub people_of: BTreeSet<Id>,
    /// Users.
    pub users: BTreeSet<Id>,
    /// End users, as project and participant.
    pub participants: BTreeSet<(Id, Id)>,
    /// Conversations.
    pub threads: BTreeSet<Id>,
}

/// Who asks, as what they may read. There is no read of facts without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reader {
    /// The tenant; nothing crosses it.
    pub tenant: Id,
    /// How far the reader sees in it.
    pub sight: Sight,
}

/// How far a reader sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sight {
    /// The tenant's admin: every fact.
    Admin,
    /// An operator: every fact, and each read of content is audited.
    Operator,
    /// What these containers open, and tenant-wide facts.
    Within(Access),
    /// What a run asks for, of what it and the reader it is for may see.
    InRun(Box<Sight>, Box<Run>, Near),
}

/// Who writes, as where they may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    /// The tenant; nothing crosses it.
    pub tenant: Id,
    /// How far the writer reaches.
    pub reach: Reach,
}

/// How far a writer reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// The tenant's admin or an operator: everywhere in the tenant.
    Admin,
    /// Only these.
    Within(Grants),
}

/// Where a writer who is not an admin may write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grants {
    /// Organisations whose admin the writer is.
    pub admin_of_orgs: BTreeSet<Id>,
    /// Projects: everything in them, participants and threads included.
    pub projects: BTreeSet<Id>,
    /// End users of a project, as project and participant: their facts, not the project's.
    pub participants: BTreeSet<(Id, Id)>,
    /// Conversations outside a project.
    pub threads: BTreeSet<Id>,
    /// Users.
    pub users: BTreeSet<Id>,
}

impl Scope {
    /// The whole tenant.
    pub fn tenant(tenant: Id) -> Self {
        Self { tenant, org: None, project: None, user: None, participant: None, thread: None, session: None }
    }

    /// Refuses a participant without a project.
    pub fn check(self) -> Result<Self, BadInput> {
        if self.participant.is_some() && self.project.is_none() {
            return Err(BadInput::new("scope.participantId", "needs scope.projectId"));
        }
        Ok(self)
    }

    /// Reads `tenant`, or parts such as `project:P/participant:X/thread:T`, inside `tenant`.
    pub fn parse_path(field: &'static str, tenant: &Id, path: &str) -> Result<Self, BadInput> {
        let mut scope = Self::tenant(tenant.clone());
        if path == "tenant" {
            return Ok(scope);
        }
        for part in path.split('/') {
            let (kind, id) = part.split_once(':').ok_or_else(|| bad_path(field))?;
            let id = Id::parse(field, id)?;
            let slot = match kind {
                "org" => &mut scope.org,
                "project" => &mut scope.project,
                "user" => &mut scope.user,
                "participant" => &mut scope.participant,
                "thread" => &mut scope.thread,
                "session" => &mut scope.session,
                _ => return Err(bad_path(field)),
            };
            if slot.replace(id).is_some() {
                return Err(BadInput::new(field, format!("names {kind} twice")));
            }
        }
        scope.check()
    }

    /// It within its tenant, as `parse_path` reads it.
    pub fn path(&self) -> String {
        let Self { tenant: _, org, project, user, participant, thread, session } = self;
        let parts = [
            ("org", org),
            ("project", project),
            ("user", user),
            ("participant", participant),
            ("thread", thread),
            ("session", session),
        ];
        let named: Vec<String> =
            parts.iter().filter_map(|(kind, id)| id.as_ref().map(|id| format!("{kind}:{id}"))).collect();
        if named.is_empty() { "tenant".to_owned() } else { named.join("/") }
    }

    /// The person it names: the participant, else the user. Without one, whoever may write it settles.
    pub fn owner(&self) -> Option<Container> {
        match (&self.project, &self.participant, &self.user) {
            (Some(project), Some(participant), _) => {
                Some(Container::Participant { project: project.clone(), participant: participant.clone() })
            }
            (_, _, Some(user)) => Some(Container::User(user.clone())),
            (_, _, None) => None,
        }
    }

    /// One container that every reader of this scope has, but for those who hold the project for its people.
    pub fn anchor(&self) -> Container {
        let person = self.owner();
        let place = || match (&self.thread, &self.project, &self.org) {
            (Some(thread), _, _) => Container::Thread(thread.clone()),
            (None, Some(project), _) => Container::Project(project.clone()),
            (None, None, Some(org)) => Container::Org(org.clone()),
            (None, None, None) => Container::Tenant,
        };
        person.unwrap_or_else(place)
    }

    /// The tokens under which a reader finds this scope: its anchor, and the project's people where one is named.
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens = vec![self.anchor().token()];
        if let (Some(project), true) = (&self.project, self.participant.is_some() || self.thread.is_some()) {
            tokens.push(Container::PeopleOf(project.clone()).token());
        }
        tokens
    }
}

fn bad_path(field: &'static str) -> BadInput {
    BadInput::new(
        field,
        "must be 'tenant' or parts such as project:P/participant:X (org, project, user, participant, thread, session)",
    )
}

impl Container {
    /// A fixed-width name for indexes: 32 lower-case hexadecimal digits.
    pub fn token(&self) -> String {
        let (kind, first, second) = match self {
            Self::Tenant => ("tenant", "", ""),
            Self::Org(org) => ("org", org.as_str(), ""),
            Self::Project(project) => ("project", project.as_str(), ""),
            Self::User(user) => ("user", user.as_str(), ""),
            Self::Participant { project, participant } => {
                ("participant", project.as_str(), participant.as_str())
            }
            Self::Thread(thread) => ("thread", thread.as_str(), ""),
            Self::PeopleOf(project) => ("people", project.as_str(), ""),
        };
        let mut hash = Sha256::new();
        for part in [kind, "\0", first, "\0", second] {
            hash.update(part);
        }
        hex(&hash.finalize()[..16])
    }
}

impl fmt::Display for Container {
    /// As in the path of a scope.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tenant => f.write_str("tenant"),
            Self::Org(org) => write!(f, "org:{org}"),
            Self::Project(project) => write!(f, "project:{project}"),
            Self::User(user) => write!(f, "user:{user}"),
            Self::Participant { project, participant } => {
                write!(f, "project:{project}/participant:{participant}")
            }
            Self::Thread(thread) => write!(f, "thread:{thread}"),
            Self::PeopleOf(project) => write!(f, "people of project:{project}"),
        }
    }
}

impl Access {
    /// What `scope` as a caller opens: each container that it names.
    pub fn of(scope: &Scope) -> Self {
        let mut access = Self::default();
        access.orgs.extend(scope.org.clone());
        access.projects.extend(scope.project.clone());
        access.users.extend(scope.user.clone());
        access.threads.extend(scope.thread.clone());
        if let (Some(project), Some(participant)) = (&scope.project, &scope.participant) {
            access.participants.insert((project.clone(), participant.clone()));
        }
        access
    }

    pub(crate) fn opens(&self, scope: &Scope) -> bool {
        self.opens_place(scope) && self.opens_person(scope) && self.opens_thread(scope)
    }

    fn opens_place(&self, scope: &Scope) -> bool {
        match (&scope.project, &scope.participant, &scope.org) {
            (Some(project), participant, _) => {
                self.projects.contains(project)
                    || self.holds(project)
                    || participant.as_ref().is_some_and(|who| self.knows(project, who))
            }
            (None, _, Some(org)) => self.orgs.contains(org),
            (None, _, None) => true,
        }
    }

    fn opens_person(&self, scope: &Scope) -> bool {
        let user = scope.user.as_ref().is_none_or(|user| self.users.contains(user));
        let participant = match (&scope.project, &scope.participant) {
            (Some(project), Some(who)) => self.holds(project) || self.knows(project, who),
            (_, None) => true,
            (None, Some(_)) => false,
        };
        user && participant
    }

    fn opens_thread(&self, scope: &Scope) -> bool {
        scope.thread.as_ref().is_none_or(|thread| {
            self.threads.contains(thread) || scope.project.as_ref().is_some_and(|project| self.holds(project))
        })
    }

    fn holds(&self, project: &Id) -> bool {
        self.people_of.contains(project)
    }

    fn knows(&self, project: &Id, participant: &Id) -> bool {
        self.participants.contains(&(project.clone(), participant.clone()))
    }

    pub(crate) fn containers(&self) -> impl Iterator<Item = Container> {
        let orgs = self.orgs.iter().cloned().map(Container::Org);
        let held = self
            .people_of
            .iter()
            .flat_map(|project| [Container::Project(project.clone()), Container::PeopleOf(project.clone())]);
        let users = self.users.iter().cloned().map(Container::User);
        let participants = self
            .participants
            .iter()
            .cloned()
            .map(|(project, participant)| Container::Participant { project, participant });
        let threads = self.threads.iter().cloned().map(Container::Thread);
        let projects = self.projects.iter().cloned().map(Container::Project);
        [Container::Tenant]
            .into_iter()
            .chain(orgs)
            .chain(projects)
            .chain(held)
            .chain(users)
            .chain(participants)
            .chain(threads)
    }
}

impl Sight {
    fn opens(&self, scope: &Scope) -> bool {
        match self {
            Self::Admin | Self::Operator => true,
            Self::Within(access) => access.opens(scope),
            Self::InRun(sight, run, near) => sight.opens(scope) && run.means(*near, scope),
        }
    }
}

impl Reader {
    /// True when every container that `scope` names is one the reader has.
    pub fn may_read(&self, scope: &Scope) -> bool {
        self.tenant == scope.tenant && self.sight.opens(scope)
    }

    /// The tokens of which every readable scope has at least one; none for who reads everything in the tenant.
    pub fn tokens(&self) -> Option<BTreeSet<String>> {
        match &self.sight {
            Sight::Admin | Sight::Operator => None,
            Sight::Within(access) => Some(access.containers().map(|one| one.token()).collect()),
            Sight::InRun(_, run, near) => Some(run.tokens(*near)),
        }
    }

    /// Refuses a reader of more containers than a query can carry.
    pub fn check(self) -> Result<Self, BadInput> {
        let count = self.tokens().map_or(0, |tokens| tokens.len());
        if count > limits::CONTAINERS_MAX {
            let most = limits::CONTAINERS_MAX;
            return Err(BadInput::new("reader", format!("names {count} containers; at most {most}")));
        }
        Ok(self)
    }
}

impl Writer {
    /// True when the writer may write facts of `scope`.
    pub fn may_write(&self, scope: &Scope) -> bool {
        self.tenant == scope.tenant
            && match &self.reach {
                Reach::Admin => true,
                Reach::Within(grants) => grants.reach(scope),
            }
    }
}

impl Grants {
    /// What `scope` as a caller may write: the end user it names, else its project, and outside a project its org,
    /// user or thread.
    pub fn of(scope: &Scope) -> Self {
        let mut grants = Self::default();
        grants.users.extend(scope.user.clone());
        match (&scope.project, &scope.participant) {
            (Some(project), Some(participant)) => {
                grants.participants.insert((project.clone(), participant.clone()));
            }
            (Some(project), None) => grants.projects.extend([project.clone()]),
            (None, _) => {
                grants.admin_of_orgs.extend(scope.org.clone());
                grants.threads.extend(scope.thread.clone());
            }
        }
        grants
    }

    fn reach(&self, scope: &Scope) -> bool {
        let user = scope.user.as_ref().is_none_or(|user| self.users.contains(user));
        user && match (&scope.project, &scope.participant, &scope.thread, &scope.org) {
            (Some(project), Some(participant), _, _) => {
                self.projects.contains(project)
                    || self.participants.contains(&(project.clone(), participant.clone()))
            }
            (Some(project), None, _, _) => self.projects.contains(project),
            (None, _, Some(thread), _) => self.threads.contains(thread),
            (None, _, None, Some(org)) => self.admin_of_orgs.contains(org),
            (None, _, None, None) => scope.user.is_some(),
        }
    }
}
