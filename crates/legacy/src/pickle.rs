//! Python's pickles, protocols 2 to 5, read as plain data. Nothing is imported, called or made: the name of a class
//! or a function is a name, and what would be called with it stays what it would be called with.

use std::collections::BTreeMap;

use fact::BadInput;
use serde_json::{Map, Value};

mod bytes;
mod data;
mod operation;

/// One pickle, in bytes.
pub(crate) const PICKLE_BYTES_MAX: usize = 4 << 20;
/// Values that one pickle makes.
const NODES_MAX: usize = 500_000;

/// One value; others it holds are named by their number.
#[derive(Debug)]
enum Node {
    None,
    Bool(bool),
    Int(i64),
    /// One that needs the 64th bit: ids are numbers without a sign.
    Large(u64),
    Float(f64),
    Words(String),
    /// Bytes, a whole number beyond 64 bits: kept apart from none, and not read.
    Opaque,
    /// A list, a tuple or a set.
    List(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    /// A class or a function, as its pickle names it.
    Name,
    Object(Object),
}

/// What a call or a class would have made.
#[derive(Debug, Default)]
struct Object {
    state: Option<usize>,
    pairs: Vec<(usize, usize)>,
}

/// What an unpickler keeps while it reads.
#[derive(Default)]
struct Machine<'a> {
    rest: &'a [u8],
    nodes: Vec<Node>,
    stack: Vec<usize>,
    /// How high the stack was at each mark.
    marks: Vec<usize>,
    memo: BTreeMap<usize, usize>,
}

/// The fields of the object in a pickle: of a dictionary, or of what its class keeps.
pub(crate) fn fields(pickle: &[u8], wanted: &[&str]) -> Result<Map<String, Value>, BadInput> {
    if pickle.len() > PICKLE_BYTES_MAX {
        return Err(bad(format!("has more than {PICKLE_BYTES_MAX} bytes")));
    }
    let mut machine = Machine { rest: pickle, ..Machine::default() };
    let root = machine.run()?;
    data::fields(&machine.nodes, root, wanted)
}

impl Machine<'_> {
    /// Runs to the end; gives the number of the value that is left.
    fn run(&mut self) -> Result<usize, BadInput> {
        loop {
            let code = self.byte()?;
            if code == operation::STOP {
                return self.pop();
            }
            self.step(code)?;
        }
    }

    fn push(&mut self, node: Node) -> Result<(), BadInput> {
        if self.nodes.len() == NODES_MAX {
            return Err(bad(format!("has more than {NODES_MAX} values")));
        }
        self.stack.push(self.nodes.len());
        self.nodes.push(node);
        Ok(())
    }

    fn pop(&mut self) -> Result<usize, BadInput> {
        let floor = self.marks.last().copied().unwrap_or_default();
        let top = if self.stack.len() > floor { self.stack.pop() } else { None };
        top.ok_or_else(|| bad("takes a value that is not there"))
    }

    /// What was put on the stack since the last mark.
    fn since_mark(&mut self) -> Result<Vec<usize>, BadInput> {
        let mark = self.marks.pop().ok_or_else(|| bad("has no mark"))?;
        Ok(self.stack.split_off(mark))
    }

    fn top(&self) -> Result<usize, BadInput> {
        self.stack.last().copied().ok_or_else(|| bad("takes a value that is not there"))
    }
}

fn bad(problem: impl Into<std::borrow::Cow<'static, str>>) -> BadInput {
    BadInput::new("pickle", problem)
}
