//! Deterministic mutations: the inputs of a seed are the same on every machine.

use everett_base::rng::Rng;

/// The largest input that is made.
const INPUT_BYTES_MAX: usize = 1 << 20;
/// The largest piece that is inserted, copied or removed at once.
const PIECE_BYTES_MAX: u64 = 64;

/// Numbers at which lengths and counters go wrong.
const EDGES: [u64; 9] =
    [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8000_0000_0000_0000];

/// An endless supply of inputs.
pub struct Mutator {
    rng: Rng,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    /// A supply that varies `seeds`, or makes inputs out of nothing where there are none.
    pub fn new(seed: u64, seeds: Vec<Vec<u8>>) -> Mutator {
        Mutator { rng: Rng::new(seed), seeds }
    }

    /// The next input: a seed with a few changes, or random bytes.
    pub fn next_input(&mut self) -> Vec<u8> {
        if self.seeds.is_empty() {
            let length = self.rng.below(512);
            return (0..length).map(|_| self.byte()).collect();
        }
        let chosen = self.below(self.seeds.len());
        let mut input = self.seeds[chosen].clone();
        for _ in 0..=self.rng.below(6) {
            self.change(&mut input);
        }
        input.truncate(INPUT_BYTES_MAX);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        if input.is_empty() {
            input.push(self.byte());
            return;
        }
        let at = self.below(input.len());
        let end = input.len().min(at + 1 + self.rng.below(PIECE_BYTES_MAX) as usize);
        match self.rng.below(8) {
            0 => input[at] ^= 1 << self.rng.below(8),
            1 => input[at] = self.byte(),
            2 => self.put_number(&mut input[at..]),
            3 => drop(input.drain(at..end)),
            4 => input.truncate(at),
            5 => {
                let piece = input[at..end].to_vec();
                let to = self.below(input.len());
                input.splice(to..to, piece);
            }
            6 => {
                let piece: Vec<u8> = (at..end).map(|_| self.byte()).collect();
                input.splice(at..at, piece);
            }
            _ => self.splice_seed(input, at),
        }
    }

    /// Overwrites a field of 1 to 8 bytes, in either byte order, with a number of interest.
    fn put_number(&mut self, place: &mut [u8]) {
        let edge = self.below(EDGES.len());
        let value = EDGES[edge].wrapping_add(self.rng.below(3)).wrapping_sub(1);
        let size = 1usize << self.rng.below(4);
        let mut bytes = value.to_le_bytes()[..size].to_vec();
        if self.rng.below(2) == 0 {
            bytes.reverse();
        }
        for (to, from) in place.iter_mut().zip(bytes) {
            *to = from;
        }
    }

    /// Continues with the end of another seed.
    fn splice_seed(&mut self, input: &mut Vec<u8>, at: usize) {
        let other = self.below(self.seeds.len());
        let other = &self.seeds[other];
        if !other.is_empty() {
            let from = self.rng.below(other.len() as u64) as usize;
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
    }

    fn byte(&mut self) -> u8 {
        self.rng.next_u64() as u8
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_the_same_inputs_every_time() {
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, vec![b"hello".to_vec(), b"world!".to_vec()]);
            (0..100).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }

    #[test]
    fn empty_seeds_are_no_obstacle() {
        for seeds in [vec![], vec![Vec::new()]] {
            let mut mutator = Mutator::new(1, seeds);
            assert!((0..1000).any(|_| !mutator.next_input().is_empty()));
        }
    }
}
