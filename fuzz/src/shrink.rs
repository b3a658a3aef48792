//! Makes a failing input small: what is left is what matters.

/// Inputs to try, at most.
const TRIES: u32 = 20_000;

/// A smaller input on which `fails` still holds. Deterministic: removes ever smaller pieces, then turns
/// bytes into zeros, until neither helps or the tries are used up.
pub fn shrink(input: &[u8], mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut tries = 0;
    let mut attempt = |best: &mut Vec<u8>, candidate: Vec<u8>| {
        tries += 1;
        let better = tries <= TRIES && fails(&candidate);
        if better {
            *best = candidate;
        }
        better
    };
    loop {
        let before = best.clone();
        let mut piece = best.len().next_power_of_two();
        while piece > 0 {
            let mut at = 0;
            while at < best.len() {
                let mut candidate = best.clone();
                candidate.drain(at..best.len().min(at + piece));
                if !attempt(&mut best, candidate) {
                    at += piece;
                }
            }
            piece /= 2;
        }
        for at in 0..best.len() {
            if best[at] != 0 {
                let mut candidate = best.clone();
                candidate[at] = 0;
                attempt(&mut best, candidate);
            }
        }
        if best == before {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let fails = |input: &[u8]| input.contains(&7) && input.contains(&9) && input.len() >= 3;
        assert_eq!(shrink(&[1, 7, 2, 3, 9, 4, 5, 6], fails), [7, 9, 0]);
    }

    #[test]
    fn an_input_that_cannot_shrink_stays() {
        assert_eq!(shrink(&[1, 2], |input| input == [1, 2]), [1, 2]);
    }

    #[test]
    fn tries_are_limited() {
        let mut count = 0u32;
        shrink(&[1; 100_000], |_| {
            count += 1;
            false
        });
        assert_eq!(count, TRIES);
    }
}
