//! Numbers with units as users write them: `10s`, `5m`, `2G`, `100k`.

use std::time::Duration;

/// A time: `20us`, `500ms`, `10s`, `5m`, `1h`, or seconds without a unit.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "us" => 0.000_001,
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("unknown unit `{unit}`; write 500ms, 10s, 5m or 1h")),
    };
    let number: f64 = number.parse().map_err(|_| "write a time such as 10s or 5m".to_owned())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "that is too long".to_owned())
}

/// A size in bytes: `512M`, `2G`; units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("unknown unit `{unit}`; write 512M or 2G")),
    };
    scaled(number, 1 << shift).ok_or_else(|| "write a size such as 512M or 2G".to_owned())
}

/// Bytes in a second: `64KiB/s`, `1M/s` in powers of 1024, or `10Mbit/s` in powers of 1000.
pub fn parse_rate(text: &str) -> Result<u64, String> {
    let wrong = || "write a rate such as 1MiB/s or 10Mbit/s".to_owned();
    let amount = text.trim().strip_suffix("/s").ok_or_else(wrong)?;
    let bytes = match amount.strip_suffix("bit") {
        Some(bits) => parse_count(bits).map(|bits| bits / 8),
        None => parse_size(amount),
    };
    match bytes.map_err(|_| wrong())? {
        0 => Err("that is less than a byte in a second".to_owned()),
        bytes => Ok(bytes),
    }
}

/// A count: `1000`, `1_000`, `10k`, `5M`; units are powers of 1000.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = match unit {
        "" => 1,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => return Err(format!("unknown unit `{unit}`; write 1000, 10k or 5M")),
    };
    scaled(number, unit).ok_or_else(|| "write a number such as 1000, 10k or 5M".to_owned())
}

/// The number and what follows it.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'));
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    (number, unit.trim_start())
}

fn scaled(number: &str, unit: u64) -> Option<u64> {
    let number = number.replace('_', "");
    match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(unit),
        Err(_) => {
            let value = number.parse::<f64>().ok()? * unit as f64;
            // Beyond 2^53 not every whole number is a float; nobody writes such fractions.
            (unit > 1 && value.is_finite() && value < 9e15).then_some(value as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let ms = |text| parse_duration(text).map(|time| time.as_millis());
        assert_eq!(ms("500ms"), Ok(500));
        assert_eq!(parse_duration("250us"), Ok(Duration::from_micros(250)));
        assert_eq!(ms("10"), Ok(10_000));
        assert_eq!(ms("1.5s"), Ok(1_500));
        assert_eq!(ms("5m"), Ok(300_000));
        assert_eq!(ms("1h"), Ok(3_600_000));
        assert!(ms("5 parsecs").unwrap_err().contains("parsecs"));
        assert!(ms("soon").is_err());
        assert!(ms("").is_err());
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("7"), Ok(7));
        assert!(parse_size("1.5").is_err());
        assert!(parse_size("-1").is_err());
        assert!(parse_size("99999999999T").is_err());
    }

    #[test]
    fn rates_are_of_bytes_or_bits() {
        assert_eq!(parse_rate("1MiB/s"), Ok(1 << 20));
        assert_eq!(parse_rate("64k/s"), Ok(64 << 10));
        assert_eq!(parse_rate("10Mbit/s"), Ok(1_250_000));
        for wrong in ["1MiB", "fast", "/s", "1 parsec/s", "", "0/s", "7bit/s"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_are_powers_of_1000() {
        assert_eq!(parse_count("1_000"), Ok(1000));
        assert_eq!(parse_count("10k"), Ok(10_000));
        assert_eq!(parse_count("2.5M"), Ok(2_500_000));
        assert!(parse_count("10K").is_err());
    }
}
