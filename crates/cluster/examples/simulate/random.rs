//! Seeded random numbers, in the distributions that the simulation needs.

/// A generator of the SplitMix64 kind.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Above zero, up to one.
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A time that passes until something happens that happens once in `mean` on average.
    pub(crate) fn time_until(&mut self, mean: f64) -> f64 {
        -mean * self.unit().ln()
    }

    /// A size of which few are very large (Pareto, 1.1).
    pub(crate) fn uneven(&mut self) -> f64 {
        self.unit().powf(-1.0 / 1.1)
    }
}
