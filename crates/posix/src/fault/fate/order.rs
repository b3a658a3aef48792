//! Orders of messages that arrive together.

/// All orders of so many things but the one that they are in, each as the positions of the things. Of
/// things that are alike, which have the same class, only those orders are there that can be told apart.
/// They come in a fixed order.
pub(super) fn other_orders(classes: &[usize]) -> Vec<Vec<usize>> {
    let mut orders = Vec::new();
    let mut next = classes.to_vec();
    next.sort_unstable();
    loop {
        if next != classes {
            orders.push(positions(classes, &next));
        }
        if !permute(&mut next) {
            return orders;
        }
    }
}

/// Goes on to the next sequence in lexicographic order, if there is one.
fn permute(sequence: &mut [usize]) -> bool {
    let Some(at) = sequence.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let after = &sequence[at + 1..];
    let larger = after.iter().rposition(|one| *one > sequence[at]).unwrap_or(0);
    sequence.swap(at, at + 1 + larger);
    sequence[at + 1..].reverse();
    true
}

/// The things of a sequence of classes; those that are alike keep their order.
fn positions(classes: &[usize], sequence: &[usize]) -> Vec<usize> {
    let mut taken = vec![false; classes.len()];
    let mut take = |class: &usize| {
        let mut all = classes.iter().zip(&taken);
        let at = all.position(|(of, taken)| of == class && !*taken).unwrap_or(0);
        taken[at] = true;
        at
    };
    sequence.iter().map(&mut take).collect()
}

/// For each thing the first one that is equal to it.
pub(super) fn classes<T>(things: &[T], equal: impl Fn(&T, &T) -> bool) -> Vec<usize> {
    let class = |thing| things.iter().position(|other| equal(other, thing)).unwrap_or(0);
    things.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_all_orders_but_the_given_one() {
        assert_eq!(other_orders(&[0]), Vec::<Vec<usize>>::new());
        assert_eq!(other_orders(&[0, 1]), [[1, 0]]);
        assert_eq!(
            other_orders(&[0, 1, 2]),
            [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        );
        assert_eq!(other_orders(&[0, 1, 2, 3, 4]).len(), 119);
    }

    #[test]
    fn equal_things_are_not_told_apart() {
        assert_eq!(classes(b"abac", |a, b| a == b), [0, 1, 0, 3]);
        assert_eq!(other_orders(&[0, 0, 0]), Vec::<Vec<usize>>::new());
        // Of 4!/2! there are all but one.
        let orders = other_orders(&[0, 1, 0, 3]);
        assert_eq!(orders.len(), 11);
        assert_eq!(orders[0], [0, 2, 1, 3]);
        let keeps = |order: &Vec<usize>| {
            order.iter().position(|at| *at == 0) < order.iter().position(|at| *at == 2)
        };
        assert!(orders.iter().all(keeps));
    }
}
