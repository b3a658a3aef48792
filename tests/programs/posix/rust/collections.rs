// Collections, closures, iterators, formats and numbers.
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
enum Shape { Circle(f64), Square { side: f64 } }

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Circle(radius) => write!(f, "circle of {radius:.2}"),
            Shape::Square { side } => write!(f, "square of {side:>8.3e}"),
        }
    }
}

fn main() {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in "the quick the lazy the dog".split_whitespace() {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    println!("{sorted:?}");
    let shapes = vec![Shape::Circle(1.5), Shape::Square { side: 1234.5 }];
    for shape in &shapes {
        println!("{shape} {shape:?}");
    }
    let shared = Rc::new(shapes);
    println!("{} {:?}", Rc::strong_count(&Rc::clone(&shared)), shared.first());
    let mut queue: VecDeque<u64> = (1..=10).map(|n| n * n).filter(|n| n % 2 == 1).collect();
    queue.rotate_left(2);
    println!("{queue:?} {}", queue.iter().sum::<u64>());
    let letters: BTreeSet<char> = "häuser".chars().rev().collect();
    println!("{letters:?} {}", "grüße".to_uppercase());
    println!("{:#010x} {:+} {:?}", 0xbeefu32, -17i128, 0.1f32 + 0.2f32);
    println!("{:?} {:?}", "12x".parse::<i32>(), "3.25".parse::<f64>());
    println!("{:?}", i32::MAX.checked_add(1).ok_or("overflow"));
}
