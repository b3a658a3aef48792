//! The space of faults: points with a coordinate on each axis.
//!
//! Not every combination of coordinates is a point: a node that never reads has no reads that fail. A
//! [`FaultSpace`] is the list of those that exist, in their order, and finds the one that is nearest to a
//! combination.

/// Axes of the space: the node, what happens, when on the node's path, and which alternative.
pub(crate) const AXES: usize = 4;

/// A coordinate on each axis.
pub(crate) type FaultCoordinates = [u32; AXES];

/// The points that there are.
#[derive(Clone, Debug)]
pub(crate) struct FaultSpace {
    points: Vec<FaultCoordinates>,
    lengths: FaultCoordinates,
}

impl FaultSpace {
    /// A space of these points, which are numbered in this order.
    pub(crate) fn new(points: Vec<FaultCoordinates>) -> FaultSpace {
        let mut lengths = [0; AXES];
        for point in &points {
            lengths.iter_mut().zip(point).for_each(|(length, at)| *length = (*length).max(at + 1));
        }
        FaultSpace { points, lengths }
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The coordinates of a point.
    pub(crate) fn at(&self, point: usize) -> FaultCoordinates {
        self.points[point]
    }

    /// Coordinates on an axis, from 0 on.
    pub(crate) fn length(&self, axis: usize) -> u32 {
        self.lengths[axis]
    }

    /// The point nearest to some coordinates, the first of several, among those that are wanted. Each axis
    /// counts by its length.
    pub(crate) fn nearest(
        &self,
        to: FaultCoordinates,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let distance = |point: &FaultCoordinates| -> f64 {
            let axis = |i: usize| f64::from(point[i].abs_diff(to[i])) / f64::from(self.lengths[i]);
            (0..AXES).map(axis).sum()
        };
        let all = self.points.iter().enumerate().filter(|(number, _)| wanted(*number));
        let nearest = all.map(|(number, point)| (number, distance(point)));
        nearest.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }
}
