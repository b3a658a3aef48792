//! Choices out of bytes: how a generator turns an input of a fuzz target into a program.
//!
//! Where the bytes are used up every choice is the first alternative. A generator whose first alternatives
//! are its simplest ones therefore makes smaller programs of shorter inputs, which is what shrinking wants.

/// A sequence of choices that the bytes of an input decide.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    /// Choices that begin with the first byte.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes, at: 0 }
    }

    /// The next byte, or zero where there is none left.
    pub fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    /// A number below `count`, which is at most 256 and not zero.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    /// True for half of all bytes, and false where no bytes are left.
    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// One of several alternatives, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, alternatives: &[T]) -> T {
        alternatives[self.below(alternatives.len())]
    }

    /// Tells whether all bytes are used up, so that a generator had better come to an end.
    pub fn is_used_up(&self) -> bool {
        self.at >= self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_missing_choose_the_first_alternative() {
        let mut choices = Choices::new(&[5, 7]);
        assert_eq!(choices.below(4), 1);
        assert_eq!(choices.pick(&["a", "b", "c"]), "b");
        assert!(choices.is_used_up());
        assert_eq!(choices.pick(&["a", "b", "c"]), "a");
        assert!(!choices.flag());
    }
}
