//! Figures over time, as small charts.

use maud::{Markup, html};

use super::values::cut;
use crate::record::ProgressSample;

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 6.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 18.0;
/// Points of a line.
const POINTS_MAX: usize = 240;

/// One figure of a run.
pub(super) struct Series {
    pub(super) title: &'static str,
    pub(super) value: fn(&ProgressSample) -> f64,
    pub(super) text: fn(f64) -> String,
    /// The top of the scale, where that is not the most that there was.
    pub(super) top: Option<f64>,
}

/// A figure over time.
pub(super) fn chart(series: &Series, samples: &[ProgressSample]) -> Markup {
    let end = samples.last().map_or(0.0, |sample| sample.seconds).max(f64::MIN_POSITIVE);
    let most = samples.iter().map(series.value).fold(0.0, f64::max);
    let top = series.top.unwrap_or(most).max(f64::MIN_POSITIVE);
    let (room_x, room_y) = (WIDTH - 2.0 * LEFT, HEIGHT - TOP - BOTTOM);
    let point = |sample: &ProgressSample| {
        let x = LEFT + sample.seconds / end * room_x;
        let y = TOP + room_y - (series.value)(sample) / top * room_y;
        format!("{x:.1},{y:.1}")
    };
    let points: Vec<String> = thinned(samples).map(point).collect();
    let last = samples.last().map_or(0.0, series.value);
    let title = format!(
        "{}: {} at most, {} at the end",
        series.title,
        (series.text)(most),
        (series.text)(last)
    );
    let (base, right) = (HEIGHT - BOTTOM, WIDTH - LEFT);
    html! {
        svg.chart width=(WIDTH) height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) }
            role="img" aria-label=(title) {
            text.title x=(LEFT) y="13" { (series.title) }
            text.most x=(right) y="13" { (cut(&(series.text)(most), 20)) }
            line.axis x1=(LEFT) y1=(base) x2=(right) y2=(base) {}
            polyline points=(points.join(" ")) {}
            text.time x=(LEFT) y=(HEIGHT - 4.0) { "0" }
            text.most x=(right) y=(HEIGHT - 4.0) { (format!("{end:.1} s")) }
        }
    }
}

/// So many samples as are worth drawing, the last one among them.
fn thinned(samples: &[ProgressSample]) -> impl Iterator<Item = &ProgressSample> {
    let step = samples.len().div_ceil(POINTS_MAX).max(1);
    let last = samples.len().saturating_sub(1);
    samples.iter().enumerate().filter(move |(at, _)| at % step == 0 || *at == last).map(|(_, s)| s)
}
