//! What every type can do: the methods, the functions and `sys`, with their types.
//!
//! One table for the checker; the documentation follows it.

use crate::code::{Method, Sys};
use crate::types::Type;

/// A method of a type.
pub(crate) struct Signature {
    pub(crate) params: Vec<Param>,
    /// How many parameters at the end may be left out.
    pub(crate) optional: usize,
    /// The result, if the argument does not decide it.
    pub(crate) result: Type,
    pub(crate) action: Action,
}

/// What an argument must be.
pub(crate) enum Param {
    Value(Type),
    /// A function without a name, of parameters with these types.
    Lambda(Vec<Type>, Wanted),
}

/// What a function without a name must return.
pub(crate) enum Wanted {
    Bool,
    Ordered,
    Any,
    /// The type of another argument.
    Accumulator,
}

/// How a method is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Plain(Method),
    /// Reads a number at an offset, 0 if it is left out.
    Decode(Method),
    Loop(Loop),
    /// Changes its receiver, which must be a variable or a part of one.
    Push,
    Remove,
}

/// Methods that call a function without a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loop {
    Map,
    Filter,
    All,
    Any,
    Count,
    SortBy,
    Fold,
}

const ARRAY: &[&str] = &[
    "length",
    "equalElements",
    "contains",
    "count",
    "distinct",
    "sort",
    "min",
    "max",
    "sum",
    "map",
    "filter",
    "all",
    "any",
    "fold",
    "first",
    "last",
    "slice",
    "reverse",
    "append",
    "push",
    "concat",
    "indexOf",
];
const MAP: &[&str] = &["length", "has", "keys", "values", "get", "remove"];
const STRING: &[&str] = &["length", "slice", "contains", "startsWith", "endsWith", "data", "toInt"];
const DATA: &[&str] = &[
    "length",
    "slice",
    "contains",
    "startsWith",
    "endsWith",
    "string",
    "hex",
    "node",
    "state",
    "key",
    "time",
    "int8",
    "int16",
    "int32",
    "int64",
    "int8be",
    "int16be",
    "int32be",
    "int64be",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint8be",
    "uint16be",
    "uint32be",
    "uint64be",
];
const INT: &[&str] = &["string", "byte"];

/// Functions that every program has.
pub(crate) const FUNCTIONS: &[&str] = &["get", "exposed", "history", "once", "always", "before"];
/// Methods of `sys`.
pub(crate) const SYS: &[(&str, Sys, bool)] = &[
    ("nodes", Sys::Nodes, false),
    ("time", Sys::Time, false),
    ("exposing", Sys::Exposing, false),
    ("ended", Sys::Ended, false),
    ("hostname", Sys::Hostname, true),
    ("addresses", Sys::Addresses, true),
    ("alive", Sys::Alive, true),
];

/// What a method of `sys` returns.
pub(crate) fn sys_result(sys: Sys) -> Type {
    match sys {
        Sys::Nodes | Sys::Addresses => Type::array(Type::String),
        Sys::Time => Type::Int,
        Sys::Exposing | Sys::Hostname => Type::String,
        Sys::Ended | Sys::Alive => Type::Bool,
    }
}

/// The names of the methods of a type.
pub(crate) fn methods(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Int => INT,
        Type::Bool | Type::Unknown => &[],
        Type::String => STRING,
        Type::Data => DATA,
        Type::Array(_) => ARRAY,
        Type::Map(..) => MAP,
    }
}

/// What programmers of other languages call our methods.
pub(crate) fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "size" | "len" | "count" | "length" => "length",
        "includes" | "include" => "contains",
        "every" | "forall" | "forAll" => "all",
        "some" | "exists" => "any",
        "unique" | "uniq" => "distinct",
        "add" => "push",
        "containsKey" => "has",
        "delete" | "erase" => "remove",
        "substring" | "substr" | "sub" => "slice",
        "toString" | "str" => "string",
        "parseInt" | "int" => "toInt",
        "reduce" | "foldl" => "fold",
        "allEqual" | "equal" | "allSame" => "equalElements",
        _ => return None,
    })
}

/// The method of a type; `lambda`: whether its first argument is a function without a name.
pub(crate) fn method(receiver: &Type, name: &str, lambda: bool) -> Option<Signature> {
    if !methods(receiver).contains(&name) {
        return None;
    }
    match receiver {
        Type::Array(element) => array_method(receiver, element, name, lambda),
        Type::Map(key, value) => map_method(key, value, name),
        Type::Data if name.starts_with("int") || name.starts_with("uint") => number(name),
        Type::Data | Type::String | Type::Int => scalar_method(receiver, name),
        Type::Bool | Type::Unknown => None,
    }
}

fn plain(params: Vec<Type>, result: Type, method: Method) -> Option<Signature> {
    let params = params.into_iter().map(Param::Value).collect();
    Some(Signature { params, optional: 0, result, action: Action::Plain(method) })
}

fn looping(element: &Type, wanted: Wanted, result: Type, kind: Loop) -> Option<Signature> {
    let params = vec![Param::Lambda(vec![element.clone()], wanted)];
    Some(Signature { params, optional: 0, result, action: Action::Loop(kind) })
}

