//! Tables whose columns are as wide as their longest cell.

/// A table of text; the first row is the heading.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heading: &[&str]) -> Table {
        Table { rows: vec![heading.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Lines of text; the first column and the last one start at the left, others end at the right.
    pub(super) fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let width = |column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let padding = " ".repeat(width - cell.chars().count());
                if column == 0 || column + 1 == columns {
                    line.push_str(cell);
                    line.push_str(&padding);
                } else {
                    line.push_str(&padding);
                    line.push_str(cell);
                }
            }
            line.trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }
}

/// A number with commas.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "n", "what"]);
        table.row(vec!["a".into(), grouped(1_234_567), "same".into()]);
        table.row(vec!["longer".into(), grouped(7), String::new()]);
        assert_eq!(
            table.lines(),
            ["name            n  what", "a       1,234,567  same", "longer          7"]
        );
    }
}
