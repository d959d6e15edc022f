//! What a pickle made, as JSON. A value that is held many times counts each time, so that none can grow without end.

use fact::BadInput;
use serde_json::{Map, Number, Value};

use super::{Node, Object, bad};

/// Values of one object, each counted as often as it is held.
const VALUES_MAX: usize = 100_000;
/// Values within values.
const DEPTH_MAX: usize = 64;

/// What an object of pydantic, or of a plain class, keeps its fields in.
const FIELDS: &str = "__dict__";

/// The wanted fields of the object; the others are not looked at.
pub(super) fn fields(nodes: &[Node], root: usize, wanted: &[&str]) -> Result<Map<String, Value>, BadInput> {
    let pairs = pairs(nodes, root).ok_or_else(|| bad("holds no object with fields"))?;
    let kept = find(nodes, pairs, FIELDS).and_then(|kept| self::pairs(nodes, kept));
    let pairs = kept.unwrap_or(pairs);
    let mut left = VALUES_MAX;
    let mut fields = Map::new();
    for name in wanted {
        if let Some(node) = find(nodes, pairs, name) {
            fields.insert((*name).to_owned(), value(nodes, node, DEPTH_MAX, &mut left)?);
        }
    }
    Ok(fields)
}

/// The pairs of a dictionary, of an object that was filled like one, or of the state that an object was built with.
fn pairs(nodes: &[Node], node: usize) -> Option<&[(usize, usize)]> {
    let mut kept = nodes.get(node)?;
    if let Node::Object(Object { state: Some(state), .. }) = kept {
        kept = nodes.get(*state)?;
    }
    let (Node::Dict(pairs) | Node::Object(Object { pairs, .. })) = kept else {
        return None;
    };
    Some(pairs)
}

/// The last value under a name counts.
fn find(nodes: &[Node], pairs: &[(usize, usize)], name: &str) -> Option<usize> {
    let is_named = |key: usize| matches!(nodes.get(key), Some(Node::Words(words)) if words == name);
    pairs.iter().rev().find(|(key, _)| is_named(*key)).map(|(_, value)| *value)
}

fn value(nodes: &[Node], node: usize, depth: usize, left: &mut usize) -> Result<Value, BadInput> {
    let below =
        depth.checked_sub(1).ok_or_else(|| bad(format!("is nested deeper than {DEPTH_MAX} levels")))?;
    *left = left.checked_sub(1).ok_or_else(|| bad(format!("holds more than {VALUES_MAX} values")))?;
    let Some(node) = nodes.get(node) else {
        return Err(bad("takes a value that is not there"));
    };
    Ok(match node {
        Node::None => Value::Null,
        Node::Bool(is_true) => Value::Bool(*is_true),
        Node::Int(number) => Value::Number((*number).into()),
        Node::Large(number) => Value::Number((*number).into()),
        Node::Float(number) => Number::from_f64(*number).map_or_else(opaque, Value::Number),
        Node::Words(words) => Value::String(words.clone()),
        Node::List(items) => {
            let items = items.iter().map(|item| value(nodes, *item, below, left));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Node::Dict(pairs) => Value::Object(object(nodes, pairs, below, left)?),
        Node::Object(Object { state: None, pairs }) if !pairs.is_empty() => {
            Value::Object(object(nodes, pairs, below, left)?)
        }
        Node::Object(_) | Node::Name | Node::Opaque => opaque(),
    })
}

/// A dictionary's pairs; those whose key is neither text nor a number are left out.
fn object(
    nodes: &[Node],
    pairs: &[(usize, usize)],
    below: usize,
    left: &mut usize,
) -> Result<Map<String, Value>, BadInput> {
    let mut object = Map::new();
    for (key, held) in pairs {
        let held = value(nodes, *held, below, left)?;
        match nodes.get(*key) {
            Some(Node::Words(name)) => object.insert(name.clone(), held),
            Some(Node::Int(number)) => object.insert(number.to_string(), held),
            Some(_) | None => None,
        };
    }
    Ok(object)
}

/// What is there and cannot be read: no words, no number, no list.
fn opaque() -> Value {
    Value::Object(Map::new())
}
