//! Random programs of one invariant over `d`, the data of three nodes.

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;

/// A text with `$0`, `$1`, ... for its parts.
fn fill(template: &str, parts: &[String]) -> String {
    let mut text = template.to_owned();
    for (index, part) in parts.iter().enumerate() {
        text = text.replace(&format!("${index}"), part);
    }
    text
}

/// Expressions of ints, in which `$0` and `$1` are ints, and `$2` and `$3` bools.
const INTS: &[&str] = &[
    "($0 + $1)",
    "($0 - $1)",
    "($0 * $1)",
    "($0 / $1)",
    "($0 % $1)",
    "(-$0)",
    "($2 ? $0 : $1)",
    "d.map(x => x[0] + $0).sum()",
    "d.map(x => x[0] * 2).max()",
    "d.map(x => x.int16()).min()",
    "d.count(x => x[0] > $0)",
    "d.count(d[1])",
    "d.indexOf(d[2])",
    "d.distinct().length()",
    "d.sort()[0][0]",
    "d.sort(x => x.int16be()).last().uint16()",
    "d.filter(x => x[0] < $0).length()",
    "d.fold($0, (a, x) => a + x[1])",
    "int[$0, $1][d[0][0] % 2]",
    "map<int, int>{$0: 1, 2: 2}.get($1, 7)",
    "map<data, int>{d[0]: 1, d[1]: 2}.length()",
    "d[0].string().length()",
    "$0.byte().int8()",
    "helper($0)",
    "d.max()[0]",
];

/// Expressions of bools, with the same parts.
const BOOLS: &[&str] = &[
    "($0 < $1)",
    "($0 == $1)",
    "($0 >= $1)",
    "($2 && $3)",
    "($2 || $3)",
    "(!$2)",
    "($2 == $3)",
    "($2 ? $3 : $2)",
    "d.equalElements()",
    "(d[0] < d[1])",
    "(d[0] >= d[2])",
    "d.contains(d[1].slice(0, 2))",
    "d.all(x => x[0] < $0)",
    "d.any(x => x[0] == 97 || x[1] == 1)",
    "d.all(x => 10 / (x[0] + 1) < $0)",
    "(d[0].string() == d[1].string())",
    "d[0].contains(d[1].slice(0, 1))",
    "d[2].startsWith(d[0].slice(0, 1))",
    "d[1].endsWith(d[0].slice(1))",
    "(d[0].hex() < d[1].hex())",
    "(int[$0, 1] == int[$1, 1])",
    "map<bool, int>{$2: 1}.has(true)",
    "int[$0, 3].contains($1)",
    "(d[0].node() == \"a\")",
];

/// An int and a bool of at most this depth.
fn parts(depth: u32) -> BoxedStrategy<(String, String)> {
    let ints =
        prop::sample::select(vec!["0", "1", "3", "97", "d[0][0]", "d[1][0]", "d[2][0]", "d[0][1]"]);
    let bools = prop::sample::select(vec![
        "true",
        "(d[0][0] == 97)",
        "(d[1][0] > d[2][0])",
        "(d[1] == d[2])",
    ]);
    let leaf = (ints, bools).prop_map(|(int, bool)| (int.to_owned(), bool.to_owned()));
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = || parts(depth - 1);
    let made = (prop::sample::select(INTS), prop::sample::select(BOOLS), inner(), inner());
    let made = made.prop_map(|(int, bool, a, b)| {
        let parts = [a.0, b.0, a.1, b.1];
        (fill(int, &parts), fill(bool, &parts))
    });
    prop_oneof![1 => leaf, 4 => made].boxed()
}

/// A whole program.
pub(crate) fn program() -> impl Strategy<Value = String> {
    let body = prop::sample::select(vec![
        "return $1;",
        "if ($1) { return $3; } return $5;",
        "var n = $0; var i = 0; while (n > 0 && i < 3) { n -= $2; i += 1; } return $3 && n < $4;",
        "var hits = 0; for (x in d) { if (x[0] == 1) { continue; } if ($1) { hits += x[0]; } } \
         return hits < $2;",
        "var list = int[]; for (x in d) { list.push(x[0]); } list[$0 % 2] = $2; return list.sum() > $4;",
        "return $1 || $0 / $2 == 1 || $3;",
    ]);
    (body, parts(3), parts(2), parts(1)).prop_map(|(body, a, b, c)| {
        let body = fill(body, &[a.0, a.1, b.0, b.1, c.0, c.1]);
        format!(
            "invariant random(data[] d) : nodes, states, keys {{ {body} }}\n\
             int helper(int n) {{ if (n > 5) {{ return n - 5; }} return n; }}\n\
             string[] nodes() {{ return sys.nodes(); }}\n\
             int[] states(string node) {{ return int[0]; }}\n\
             string[] keys(string node, int state) {{ return string[\"v\"]; }}\n"
        )
    })
}
