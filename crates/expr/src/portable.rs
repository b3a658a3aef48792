//! Terms as bytes: the section of a part that defines the terms and symbols that its values refer to.
//!
//! Values refer to terms and arrays by the order in which these are met while values are written. The section
//! is made afterwards and read before: all symbols of the pool in their order, then the terms that were met
//! with everything that they consist of, children before parents, then the numbers of those that were met.
//! Reading interns each term as it is, without simplifying it: what was simplified once stays the same.
//!
//! A pool that has symbols already gives others to those of the section, so bytes of symbols may have other
//! numbers after reading. [`TermTable`] knows them. Reading into an empty pool keeps all numbers.

use everett_base::Map;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};

use crate::float::{FloatOp, MAX_INT_WIDTH};
use crate::id::{ArrayId, SymbolId, TermId, VarId};
use crate::node::{TermNode, binary_tag, tag, tag_binary};
use crate::op::{BinOp, UnOp};
use crate::pool::array::ArrayNode;
use crate::pool::support::Support;
use crate::{BitVec, MAX_WIDTH, Pool};

/// Tags of arrays; those of terms are smaller.
const CONST_ARRAY: u64 = 64;
const SYMBOL_ARRAY: u64 = 65;
const STORE: u64 = 66;

/// The terms and symbols of a part, by their numbers in it. Readers of values need it as a handle.
pub struct TermTable {
    terms: Vec<TermId>,
    arrays: Vec<ArrayId>,
    symbols: Vec<TableSymbol>,
    is_moved: bool,
}

/// A symbol, and the first of its bytes in the pool that was written and in that which reads.
struct TableSymbol {
    symbol: SymbolId,
    size: u32,
    first: u32,
    now_first: u32,
    is_undefined: bool,
}

/// A term or an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Definition {
    Term(TermId),
    Array(ArrayId),
}

impl TermTable {
    /// The section for the values that a writer has written.
    pub fn write(pool: &Pool, values: &PartWriter<'_>) -> Vec<u8> {
        let mut section = SectionWriter { pool, to: PartWriter::new(&[]), numbers: Map::default() };
        section.symbols();
        let terms = values.references::<TermId>().iter().map(|&raw| TermId::from_raw(raw));
        let arrays = values.references::<ArrayId>().iter().map(|&raw| ArrayId(raw));
        let met = terms.map(Definition::Term).chain(arrays.map(Definition::Array));
        let order = definitions(pool, met.clone());
        section.to.number(order.len() as u64);
        order.into_iter().for_each(|definition| section.define(definition));
        section.to.number(values.references::<TermId>().len() as u64);
        section.to.number(values.references::<ArrayId>().len() as u64);
        met.for_each(|definition| section.to.number(section.numbers[&definition]));
        section.to.into_bytes()
    }

    /// Reads a section, and makes its terms in a pool.
    pub fn read(pool: &Pool, section: &[u8]) -> Result<TermTable, PartError> {
        let mut from = PartReader::new(section, &[]);
        let symbols = read_symbols(pool, &mut from)?;
        let is_moved = symbols.iter().any(|symbol| symbol.first != symbol.now_first);
        let table = TermTable { terms: Vec::new(), arrays: Vec::new(), symbols, is_moved };
        let mut section = SectionReader { pool, from, table, defined: Vec::new() };
        for _ in 0..section.from.count()? {
            let definition = section.definition()?;
            section.defined.push(definition);
        }
        let (terms, arrays) = (section.from.count()?, section.from.count()?);
        for _ in 0..terms {
            let number = section.from.number()?;
            let term = section.term_at(Some(number))?;
            section.table.terms.push(term);
        }
        for _ in 0..arrays {
            let number = section.from.number()?;
            let array = section.array_at(Some(number))?;
            section.table.arrays.push(array);
        }
        section.from.end()?;
        Ok(section.table)
    }

    /// Returns `true` if bytes of symbols have other numbers than they had in the pool that was written.
    pub fn is_moved(&self) -> bool {
        self.is_moved
    }

    /// The variable that had this number in the pool that was written.
    pub fn var(&self, index: usize) -> Option<VarId> {
        let index = u32::try_from(index).ok()?;
        let after = self.symbols.partition_point(|symbol| symbol.first <= index);
        let symbol = self.symbols[..after].iter().rev().find(|symbol| symbol.size > 0)?;
        let offset = index - symbol.first;
        (offset < symbol.size).then(|| VarId(symbol.now_first + offset))
    }

