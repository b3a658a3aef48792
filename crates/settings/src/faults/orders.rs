//! The flags of `everett run` about the orders in which nodes see messages and signals.

use everett_engine::{FaultBudgets, FaultKind};

/// Orders of messages and signals to explore.
#[derive(clap::Args)]
pub(super) struct OrderOptions {
    /// Orders in which nodes see messages: 'fixed' is one, N are those with up to N deviations from it,
    /// 'all' is every order that a program can tell apart
    #[arg(long, value_name = "N", default_value = "fixed", value_parser = parse_orders)]
    orders: u32,
    /// Let up to N messages be overtaken by a deadline of their receiver
    #[arg(long, value_name = "N", default_value_t = 0)]
    late: u32,
    /// Let up to N signals come at any place where the program handles them
    #[arg(long, value_name = "N", default_value_t = 0)]
    signals: u32,
}

impl OrderOptions {
    /// Sets how often each kind may happen.
    pub(super) fn limit(&self, budgets: &mut FaultBudgets) {
        budgets.set(FaultKind::Order, self.orders);
        budgets.set(FaultKind::Late, self.late);
        budgets.set(FaultKind::Signal, self.signals);
    }
}

/// Reads the number of deviations from the fixed order.
fn parse_orders(text: &str) -> Result<u32, String> {
    match text {
        "fixed" => Ok(0),
        "all" => Ok(u32::MAX),
        text => text.parse().map_err(|_| "'fixed', 'all' or a number is expected".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let read = |text| parse_orders(text).ok();
        assert_eq!(["fixed", "0", "3", "all"].map(read), [0, 0, 3, u32::MAX].map(Some));
        assert_eq!(["", "-1", "every"].map(read), [None; 3]);
    }
}
