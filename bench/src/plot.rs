//! Calls per second as bars.

use std::fmt::Write;

use crate::{report::Report, rest};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 220.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 52.0;
const BAR: f64 = 26.0;
const STEP: f64 = 38.0;

/// Nothing when the calls were not measured.
pub(crate) fn throughput(report: &Report) -> Option<String> {
    let bars: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.section == rest::SECTION)
        .filter_map(|row| Some((row, row.per_second?)))
        .collect();
    let most = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let height = TOP + STEP * bars.len() as f64 + 12.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"16\" y=\"30\" font-size=\"17\" font-weight=\"600\" fill=\"#111\">Durable calls per second, {}</text>\n",
        rest::SECTION
    );
    for (place, (row, value)) in bars.iter().enumerate() {
        let y = TOP + STEP * place as f64;
        let (middle, width) = (y + BAR / 2.0 + 5.0, (WIDTH - LEFT - RIGHT) * value / most);
        let share = row
            .figure
            .as_ref()
            .map(|figure| format!(" ({:.0} %)", figure.median * 100.0))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{middle:.0}\" text-anchor=\"end\" fill=\"#333\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"{BAR}\" rx=\"3\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{middle:.0}\" fill=\"#111\">{value:.0}/s{share}</text>",
            LEFT - 10.0,
            row.what,
            colour(&row.what),
            LEFT + width + 8.0,
        );
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

fn colour(what: &str) -> &'static str {
    match what {
        _ if what.starts_with("SQLite") => "#2f6fde",
        _ if what.starts_with("PostgreSQL") => "#1a8a6e",
        _ => "#9aa1ab",
    }
}