    /// The set of variables that had these numbers, ends included.
    fn vars(&self, first: u32, last: u32) -> Option<Support> {
        let mut support = Support::default();
        let mut next = first;
        let begin = self.symbols.partition_point(|symbol| symbol.first + symbol.size <= first);
        for symbol in self.symbols[begin..].iter().filter(|symbol| symbol.size > 0) {
            if next > last {
                break;
            }
            let end = last.min(symbol.first + (symbol.size - 1));
            let size = end.checked_sub(next)? + 1;
            let now = symbol.now_first + (next - symbol.first);
            support = support.union(&Support::range(now, size, symbol.is_undefined));
            next = end + 1;
        }
        (next == last.checked_add(1)?).then_some(support)
    }
}

/// What the given terms and arrays consist of, children before parents.
fn definitions(pool: &Pool, met: impl Iterator<Item = Definition>) -> Vec<Definition> {
    let mut order = Vec::new();
    // A definition that is on the stack for the second time has its parts in the order.
    let mut begun: Map<Definition, bool> = Map::default();
    let mut stack: Vec<Definition> = Vec::new();
    for root in met {
        stack.push(root);
        while let Some(&top) = stack.last() {
            match begun.get_mut(&top) {
                None => {
                    begun.insert(top, false);
                    each_child(pool, top, |child| {
                        if !begun.contains_key(&child) {
                            stack.push(child);
                        }
                    });
                }
                Some(is_done) => {
                    stack.pop();
                    if !std::mem::replace(is_done, true) {
                        order.push(top);
                    }
                }
            }
        }
    }
    order
}

fn each_child(pool: &Pool, of: Definition, mut visit: impl FnMut(Definition)) {
    let mut term = |term: TermId| visit(Definition::Term(term));
    match of {
        Definition::Term(of) => match pool.node(of) {
            TermNode::Const(_) | TermNode::BigConst(_) | TermNode::Var(_) => {}
            TermNode::Unary(_, a) | TermNode::ZExt(a) | TermNode::SExt(a) => term(a),
            TermNode::Extract { term: a, low: _ } => term(a),
            TermNode::Binary(_, a, b) | TermNode::Concat(a, b) => [a, b].into_iter().for_each(term),
            TermNode::Ite(a, b, c) => [a, b, c].into_iter().for_each(term),
            TermNode::Float(_, a, b) => std::iter::once(a).chain(b).for_each(term),
            TermNode::Select(array, index) => {
                term(index);
                visit(Definition::Array(array));
            }
        },
        Definition::Array(of) => match pool.array_node(of) {
            ArrayNode::Const(_) | ArrayNode::Symbol(_) => {}
            ArrayNode::Store { array, index, value } => {
                term(index);
                term(value);
                visit(Definition::Array(array));
            }
        },
    }
}

/// The section as it is written.
struct SectionWriter<'p> {
    pool: &'p Pool,
    to: PartWriter<'p>,
    /// The places of what is defined.
    numbers: Map<Definition, u64>,
}

impl SectionWriter<'_> {
    fn symbols(&mut self) {
        let count = self.pool.symbol_count();
        self.to.number(count as u64);
        for symbol in (0..count).map(SymbolId::from_usize) {
            self.to.byte_string(self.pool.symbol_name(symbol).as_bytes());
            self.to.number(self.pool.symbol_size(symbol).into());
        }
    }

    /// Writes the distance to a definition before this one.
    fn part(&mut self, part: Definition) {
        let distance = self.numbers.len() as u64 - self.numbers[&part];
        self.to.number(distance);
    }

    fn term(&mut self, tag: u32, parts: &[TermId]) {
        self.to.number(tag.into());
        parts.iter().for_each(|&part| self.part(Definition::Term(part)));
    }

    fn define(&mut self, definition: Definition) {
        match definition {
            Definition::Term(term) => self.define_term(term),
            Definition::Array(array) => match self.pool.array_node(array) {
                ArrayNode::Const(bytes) => {
                    self.to.number(CONST_ARRAY);
                    self.to.byte_string(bytes);
                }
                ArrayNode::Symbol(symbol) => {
                    self.to.number(SYMBOL_ARRAY);
                    self.to.number(symbol.0.into());
                }
                ArrayNode::Store { array, index, value } => {
                    self.to.number(STORE);
                    self.part(Definition::Array(array));
                    self.part(Definition::Term(index));
                    self.part(Definition::Term(value));
                }
            },
        }
        self.numbers.insert(definition, self.numbers.len() as u64);
    }

    fn define_term(&mut self, term: TermId) {
        let width = u64::from(self.pool.width(term));
        match self.pool.node(term) {
            TermNode::Const(value) => {
                self.term(tag::CONST, &[]);
                self.to.number(width);
                self.to.number(value);
            }
            TermNode::BigConst(value) => {
                self.term(tag::BIG, &[]);
                self.to.number(width);
                value.words().iter().for_each(|&word| self.to.number(word));
            }
            TermNode::Var(var) => {
                self.term(tag::VAR, &[]);
                self.to.number(var.0.into());
            }
            TermNode::Unary(UnOp::Not, a) => self.term(tag::NOT, &[a]),
            TermNode::Unary(UnOp::Neg, a) => self.term(tag::NEG, &[a]),
            TermNode::Ite(a, b, c) => self.term(tag::ITE, &[a, b, c]),
            TermNode::Concat(a, b) => self.term(tag::CONCAT, &[a, b]),
            TermNode::Extract { term, low } => {
                self.term(tag::EXTRACT, &[term]);
                self.to.number(low.into());
                self.to.number(width);
            }
            TermNode::ZExt(a) => {
                self.term(tag::ZEXT, &[a]);
                self.to.number(width);
            }
            TermNode::SExt(a) => {
                self.term(tag::SEXT, &[a]);
                self.to.number(width);
            }
            TermNode::Select(array, index) => {
                self.term(tag::SELECT, &[index]);
                self.part(Definition::Array(array));
            }
            TermNode::Float(op, a, b) => {
                self.to.number(tag::FLOAT.into());
                self.to.number(op.code().into());
                self.to.number(width);
                std::iter::once(a).chain(b).for_each(|part| self.part(Definition::Term(part)));
            }
            TermNode::Binary(op, a, b) => self.term(binary_tag(op), &[a, b]),
        }
    }
}

