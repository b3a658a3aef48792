//! Seeded randomness: xoshiro256**, seeded by splitmix64 (both by Blackman and Vigna, public domain).
//!
//! The numbers of a seed are part of what a recorded run means, so they never change; a golden
//! test fixes them. Not for secrets.

use serde::{Deserialize, Serialize};

/// A small seeded generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng {
    words: [u64; 4],
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        let mut state = seed;
        Rng { words: std::array::from_fn(|_| splitmix64(&mut state)) }
    }

    /// The words that the next numbers follow from.
    pub(crate) fn words(&self) -> &[u64; 4] {
        &self.words
    }

    /// The generator of such words.
    pub(crate) fn from_words(words: [u64; 4]) -> Rng {
        Rng { words }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [w0, w1, w2, w3] = &mut self.words;
        let result = w1.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *w1 << 17;
        *w2 ^= *w0;
        *w3 ^= *w1;
        *w1 ^= *w2;
        *w0 ^= *w3;
        *w2 ^= shifted;
        *w3 = w3.rotate_left(45);
        result
    }

    /// A number below `n`, each equally likely; panics if `n` is zero.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no number is below zero");
        // Products whose low half falls into the first `2^64 mod n` values are one too many for
        // some results; drawing again keeps all equally likely.
        let surplus = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// A generator whose numbers are unrelated to the ones that follow here.
    pub fn split(&mut self) -> Rng {
        Rng::new(self.next_u64() ^ 0x5851_f42d_4c95_7f2d)
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_seed_never_change() {
        let mut state = 0;
        assert_eq!(splitmix64(&mut state), 0xe220_a839_7b1d_cdaf);
        let mut rng = Rng::new(0);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0]);
        assert_eq!(rng.below(1000), 416);
        assert_eq!(rng.split().next_u64(), 0x3dd3_f227_319f_6571);
    }

    #[test]
    fn below_reaches_every_value_and_no_other() {
        let mut rng = Rng::new(42);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(rng.below(1), 0);
        assert!(rng.below(u64::MAX) < u64::MAX);
    }

    #[test]
    fn split_generators_differ() {
        let mut rng = Rng::new(1);
        let (mut a, mut b) = (rng.split(), rng.split());
        assert_ne!(a.next_u64(), b.next_u64());
        assert_ne!(a.next_u64(), rng.next_u64());
    }
}
