//! The methods of every type, the functions and `sys`, with their types.
//!
//! One table for the checker; the documentation follows it.

use crate::types::ValueType;
use crate::vm::code::{PlainMethod, SysQuery};

/// A method of a type.
pub(crate) struct MethodSignature {
    pub(crate) params: Vec<ExpectedArgument>,
    /// The number of parameters at the end that may be left out.
    pub(crate) optional: usize,
    /// The result, if the argument does not decide it.
    pub(crate) result: ValueType,
    pub(crate) action: MethodAction,
}

/// The requirement that an argument has to meet.
pub(crate) enum ExpectedArgument {
    Value(ValueType),
    /// A function without a name, of parameters with these types.
    Lambda(Vec<ValueType>, LambdaResult),
}

/// The result that a function without a name must return.
pub(crate) enum LambdaResult {
    Bool,
    Ordered,
    Any,
    /// The type of another argument.
    Accumulator,
}

/// The way in which a method is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodAction {
    Plain(PlainMethod),
    /// Reads a number at an offset, 0 if it is left out.
    Decode(PlainMethod),
    Loop(LambdaMethod),
    /// Changes its receiver, which must be a variable or a part of one.
    Push,
    Remove,
}

/// Methods that call a function without a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LambdaMethod {
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
pub(crate) const SYS: &[(&str, SysQuery, bool)] = &[
    ("nodes", SysQuery::Nodes, false),
    ("time", SysQuery::Time, false),
    ("exposing", SysQuery::Exposing, false),
    ("ended", SysQuery::Ended, false),
    ("hostname", SysQuery::Hostname, true),
    ("addresses", SysQuery::Addresses, true),
    ("alive", SysQuery::Alive, true),
];

/// Returns the type of the result of a method of `sys`.
pub(crate) fn sys_result(sys: SysQuery) -> ValueType {
    match sys {
        SysQuery::Nodes | SysQuery::Addresses => ValueType::array(ValueType::String),
        SysQuery::Time => ValueType::Int,
        SysQuery::Exposing | SysQuery::Hostname => ValueType::String,
        SysQuery::Ended | SysQuery::Alive => ValueType::Bool,
    }
}

/// The names of the methods of a type.
pub(crate) fn methods(ty: &ValueType) -> &'static [&'static str] {
    match ty {
        ValueType::Int => INT,
        ValueType::Bool | ValueType::Unknown => &[],
        ValueType::String => STRING,
        ValueType::Data => DATA,
        ValueType::Array(_) => ARRAY,
        ValueType::Map(..) => MAP,
    }
}

/// Returns the name that a method of ours has under the name that other languages give it.
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
pub(crate) fn method(receiver: &ValueType, name: &str, lambda: bool) -> Option<MethodSignature> {
    if !methods(receiver).contains(&name) {
        return None;
    }
    match receiver {
        ValueType::Array(element) => array_method(receiver, element, name, lambda),
        ValueType::Map(key, value) => map_method(key, value, name),
        ValueType::Data if name.starts_with("int") || name.starts_with("uint") => number(name),
        ValueType::Data | ValueType::String | ValueType::Int => scalar_method(receiver, name),
        ValueType::Bool | ValueType::Unknown => None,
    }
}

fn plain(
    params: Vec<ValueType>,
    result: ValueType,
    method: PlainMethod,
) -> Option<MethodSignature> {
    let params = params.into_iter().map(ExpectedArgument::Value).collect();
    Some(MethodSignature { params, optional: 0, result, action: MethodAction::Plain(method) })
}

fn looping(
    element: &ValueType,
    wanted: LambdaResult,
    result: ValueType,
    kind: LambdaMethod,
) -> Option<MethodSignature> {
    let params = vec![ExpectedArgument::Lambda(vec![element.clone()], wanted)];
    Some(MethodSignature { params, optional: 0, result, action: MethodAction::Loop(kind) })
}

fn slice(receiver: &ValueType) -> Option<MethodSignature> {
    let signature =
        plain(vec![ValueType::Int, ValueType::Int], receiver.clone(), PlainMethod::Slice)?;
    Some(MethodSignature { optional: 1, ..signature })
}

