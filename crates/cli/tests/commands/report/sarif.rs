//! SARIF, held against its schema.
//!
//! [`TYPES`] has the objects of the schema of SARIF 2.1.0 that we write, with all that it allows in them: a
//! property that the schema does not know is an error there, and one that we do not write is an error here,
//! until its line is added.

use serde_json::Value;

/// The objects, one a line: `name: property=value ...`. `!` marks what is required. A value is an object of
/// this table, `text`, `uri`, `bool`, `number`, `N..` (an integer from N on), `any` (a bag of properties),
/// `texts` (an object of texts), words of an enumeration, or in brackets a list of such, which `+` asks to
/// have an element.
const TYPES: &str = "\
log: $schema=uri version!=2.1.0 runs!=[run]
run: tool!=tool invocations=[invocation] columnKind=utf16CodeUnits|unicodeCodePoints results=[result]
tool: driver!=component
component: name!=text version=text semanticVersion=text informationUri=uri rules=[rule]
rule: id!=text shortDescription=multiformat fullDescription=multiformat defaultConfiguration=configuration helpUri=uri
multiformat: text!=text markdown=text
configuration: enabled=bool level=none|note|warning|error
invocation: commandLine=text executionSuccessful!=bool exitCode=number properties=any
result: ruleId=text ruleIndex=0.. level=none|note|warning|error message!=message locations=[location] occurrenceCount=1.. partialFingerprints=texts stacks=[stack] codeFlows=[codeFlow] baselineState=new|unchanged|updated|absent properties=any
message: text!=text markdown=text
location: physicalLocation=physical logicalLocations=[logical] message=message
physical: artifactLocation!=artifact region=region
artifact: uri!=uri uriBaseId=text
region: startLine!=1.. startColumn=1.. endLine=1.. endColumn=1..
logical: name=text fullyQualifiedName=text kind=text
stack: message=message frames!=[frame]
frame: location=location module=text
codeFlow: message=message threadFlows!=[+threadFlow]
threadFlow: id=text message=message locations!=[+step]
step: location=location executionOrder=0.. properties=any
";

/// Fails unless a log is one of the schema.
pub(super) fn check_schema(log: &Value) {
    check("log", "log", log);
    // What the schema says in words: section 3.52.5, and 3.27.6 for the index of the rule.
    for run in log["runs"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
        }
        let mut ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), rules.len(), "rules are unique");
    }
}

fn check(kind: &str, place: &str, value: &Value) {
    let begin = format!("{kind}: ");
    let line = TYPES.lines().find_map(|line| line.strip_prefix(&begin));
    let line = line.unwrap_or_else(|| panic!("{place}: the table has no {kind}"));
    let object = value.as_object().unwrap_or_else(|| panic!("{place} is no object: {value}"));
    let mut known = Vec::new();
    for property in line.split(' ') {
        let (name, of) = property.split_once('=').unwrap();
        let (name, is_required) = match name.strip_suffix('!') {
            Some(name) => (name, true),
            None => (name, false),
        };
        known.push(name);
        let place = format!("{place}.{name}");
        match object.get(name) {
            None => assert!(!is_required, "{place} is required"),
            Some(value) => check_value(of, &place, value),
        }
    }
    for name in object.keys() {
        assert!(known.contains(&name.as_str()), "{place}.{name} is not in the schema");
    }
}

fn check_value(of: &str, place: &str, value: &Value) {
    let list = of.strip_prefix('[').and_then(|of| of.strip_suffix(']'));
    if let Some(of) = list {
        let list = value.as_array().unwrap_or_else(|| panic!("{place} is no list: {value}"));
        let of = match of.strip_prefix('+') {
            Some(of) => {
                assert!(!list.is_empty(), "{place} is empty");
                of
            }
            None => of,
        };
        list.iter()
            .enumerate()
            .for_each(|(n, value)| check_value(of, &format!("{place}[{n}]"), value));
        return;
    }
    let is_one = match of {
        "text" => value.is_string(),
        "uri" => value.as_str().is_some_and(is_uri_reference),
        "bool" => value.is_boolean(),
        "number" => value.is_i64(),
        "any" => value.is_object(),
        "texts" => value.as_object().is_some_and(|all| all.values().all(Value::is_string)),
        least if least.ends_with("..") => {
            let least = least.trim_end_matches('.').parse::<u64>().unwrap();
            value.as_u64().is_some_and(|number| number >= least)
        }
        words if words.contains(['|', '.']) => {
            value.as_str().is_some_and(|word| words.split('|').any(|known| known == word))
        }
        object => return check(object, place, value),
    };
    assert!(is_one, "{place} is no {of}: {value}");
}

/// The characters of RFC 3986, and no percent sign that is none.
fn is_uri_reference(text: &str) -> bool {
    let others = "-._~:/?#[]@!$&'()*+,;=%";
    let mut parts = text.split('%');
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    let is_escape =
        |part: &str| part.len() >= 2 && part.bytes().take(2).all(|digit| digit.is_ascii_hexdigit());
    // A reference without a scheme has no colon in its first segment.
    let first = text.split('/').next().unwrap_or_default();
    let has_scheme = ["https:", "file:"].contains(&first);
    parts.next();
    text.chars().all(is_allowed) && parts.all(is_escape) && (has_scheme || !first.contains(':'))
}

#[test]
fn what_the_schema_does_not_allow_is_noticed() {
    let log = |result: Value| {
        serde_json::json!({ "version": "2.1.0", "runs": [{
            "tool": { "driver": { "name": "x", "rules": [{ "id": "leak" }] } },
            "results": [result],
        }] })
    };
    let good = serde_json::json!({
        "ruleId": "leak", "ruleIndex": 0, "message": { "text": "m" },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": "a%20b.c" }, "region": { "startLine": 1 },
        } }],
    });
    check_schema(&log(good.clone()));
    let bad: [(&str, Value); 7] = [
        ("/message", serde_json::json!({})),
        ("/ruleIndex", 1.into()),
        ("/ruleId", "other".into()),
        ("/locations/0/physicalLocation/region/startLine", 0.into()),
        ("/locations/0/physicalLocation/artifactLocation/uri", "a b.c".into()),
        ("/locations/0/physicalLocation/artifactLocation/uri", "a:b.c".into()),
        ("/locations/0/physicalLocation", serde_json::json!({ "file": "a.c" })),
    ];
    for (place, value) in bad {
        let mut result = good.clone();
        *result.pointer_mut(place).unwrap() = value;
        let checked = std::panic::catch_unwind(|| check_schema(&log(result)));
        assert!(checked.is_err(), "{place}");
    }
}