fn read_symbols(pool: &Pool, from: &mut PartReader<'_>) -> Result<Vec<TableSymbol>, PartError> {
    let mut symbols = Vec::new();
    let mut first = 0u32;
    for _ in 0..from.count()? {
        let (name, size) = (String::read(from)?, u32::read(from)?);
        let too_many = || from.unexpected("fewer symbolic bytes");
        let next = first.checked_add(size).ok_or_else(too_many)?;
        let symbol = pool.symbols().try_intern(&name, size).ok_or_else(too_many)?;
        let (now_first, is_undefined) = {
            let stored = pool.symbols().get(symbol);
            (stored.first_var, stored.is_undefined())
        };
        symbols.push(TableSymbol { symbol, size, first, now_first, is_undefined });
        first = next;
    }
    Ok(symbols)
}

/// The section as it is read.
struct SectionReader<'a> {
    pool: &'a Pool,
    from: PartReader<'a>,
    table: TermTable,
    defined: Vec<Definition>,
}

impl SectionReader<'_> {
    fn term_at(&self, number: Option<u64>) -> Result<TermId, PartError> {
        match number.and_then(|number| self.defined.get(usize::try_from(number).ok()?)) {
            Some(Definition::Term(term)) => Ok(*term),
            _ => Err(self.from.unexpected("the number of a term")),
        }
    }

    fn array_at(&self, number: Option<u64>) -> Result<ArrayId, PartError> {
        match number.and_then(|number| self.defined.get(usize::try_from(number).ok()?)) {
            Some(Definition::Array(array)) => Ok(*array),
            _ => Err(self.from.unexpected("the number of an array")),
        }
    }

    fn term(&mut self) -> Result<TermId, PartError> {
        let distance = self.from.number()?;
        self.term_at((self.defined.len() as u64).checked_sub(distance))
    }

    /// A term of a known width.
    fn term_of(&mut self, width: u32) -> Result<TermId, PartError> {
        let term = self.term()?;
        self.require(self.pool.width(term) == width, "a term of another width")?;
        Ok(term)
    }

    fn array(&mut self) -> Result<ArrayId, PartError> {
        let distance = self.from.number()?;
        self.array_at((self.defined.len() as u64).checked_sub(distance))
    }

    fn require(&self, holds: bool, expected: &'static str) -> Result<(), PartError> {
        if holds { Ok(()) } else { Err(self.from.unexpected(expected)) }
    }

    fn width(&mut self, least: u32, most: u32) -> Result<u32, PartError> {
        let width = u32::read(&mut self.from)?;
        self.require((least..=most).contains(&width), "the width of a term")?;
        Ok(width)
    }

    fn definition(&mut self) -> Result<Definition, PartError> {
        let array = match self.from.number()? {
            CONST_ARRAY => self.pool.const_array(self.from.byte_string()?),
            SYMBOL_ARRAY => self.pool.symbol_array(self.symbol()?),
            STORE => {
                let (array, index, value) = (self.array()?, self.term_of(64)?, self.term_of(8)?);
                self.pool.store(array, index, value)
            }
            tag => return self.defined_term(tag).map(Definition::Term),
        };
        Ok(Definition::Array(array))
    }

    fn symbol(&mut self) -> Result<SymbolId, PartError> {
        let number = usize::read(&mut self.from)?;
        let symbol = self.table.symbols.get(number).map(|symbol| symbol.symbol);
        symbol.ok_or_else(|| self.from.unexpected("the number of a symbol"))
    }

    /// An operator on floating-point numbers.
    fn float(&mut self) -> Result<TermId, PartError> {
        let pool = self.pool;
        let op = FloatOp::from_code(u32::read(&mut self.from)?);
        let op = op.ok_or_else(|| self.from.unexpected("an operator on numbers"))?;
        let width = self.width(1, MAX_INT_WIDTH)?;
        let fits = op.result_width().is_none_or(|only| width == only);
        self.require(fits, "the width of a number")?;
        let a = self.term()?;
        let b = op.is_binary().then(|| self.term()).transpose()?;
        let takes = op.takes(pool.width(a), b.map(|b| pool.width(b)));
        self.require(takes, "the operands of an operator on numbers")?;
        Ok(pool.raw_float(op, width, a, b))
    }

    fn defined_term(&mut self, tag: u64) -> Result<TermId, PartError> {
        let pool = self.pool;
        Ok(match u32::try_from(tag).unwrap_or(u32::MAX) {
            tag::CONST => {
                let (width, value) = (self.width(1, 64)?, self.from.number()?);
                pool.constant(width, value)
            }
            tag::BIG => {
                let width = self.width(65, MAX_WIDTH)?;
                let mut words = Vec::new();
                for _ in 0..width.div_ceil(64) {
                    words.push(self.from.number()?);
                }
                pool.big_constant(&BitVec::from_words(width, &words))
            }
            tag::VAR => {
                let number = usize::read(&mut self.from)?;
                let var = self.table.var(number);
                pool.var(var.ok_or_else(|| self.from.unexpected("the number of a byte"))?)
            }
            tag::NOT => pool.raw_unary(UnOp::Not, self.term()?),
            tag::NEG => pool.raw_unary(UnOp::Neg, self.term()?),
            tag::ITE => {
                let (condition, then) = (self.term_of(1)?, self.term()?);
                let other = self.term_of(pool.width(then))?;
                pool.raw_ite(condition, then, other)
            }
            tag::CONCAT => {
                let (high, low) = (self.term()?, self.term()?);
                let width = pool.width(high) + pool.width(low);
                self.require(width <= MAX_WIDTH, "the parts of a term")?;
                pool.raw_concat(high, low)
            }
            tag::EXTRACT => {
                let (term, low) = (self.term()?, u32::read(&mut self.from)?);
                let above = pool.width(term).saturating_sub(low);
                let width = self.width(1, above)?;
                pool.raw_extract(term, low, width)
            }
            tag @ (tag::ZEXT | tag::SEXT) => {
                let term = self.term()?;
                let width = self.width(pool.width(term), MAX_WIDTH)?;
                pool.raw_extend(tag == tag::SEXT, term, width)
            }
            tag::SELECT => {
                let (index, array) = (self.term_of(64)?, self.array()?);
                pool.raw_select(array, index)
            }
            tag::FLOAT => self.float()?,
            tag => {
                let is_binary = (tag as usize) < tag::BIN as usize + BinOp::ALL.len();
                self.require(is_binary, "a sort of terms")?;
                let a = self.term()?;
                let b = self.term_of(pool.width(a))?;
                pool.raw_binary(tag_binary(tag), a, b)
            }
        })
    }
}

impl Portable for TermId {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.reference::<TermId>(self.raw());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = usize::read(from)?;
        let term = from.handle::<TermTable>().terms.get(number).copied();
        term.ok_or_else(|| from.unexpected("a term"))
    }
}

impl Portable for ArrayId {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.reference::<ArrayId>(self.0);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = usize::read(from)?;
        let array = from.handle::<TermTable>().arrays.get(number).copied();
        array.ok_or_else(|| from.unexpected("an array"))
    }
}

impl Portable for SymbolId {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.0.into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = usize::read(from)?;
        let symbol = from.handle::<TermTable>().symbols.get(number);
        symbol.map(|symbol| symbol.symbol).ok_or_else(|| from.unexpected("a symbol"))
    }
}

impl Portable for Support {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.number(self.ranges().count() as u64);
        for (first, last) in self.ranges() {
            to.number(first.0.into());
            to.number(last.0.into());
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut support = Support::default();
        for _ in 0..from.count()? {
            let (first, last) = (u32::read(from)?, u32::read(from)?);
            let vars = from.handle::<TermTable>().vars(first, last);
            support = support.union(&vars.ok_or_else(|| from.unexpected("a set of bytes"))?);
        }
        Ok(support)
    }
}

#[cfg(test)]
mod tests;