fn array_method(
    array: &ValueType,
    element: &ValueType,
    name: &str,
    lambda: bool,
) -> Option<MethodSignature> {
    let item = || vec![element.clone()];
    match name {
        "length" => plain(vec![], ValueType::Int, PlainMethod::Length),
        "equalElements" => plain(vec![], ValueType::Bool, PlainMethod::EqualElements),
        "contains" => plain(item(), ValueType::Bool, PlainMethod::Contains),
        "count" if lambda => {
            looping(element, LambdaResult::Bool, ValueType::Int, LambdaMethod::Count)
        }
        "count" => plain(item(), ValueType::Int, PlainMethod::CountOf),
        "distinct" => plain(vec![], array.clone(), PlainMethod::Distinct),
        "sort" if lambda => {
            looping(element, LambdaResult::Ordered, array.clone(), LambdaMethod::SortBy)
        }
        "sort" => plain(vec![], array.clone(), PlainMethod::Sort),
        "min" => plain(vec![], element.clone(), PlainMethod::Min),
        "max" => plain(vec![], element.clone(), PlainMethod::Max),
        "sum" => plain(vec![], ValueType::Int, PlainMethod::Sum),
        "map" => looping(element, LambdaResult::Any, ValueType::Unknown, LambdaMethod::Map),
        "filter" => looping(element, LambdaResult::Bool, array.clone(), LambdaMethod::Filter),
        "all" => looping(element, LambdaResult::Bool, ValueType::Bool, LambdaMethod::All),
        "any" => looping(element, LambdaResult::Bool, ValueType::Bool, LambdaMethod::Any),
        "fold" => Some(MethodSignature {
            params: vec![
                ExpectedArgument::Value(ValueType::Unknown),
                ExpectedArgument::Lambda(
                    vec![ValueType::Unknown, element.clone()],
                    LambdaResult::Accumulator,
                ),
            ],
            optional: 0,
            result: ValueType::Unknown,
            action: MethodAction::Loop(LambdaMethod::Fold),
        }),
        "first" => plain(vec![], element.clone(), PlainMethod::First),
        "last" => plain(vec![], element.clone(), PlainMethod::Last),
        "slice" => slice(array),
        "reverse" => plain(vec![], array.clone(), PlainMethod::Reverse),
        "append" => plain(item(), array.clone(), PlainMethod::Append),
        "push" => {
            let signature = plain(item(), ValueType::Int, PlainMethod::Append)?;
            Some(MethodSignature { action: MethodAction::Push, ..signature })
        }
        "concat" => plain(vec![array.clone()], array.clone(), PlainMethod::Concat),
        "indexOf" => plain(item(), ValueType::Int, PlainMethod::IndexOf),
        _ => None,
    }
}

fn map_method(key: &ValueType, value: &ValueType, name: &str) -> Option<MethodSignature> {
    match name {
        "length" => plain(vec![], ValueType::Int, PlainMethod::Length),
        "has" => plain(vec![key.clone()], ValueType::Bool, PlainMethod::Has),
        "keys" => plain(vec![], ValueType::array(key.clone()), PlainMethod::Keys),
        "values" => plain(vec![], ValueType::array(value.clone()), PlainMethod::Values),
        "get" => plain(vec![key.clone(), value.clone()], value.clone(), PlainMethod::GetOr),
        "remove" => {
            let signature = plain(vec![key.clone()], ValueType::Bool, PlainMethod::Has)?;
            Some(MethodSignature { action: MethodAction::Remove, ..signature })
        }
        _ => None,
    }
}

fn scalar_method(ty: &ValueType, name: &str) -> Option<MethodSignature> {
    let same = || vec![ty.clone()];
    match name {
        "length" => plain(vec![], ValueType::Int, PlainMethod::Length),
        "slice" => slice(ty),
        "contains" => plain(same(), ValueType::Bool, PlainMethod::ContainsBytes),
        "startsWith" => plain(same(), ValueType::Bool, PlainMethod::StartsWith),
        "endsWith" => plain(same(), ValueType::Bool, PlainMethod::EndsWith),
        "data" => plain(vec![], ValueType::Data, PlainMethod::StringData),
        "toInt" => plain(vec![], ValueType::Int, PlainMethod::StringToInt),
        "string" if *ty == ValueType::Int => {
            plain(vec![], ValueType::String, PlainMethod::IntString)
        }
        "string" => plain(vec![], ValueType::String, PlainMethod::DataString),
        "byte" => plain(vec![], ValueType::Data, PlainMethod::IntByte),
        "hex" => plain(vec![], ValueType::String, PlainMethod::DataHex),
        "node" => plain(vec![], ValueType::String, PlainMethod::Node),
        "state" => plain(vec![], ValueType::Int, PlainMethod::State),
        "key" => plain(vec![], ValueType::String, PlainMethod::Key),
        "time" => plain(vec![], ValueType::Int, PlainMethod::Time),
        _ => None,
    }
}

/// `int32`, `uint16be` and their relatives.
fn number(name: &str) -> Option<MethodSignature> {
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
    let method = PlainMethod::Decode { size, signed, big };
    let params = vec![ExpectedArgument::Value(ValueType::Int)];
    Some(MethodSignature {
        params,
        optional: 1,
        result: ValueType::Int,
        action: MethodAction::Decode(method),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_method_has_a_signature() {
        let types = [
            ValueType::Int,
            ValueType::String,
            ValueType::Data,
            ValueType::array(ValueType::Int),
            ValueType::map(ValueType::Int, ValueType::Bool),
        ];
        for ty in types {
            for name in methods(&ty) {
                assert!(method(&ty, name, false).is_some(), "{ty}.{name}");
            }
        }
    }
}
