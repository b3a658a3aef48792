//! What the nodes of a world do at some moment, as a record: everything that a finding has but the finding.

use everett_engine::{
    ExposedValue, FaultReport, Finding, Input, MessageReport, MessageWords, NodeReport,
    PreemptionReport, SourcePlace, StoppedRun,
};

use super::RecordError;
use super::finding::{
    ExposedRecord, FaultRecord, FindingRecord, InputRecord, MessageRecord, NodeRecord, PlaceRecord,
    PreemptionRecord, WordsRecord,
};
use crate::json::finding_json;

impl FindingRecord {
    /// A finding, as its file tells of it.
    pub(crate) fn of_finding(finding: &Finding) -> Result<FindingRecord, RecordError> {
        serde_json::from_str(&finding_json(finding))
            .map_err(|source| RecordError { file: "the finding", source })
    }

    /// A moment of a world.
    pub(crate) fn of_moment(at: &StoppedRun) -> FindingRecord {
        let StoppedRun {
            node,
            at: (time_ns, round),
            nodes,
            variables: _,
            faults,
            preemptions,
            messages,
            messages_omitted,
            exposed,
            exposed_omitted,
            outputs: _,
        } = at;
        FindingRecord {
            node: node.clone(),
            time_ns: *time_ns,
            round: *round,
            world: nodes.iter().map(self::node).collect(),
            messages: messages.iter().map(message).collect(),
            messages_omitted: *messages_omitted,
            faults: faults.iter().map(fault).collect(),
            preemptions: preemptions.iter().map(preemption).collect(),
            exposed: exposed.iter().map(self::exposed).collect(),
            exposed_omitted: *exposed_omitted,
            ..FindingRecord::default()
        }
    }
}

fn node(of: &NodeReport) -> NodeRecord {
    let NodeReport { name, status, stack, inputs } = of;
    NodeRecord {
        name: name.clone(),
        status: status.clone(),
        stack: stack.iter().map(place).collect(),
        inputs: inputs.iter().map(input).collect(),
        test: None,
    }
}

pub(crate) fn input(of: &Input) -> InputRecord {
    let Input { name, bytes } = of;
    InputRecord { name: name.clone(), bytes: bytes.clone() }
}

pub(crate) fn place(of: &SourcePlace) -> PlaceRecord {
    let SourcePlace { function, file, line, column, inlined } = of;
    PlaceRecord {
        function: function.clone(),
        file: (!file.is_empty()).then(|| file.clone()),
        line: (*line > 0).then_some(*line),
        column: (*column > 0).then_some(*column),
        inlined: *inlined,
    }
}

fn message(of: &MessageReport) -> MessageRecord {
    let MessageReport {
        time_ns,
        round,
        from,
        to,
        kind,
        addresses: (source, destination),
        size,
        bytes,
        received,
        received_at,
        words,
    } = of;
    MessageRecord {
        time_ns: *time_ns,
        round: *round,
        from: from.clone(),
        to: to.clone(),
        kind: kind.clone(),
        source: source.clone(),
        destination: destination.clone(),
        size: *size,
        bytes: bytes.clone(),
        received: *received,
        received_ns: received_at.map(|(time_ns, _)| time_ns),
        received_round: received_at.map(|(_, round)| round),
        words: words.as_ref().map(self::words),
    }
}

fn words(of: &MessageWords) -> WordsRecord {
    let MessageWords { decoder, text, failed } = of;
    WordsRecord { decoder: decoder.clone(), text: text.clone(), failed: *failed }
}

fn fault(of: &FaultReport) -> FaultRecord {
    let FaultReport { kind, node, point: _, choice: _, what, time_ns, place } = of;
    FaultRecord {
        kind: kind.name().to_owned(),
        node: node.clone(),
        what: what.clone(),
        time_ns: *time_ns,
        place: place.as_ref().map(self::place),
    }
}

fn preemption(of: &PreemptionReport) -> PreemptionRecord {
    let PreemptionReport { node, point, from, to, time_ns, place } = of;
    PreemptionRecord {
        node: node.clone(),
        point: *point,
        from: *from,
        to: *to,
        time_ns: *time_ns,
        place: place.as_ref().map(self::place),
    }
}

fn exposed(of: &ExposedValue) -> ExposedRecord {
    let ExposedValue { node, state, key, time_ns, round, bytes, symbolic, text } = of;
    ExposedRecord {
        node: node.clone(),
        state: *state,
        key: key.clone(),
        time_ns: *time_ns,
        round: *round,
        bytes: bytes.clone(),
        symbolic: *symbolic,
        text: text.clone(),
    }
}
