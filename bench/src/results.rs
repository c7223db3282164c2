//! The results as files: a table to read, the same as JSON, and a plot.

use std::path::{Path, PathBuf};

use anyhow::Context;
use comfy_table::{Table, presets::ASCII_MARKDOWN};

use crate::{
    plot,
    report::{Report, Row},
};

pub(crate) fn write(report: &Report, directory: &Path) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(directory).with_context(|| format!("{} cannot be made", directory.display()))?;
    let keep = |name: &str, text: String| {
        let path = directory.join(name);
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
    };
    keep("results.md", markdown(report))?;
    keep("results.json", serde_json::to_string_pretty(report)? + "\n")?;
    if let Some(svg) = plot::throughput(report) {
        keep("throughput.svg", svg)?;
    }
    Ok(directory.to_owned())
}

/// One table for the terminal and for the file.
pub(crate) fn table(report: &Report) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(Row::HEAD);
    let mut section = "";
    for row in &report.rows {
        let mut cells = row.cells();
        // Each section is named once.
        if row.section == section {
            cells[0].clear();
        }
        section = row.section;
        table.add_row(cells);
    }
    table.to_string()
}

fn markdown(report: &Report) -> String {
    let plan = &report.plan;
    let kind = if plan.quick { "A quick run" } else { "A run" };
    let plot = plot::throughput(report).map_or("", |_| "\n![Calls per second](throughput.svg)\n");
    format!(
        "# Benchmark results\n\n\
         Printed by `make bench`; written by a program, not by hand. {kind} of {} rounds of {} ms each, the sides taking turns \
         within every round. Figures are medians over rounds; the spread is the least and the greatest round.\n\n\
         {}\n{plot}\n{}\n",
        plan.rounds,
        plan.round.as_millis(),
        report.machine.markdown(),
        table(report)
    )
}