fn slice(receiver: &Type) -> Option<Signature> {
    let signature = plain(vec![Type::Int, Type::Int], receiver.clone(), Method::Slice)?;
    Some(Signature { optional: 1, ..signature })
}

fn array_method(array: &Type, element: &Type, name: &str, lambda: bool) -> Option<Signature> {
    let item = || vec![element.clone()];
    match name {
        "length" => plain(vec![], Type::Int, Method::Length),
        "equalElements" => plain(vec![], Type::Bool, Method::EqualElements),
        "contains" => plain(item(), Type::Bool, Method::Contains),
        "count" if lambda => looping(element, Wanted::Bool, Type::Int, Loop::Count),
        "count" => plain(item(), Type::Int, Method::CountOf),
        "distinct" => plain(vec![], array.clone(), Method::Distinct),
        "sort" if lambda => looping(element, Wanted::Ordered, array.clone(), Loop::SortBy),
        "sort" => plain(vec![], array.clone(), Method::Sort),
        "min" => plain(vec![], element.clone(), Method::Min),
        "max" => plain(vec![], element.clone(), Method::Max),
        "sum" => plain(vec![], Type::Int, Method::Sum),
        "map" => looping(element, Wanted::Any, Type::Unknown, Loop::Map),
        "filter" => looping(element, Wanted::Bool, array.clone(), Loop::Filter),
        "all" => looping(element, Wanted::Bool, Type::Bool, Loop::All),
        "any" => looping(element, Wanted::Bool, Type::Bool, Loop::Any),
        "fold" => Some(Signature {
            params: vec![
                Param::Value(Type::Unknown),
                Param::Lambda(vec![Type::Unknown, element.clone()], Wanted::Accumulator),
            ],
            optional: 0,
            result: Type::Unknown,
            action: Action::Loop(Loop::Fold),
        }),
        "first" => plain(vec![], element.clone(), Method::First),
        "last" => plain(vec![], element.clone(), Method::Last),
        "slice" => slice(array),
        "reverse" => plain(vec![], array.clone(), Method::Reverse),
        "append" => plain(item(), array.clone(), Method::Append),
        "push" => {
            let signature = plain(item(), Type::Int, Method::Append)?;
            Some(Signature { action: Action::Push, ..signature })
        }
        "concat" => plain(vec![array.clone()], array.clone(), Method::Concat),
        "indexOf" => plain(item(), Type::Int, Method::IndexOf),
        _ => None,
    }
}

fn map_method(key: &Type, value: &Type, name: &str) -> Option<Signature> {
    match name {
        "length" => plain(vec![], Type::Int, Method::Length),
        "has" => plain(vec![key.clone()], Type::Bool, Method::Has),
        "keys" => plain(vec![], Type::array(key.clone()), Method::Keys),
        "values" => plain(vec![], Type::array(value.clone()), Method::Values),
        "get" => plain(vec![key.clone(), value.clone()], value.clone(), Method::GetOr),
        "remove" => {
            let signature = plain(vec![key.clone()], Type::Bool, Method::Has)?;
            Some(Signature { action: Action::Remove, ..signature })
        }
        _ => None,
    }
}

fn scalar_method(ty: &Type, name: &str) -> Option<Signature> {
    let same = || vec![ty.clone()];
    match name {
        "length" => plain(vec![], Type::Int, Method::Length),
        "slice" => slice(ty),
        "contains" => plain(same(), Type::Bool, Method::ContainsBytes),
        "startsWith" => plain(same(), Type::Bool, Method::StartsWith),
        "endsWith" => plain(same(), Type::Bool, Method::EndsWith),
        "data" => plain(vec![], Type::Data, Method::StringData),
        "toInt" => plain(vec![], Type::Int, Method::StringToInt),
        "string" if *ty == Type::Int => plain(vec![], Type::String, Method::IntString),
        "string" => plain(vec![], Type::String, Method::DataString),
        "byte" => plain(vec![], Type::Data, Method::IntByte),
        "hex" => plain(vec![], Type::String, Method::DataHex),
        "node" => plain(vec![], Type::String, Method::Node),
        "state" => plain(vec![], Type::Int, Method::State),
        "key" => plain(vec![], Type::String, Method::Key),
        "time" => plain(vec![], Type::Int, Method::Time),
        _ => None,
    }
}

/// `int32`, `uint16be` and their relatives.
fn number(name: &str) -> Option<Signature> {
    let (signed, rest) = match name.strip_prefix('u') {
        Some(rest) => (false, rest),
        None => (true, name),
    };
    let digits = rest.strip_prefix("int")?;
    let (digits, big) = match digits.strip_suffix("be") {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    let size = digits.parse::<u8>().ok()? / 8;
    let method = Method::Decode { size, signed, big };
    let params = vec![Param::Value(Type::Int)];
    Some(Signature { params, optional: 1, result: Type::Int, action: Action::Decode(method) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_method_has_a_signature() {
        let types = [
            Type::Int,
            Type::String,
            Type::Data,
            Type::array(Type::Int),
            Type::map(Type::Int, Type::Bool),
        ];
        for ty in types {
            for name in methods(&ty) {
                assert!(method(&ty, name, false).is_some(), "{ty}.{name}");
            }
        }
    }
}
