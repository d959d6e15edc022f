//! What each operation of a pickle does here. Those that would load, call or fetch make an inert object, or refuse.

use fact::BadInput;

use super::{Machine, Node, Object, bad};

pub(super) const STOP: u8 = b'.';
const PROTOCOLS: std::ops::RangeInclusive<u8> = 2..=5;
const INT_BYTES_MAX: usize = 8;

impl Machine<'_> {
    pub(super) fn step(&mut self, code: u8) -> Result<(), BadInput> {
        let is_done =
            self.literal(code)? || self.container(code)? || self.inert(code)? || self.stacked(code)?;
        if is_done {
            return Ok(());
        }
        // Persistent ids, extension codes, buffers outside, protocols 0 and 1, and what nobody knows.
        Err(bad("has an operation that is not read"))
    }

    /// Numbers, text and bytes.
    fn literal(&mut self, code: u8) -> Result<bool, BadInput> {
        let node = match code {
            b'N' => Node::None,
            0x88 => Node::Bool(true),
            0x89 => Node::Bool(false),
            b'J' => Node::Int(i32::from_le_bytes(self.array()?).into()),
            b'K' => Node::Int(self.byte()?.into()),
            b'M' => Node::Int(u16::from_le_bytes(self.array()?).into()),
            0x8a => integer(self.counted(1)?),
            0x8b => integer(self.counted(4)?),
            b'G' => Node::Float(f64::from_be_bytes(self.array()?)),
            0x8c => Node::Words(self.words(1)?),
            b'X' => Node::Words(self.words(4)?),
            0x8d => Node::Words(self.words(8)?),
            b'C' => self.opaque(1)?,
            b'B' => self.opaque(4)?,
            0x8e | 0x96 => self.opaque(8)?,
            _ => return Ok(false),
        };
        self.push(node)?;
        Ok(true)
    }

    fn opaque(&mut self, bytes: usize) -> Result<Node, BadInput> {
        self.counted(bytes)?;
        Ok(Node::Opaque)
    }

    /// Lists, tuples, sets and dictionaries.
    fn container(&mut self, code: u8) -> Result<bool, BadInput> {
        match code {
            b']' | b')' | 0x8f => self.push(Node::List(Vec::new()))?,
            b'}' => self.push(Node::Dict(Vec::new()))?,
            b't' | 0x91 | b'l' => {
                let items = self.since_mark()?;
                self.push(Node::List(items))?;
            }
            b'd' => {
                let items = self.since_mark()?;
                self.push(Node::Dict(Vec::new()))?;
                self.set(&items)?;
            }
            0x85..=0x87 => {
                let length = usize::from(code - 0x84);
                let mut items = (0..length).map(|_| self.pop()).collect::<Result<Vec<_>, _>>()?;
                items.reverse();
                self.push(Node::List(items))?;
            }
            b'a' => {
                let item = self.pop()?;
                self.extend(&[item])?;
            }
            b'e' | 0x90 => {
                let items = self.since_mark()?;
                self.extend(&items)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set(&[key, value])?;
            }
            b'u' => {
                let items = self.since_mark()?;
                self.set(&items)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Names, and what would be made by them.
    fn inert(&mut self, code: u8) -> Result<bool, BadInput> {
        match code {
            b'c' => {
                self.line()?;
                self.line()?;
                self.push(Node::Name)?;
            }
            0x93 => {
                self.pop()?;
                self.pop()?;
                self.push(Node::Name)?;
            }
            b'R' | 0x81 => {
                self.pop()?;
                self.pop()?;
                self.push(Node::Object(Object::default()))?;
            }
            0x92 => {
                self.pop()?;
                self.pop()?;
                self.pop()?;
                self.push(Node::Object(Object::default()))?;
            }
            b'b' => {
                let state = self.pop()?;
                let Node::Object(object) = self.last_node()? else {
                    return Err(bad("builds what is no object"));
                };
                object.state = Some(state);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The stack itself, and what is remembered.
    fn stacked(&mut self, code: u8) -> Result<bool, BadInput> {
        match code {
            0x80 if PROTOCOLS.contains(&self.byte()?) => {}
            0x80 => return Err(bad("is of a protocol that is not read")),
            0x95 => {
                self.take(8)?;
            }
            b'(' => self.marks.push(self.stack.len()),
            b'0' => {
                if self.pop().is_err() {
                    self.since_mark()?;
                }
            }
            b'1' => {
                self.since_mark()?;
            }
            b'2' => self.stack.push(self.top()?),
            b'q' => self.remember(1)?,
            b'r' => self.remember(4)?,
            0x94 => {
                self.memo.insert(self.memo.len(), self.top()?);
            }
            b'h' => self.recall(1)?,
            b'j' => self.recall(4)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn remember(&mut self, bytes: usize) -> Result<(), BadInput> {
        let number = self.length(bytes)?;
        self.memo.insert(number, self.top()?);
        Ok(())
    }

    fn recall(&mut self, bytes: usize) -> Result<(), BadInput> {
        let number = self.length(bytes)?;
        let node = self.memo.get(&number).copied().ok_or_else(|| bad("recalls what is not there"))?;
        self.stack.push(node);
        Ok(())
    }

    fn last_node(&mut self) -> Result<&mut Node, BadInput> {
        let top = self.top()?;
        self.nodes.get_mut(top).ok_or_else(|| bad("takes a value that is not there"))
    }

    /// What is added to a list of a class of its own is not read.
    fn extend(&mut self, items: &[usize]) -> Result<(), BadInput> {
        let node = self.last_node()?;
        if let Node::List(list) = node {
            list.extend(items);
        } else if !matches!(node, Node::Object(_)) {
            return Err(bad("adds to what is no list"));
        }
        Ok(())
    }

    fn set(&mut self, items: &[usize]) -> Result<(), BadInput> {
        let (pairs, []) = items.as_chunks::<2>() else {
            return Err(bad("has a key without a value"));
        };
        let pairs = pairs.iter().map(|[key, value]| (*key, *value));
        let node = self.last_node()?;
        let (Node::Dict(held) | Node::Object(Object { pairs: held, .. })) = node else {
            return Err(bad("sets a key of what is no dictionary"));
        };
        held.extend(pairs);
        Ok(())
    }
}

/// A whole number of as many bytes, the lowest first.
fn integer(bytes: &[u8]) -> Node {
    // Python writes a ninth byte, which is the sign.
    if let Ok(whole) = <[u8; INT_BYTES_MAX + 1]>::try_from(bytes)
        && let [.., 0] = whole
    {
        return Node::Large(u64::from_le_bytes(std::array::from_fn(|at| whole[at])));
    }
    if bytes.len() > INT_BYTES_MAX {
        return Node::Opaque;
    }
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut whole = [if is_negative { 0xff } else { 0 }; INT_BYTES_MAX];
    whole[..bytes.len()].copy_from_slice(bytes);
    Node::Int(i64::from_le_bytes(whole))
}
