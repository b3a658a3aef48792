//! Joining: parts of one term, put together until the whole term is known.
//!
//! Senders write words byte by byte, so that each message byte is a part of a sum, say, of which no part can
//! be inverted by itself.

use everett_expr::TermId;

use super::peel::low_bits;
use super::{Elimination, Piece, System};

impl Elimination<'_> {
    /// Replaces the pieces of terms that are known altogether, or up to some bit, by equations. Returns
    /// `true` if there are such terms.
    pub(super) fn join_pieces(&self, system: &mut System) -> bool {
        let mut wholes: Vec<TermId> = Vec::new();
        for piece in &system.pieces {
            if !wholes.contains(&piece.whole) {
                wholes.push(piece.whole);
            }
        }
        let mut has_joined = false;
        for whole in wholes {
            self.pool.interrupt().check();
            has_joined |= self.join(system, whole);
        }
        has_joined
    }

    fn join(&self, system: &mut System, whole: TermId) -> bool {
        let pool = self.pool;
        let mut pieces: Vec<Piece> =
            system.pieces.iter().filter(|piece| piece.whole == whole).copied().collect();
        pieces.sort_by_key(|piece| piece.low);
        let mut run = KnownRun { value: None, end: 0 };
        let (mut agreements, mut used) = (Vec::new(), 0);
        for piece in &pieces {
            if piece.low > run.end && !self.extend_by_given(&mut run, whole, piece.low) {
                break;
            }
            let width = pool.width(piece.value);
            let known = (run.end - piece.low).min(width);
            if let Some(value) = run.value.filter(|_| known > 0) {
                let (old, new) =
                    (pool.extract(value, piece.low, known), pool.extract(piece.value, 0, known));
                agreements.push((old, new));
            }
            if known < width {
                let rest = pool.extract(piece.value, known, width - known);
                run.value = Some(run.value.map_or(rest, |below| pool.concat(rest, below)));
                run.end += width - known;
            }
            used += 1;
        }
        self.extend_by_given(&mut run, whole, pool.width(whole));
        let Some(value) = run.value else { return false };
        let equation = if run.end == pool.width(whole) {
            (whole, value)
        } else {
            let cut = low_bits(pool, whole, run.end);
            // The pool may prefer the cut of the sum to the sum of the cuts, which leads nowhere.
            match cut.filter(|&cut| cut != pool.extract(whole, 0, run.end)) {
                Some(cut) => (cut, value),
                None => return false,
            }
        };
        system.pieces.retain(|piece| piece.whole != whole);
        system.pieces.extend_from_slice(&pieces[used..]);
        system.equations.push(equation);
        system.equations.extend(agreements);
        true
    }

    /// Fills the bits of a term up to `to` where they depend on no input any more. A term that is known by
    /// such bits alone is none that pieces tell anything about.
    fn extend_by_given(&self, run: &mut KnownRun, whole: TermId, to: u32) -> bool {
        if run.end >= to {
            return true;
        }
        let pool = self.pool;
        let bits = match run.end {
            0 => low_bits(pool, whole, to).unwrap_or_else(|| pool.extract(whole, 0, to)),
            low => pool.extract(whole, low, to - low),
        };
        if !self.is_given(bits) {
            return false;
        }
        run.value = Some(run.value.map_or(bits, |below| pool.concat(bits, below)));
        run.end = to;
        true
    }
}

/// The bits of a term that are known, from the lowest up.
struct KnownRun {
    value: Option<TermId>,
    end: u32,
}
