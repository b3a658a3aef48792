//! Numbers as a person reads them: grouped, with units, with a noun.

use std::time::Duration;

/// A number with its thousands set apart: `16,384`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 path`, `2 paths`.
pub fn count_of(n: u64, noun: &str) -> String {
    if n == 1 {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !noun.ends_with("ay") => format!("{} {stem}ies", grouped(n)),
        _ => format!("{} {noun}s", grouped(n)),
    }
}

/// A number of sets of exposed data that violate an invariant.
pub(crate) fn combinations_of_data(n: u64) -> String {
    format!("{} of data", count_of(n, "combination"))
}

/// A size in binary units: `512 bytes`, `23.4 MiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return count_of(n, "byte");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(value < 100.0);
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// A time: `0.4 ms`, `35 ms`, `1.25 s`, `2 m 05 s`, `1 h 02 m`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if time < Duration::from_millis(10) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else if seconds < 60 {
        format!("{:.2} s", time.as_secs_f64())
    } else if seconds < 3600 {
        format!("{} m {:02} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {:02} m", seconds / 3600, seconds / 60 % 60)
    }
}

/// A rate with a metric prefix, `52.1 M/s`; nothing where the time is too short to tell.
pub(crate) fn rate(count: u64, time: Duration) -> Option<String> {
    if time < Duration::from_millis(1) {
        return None;
    }
    let value = count as f64 / time.as_secs_f64();
    Some(match value {
        v if v >= 1e9 => format!("{:.1} G/s", v / 1e9),
        v if v >= 1e6 => format!("{:.1} M/s", v / 1e6),
        v if v >= 1e3 => format!("{:.1} k/s", v / 1e3),
        v => format!("{v:.0} /s"),
    })
}

/// Returns the share of `whole` that a part is, in per cent. Only all is 100%, and only nothing is 0%.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0%".to_owned();
    }
    if part >= whole {
        return "100%".to_owned();
    }
    let value = (part as f64 / whole as f64 * 100.0).round().clamp(1.0, 99.0);
    format!("{value:.0}%")
}

/// A number that is not exact: `940`, `12,000`, `1.2 million`, `3.4e15`.
pub(crate) fn about(n: f64) -> String {
    match n {
        n if n < 1e3 => format!("{n:.0}"),
        n if n < 1e6 => {
            let step = if n < 1e4 { 100.0 } else { 1000.0 };
            grouped(((n / step).round() * step) as u64)
        }
        n if n < 1e9 => format!("{:.1} million", n / 1e6),
        n if n < 1e12 => format!("{:.1} billion", n / 1e9),
        n => format!("{n:.1e}"),
    }
}

/// A share in per cent, as small as it is: `12%`, `0.4%`, `3e-5%`.
pub(crate) fn share(part: f64) -> String {
    match part * 100.0 {
        p if p >= 1.0 || p <= 0.0 => format!("{p:.0}%"),
        p if p >= 0.001 => format!("{}%", (p * 1000.0).round() / 1000.0),
        p => format!("{p:.0e}%"),
    }
}

/// The share of a time that workers have spent together in a time that each of them has had.
pub(crate) fn time_share(part: Duration, whole: Duration, workers: u64) -> String {
    percent(part.as_micros() as u64, (whole.as_micros() as u64).saturating_mul(workers.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 7, 999, 1000, 16384, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "16,384", "1,234,567"]);
    }

    #[test]
    fn estimates_are_rounded() {
        let texts = [1.4, 940.2, 9871.0, 12_345.0, 1.24e6, 5e9, 3.4e15].map(about);
        assert_eq!(texts, ["1", "940", "9,900", "12,000", "1.2 million", "5.0 billion", "3.4e15"]);
        let texts = [1.0, 0.034, 0.0042, 0.000_015, 3e-7].map(share);
        assert_eq!(texts, ["100%", "3%", "0.42%", "0.002%", "3e-5%"]);
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(count_of(1, "path"), "1 path");
        assert_eq!(count_of(0, "path"), "0 paths");
        assert_eq!(count_of(2000, "query"), "2,000 queries");
    }

    #[test]
    fn sizes_take_the_largest_unit_that_fits() {
        let texts = [1, 1023, 1024, 5 << 20, 200 << 20, 3 << 40, 5000 << 40].map(bytes);
        assert_eq!(
            texts,
            ["1 byte", "1,023 bytes", "1.0 KiB", "5.0 MiB", "200 MiB", "3.0 TiB", "5000 TiB"]
        );
    }

    #[test]
    fn times_take_the_unit_that_reads_best() {
        let texts = [0, 999, 1250, 59_990, 125_000, 3_720_000]
            .map(|ms| duration(Duration::from_millis(ms)));
        assert_eq!(texts, ["0.0 ms", "999 ms", "1.25 s", "59.99 s", "2 m 05 s", "1 h 02 m"]);
    }

    #[test]
    fn rates_need_a_time_to_speak_of() {
        assert_eq!(rate(5, Duration::ZERO), None);
        let second = Duration::from_secs(1);
        let texts = [12, 40_000, 52_100_000, 2_000_000_000].map(|n| rate(n, second).unwrap());
        assert_eq!(texts, ["12 /s", "40.0 k/s", "52.1 M/s", "2.0 G/s"]);
    }

    #[test]
    fn only_all_is_a_hundred_per_cent() {
        assert_eq!(percent(0, 0), "0%");
        assert_eq!(percent(1, 100_000), "1%");
        assert_eq!(percent(99_999, 100_000), "99%");
        assert_eq!(percent(7, 7), "100%");
    }
}
