//! Many writers at once: processes on one file, tasks on one server, clients of one fact, and callers that go away.

mod cancelled;
mod clients;
mod giving_way;
mod processes;
mod recalling;
mod settling;
mod sharing;
