//! A [`WorldPart`] as bytes, and back: in the same process, or in another one of the same run.
//!
//! The file (`everett_base::part::file`) has four sections: the terms of what travels with messages, that
//! itself, the terms of everything else, and everything else. A section is read after those that it refers
//! to.
//!
//! Not here: what a part takes for granted. The reader has the same programs, under the same numbers, and the
//! same configuration, which the identity of the run stands for. States that other workers have as well
//! ([`StateRunner`](crate::state::node_state::StateRunner)) are known to the workers of one process only.

use std::any::Any;

use std::sync::Arc;

use everett_base::part::file::{self, PartFileError, RunIdentity};
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_expr::{Pool, TermTable};
use everett_world::{CarriedConstraints, CarriedTable};

use crate::parallel::exchange::WorldPart;
use crate::parallel::spilled_part::SharedChoice;
use crate::state::conditions::{MessageBaggage, TravellingConditions};

/// The tables of a run that the values of a part refer to.
#[derive(Clone, Copy)]
pub(crate) struct PartTables<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) constraints: &'a TravellingConditions,
}

/// Bytes that are not those of a part of this run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PartBytesError {
    /// The file is not one of this run.
    #[error(transparent)]
    File(#[from] PartFileError),
    /// A section has something else than it should.
    #[error(transparent)]
    Content(#[from] PartError),
}

everett_base::portable!(struct WorldPart { from, universe, states, troubles, coverage });

impl WorldPart {
    /// Brings memory up to date with its caches, which are not written.
    pub(crate) fn flush(&mut self) {
        self.states.iter_mut().for_each(|state| state.mem.flush());
    }

    /// The part as bytes; [`WorldPart::flush`] comes first.
    pub(crate) fn to_bytes(&self, tables: PartTables<'_>, run: &RunIdentity) -> Vec<u8> {
        file::to_bytes(run, &sections(self, tables).each_ref().map(|section| &section[..]))
    }

    /// The part that [`WorldPart::to_bytes`] has written in a process of the same run.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        tables: PartTables<'_>,
        run: &RunIdentity,
    ) -> Result<WorldPart, PartBytesError> {
        Ok(read_sections(file::sections(run, bytes)?, tables, &[])?)
    }

    /// The part as bytes for this process or one that goes on with the run, beside choices that are kept
    /// elsewhere; [`WorldPart::flush`] comes first.
    pub(crate) fn to_bytes_beside(
        &self,
        tables: PartTables<'_>,
        choices: &[SharedChoice],
    ) -> Vec<u8> {
        let sections = sections_beside(self, tables, choices);
        file::to_bytes(&SAME_RUN, &sections.each_ref().map(|section| &section[..]))
    }

    /// The part that [`WorldPart::to_bytes_beside`] has written beside the same choices.
    pub(crate) fn from_bytes_beside(
        bytes: &[u8],
        tables: PartTables<'_>,
        choices: &[SharedChoice],
    ) -> Result<WorldPart, PartBytesError> {
        let sections = file::sections(&SAME_RUN, bytes)?;
        Ok(read_sections_beside(sections, tables, &[], choices)?)
    }
}

/// The identity of the run for parts that only the run itself knows of.
const SAME_RUN: RunIdentity = [0; 32];

/// The four sections of a value whose states have been flushed.
pub(crate) fn sections<T: Portable>(value: &T, tables: PartTables<'_>) -> [Vec<u8>; 4] {
    sections_beside(value, tables, &[])
}

/// The same, beside choices that are not written: they have the first numbers of all that is shared.
fn sections_beside<T: Portable>(
    value: &T,
    tables: PartTables<'_>,
    choices: &[SharedChoice],
) -> [Vec<u8>; 4] {
    let mut to = PartWriter::new(&[]);
    choices.iter().for_each(|choice| to.note(Arc::as_ptr(choice)));
    value.write(&mut to);
    let carried = to.references::<CarriedConstraints>();
    let baggage =
        carried.iter().map(|&number| tables.constraints.baggage(CarriedConstraints(number)));
    let baggage: Vec<&MessageBaggage> = baggage.collect();
    let mut carried_to = PartWriter::new(&[]);
    carried_to.sequence(baggage.into_iter());
    let carried_terms = TermTable::write(tables.pool, &carried_to);
    let terms = TermTable::write(tables.pool, &to);
    [carried_terms, carried_to.into_bytes(), terms, to.into_bytes()]
}

/// The value of four sections that [`sections`] has written; it may need further handles.
pub(crate) fn read_sections<'a, T: Portable>(
    sections: [&'a [u8]; 4],
    tables: PartTables<'a>,
    handles: &[&'a dyn Any],
) -> Result<T, PartError> {
    read_sections_beside(sections, tables, handles, &[])
}

/// The same, beside choices that were not written.
fn read_sections_beside<'a, T: Portable>(
    [carried_terms, carried, terms, values]: [&'a [u8]; 4],
    tables: PartTables<'a>,
    handles: &[&'a dyn Any],
    choices: &[SharedChoice],
) -> Result<T, PartError> {
    let table = TermTable::read(tables.pool, carried_terms)?;
    let baggage: Vec<MessageBaggage> = read_section(carried, &[&table], &[])?;
    let numbers = baggage.into_iter().map(|baggage| tables.constraints.number(baggage));
    let carried = CarriedTable(numbers.collect());
    let table = TermTable::read(tables.pool, terms)?;
    let own: [&dyn Any; 3] = [&table, tables.pool, &carried];
    read_section(values, &[&own[..], handles].concat(), choices)
}

/// The one value of a section.
fn read_section<'a, T: Portable>(
    section: &'a [u8],
    handles: &[&'a dyn Any],
    choices: &[SharedChoice],
) -> Result<T, PartError> {
    let mut from = PartReader::new(section, handles);
    choices.iter().for_each(|choice| from.note(choice.clone()));
    let value = T::read(&mut from)?;
    from.end().map(|()| value)
}
