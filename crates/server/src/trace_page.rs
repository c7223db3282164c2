//! The trace of a run as a page: a line for each span, and a bar where it stands in time. No script; everything that comes from a
//! run is escaped.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    sync::LazyLock,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use html_escape::encode_quoted_attribute as escaped;
use serde_json::Value;
use sha2::{Digest, Sha256};
use toolgate_domain::{Span, SpanId, Timestamp};
use toolgate_engine::Trace;

const STYLE: &str = include_str!("trace_page.css");
/// Lines are set in no further than this.
const MAX_INDENT: usize = 10;

static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// Nothing but the page's own style is let in.
pub(crate) fn policy() -> &'static str {
    &POLICY
}

pub(crate) fn render(trace: &Trace, now: Timestamp) -> String {
    let run = trace.run_id;
    let scale = Scale::of(&trace.spans, now);
    let root = trace.spans.iter().find(|span| span.span_id == SpanId::of_run(run));
    let title = root.map_or_else(|| run.to_string(), |root| root.name.clone());
    let mut page = String::with_capacity(4_096 + 1_024 * trace.spans.len());
    // Writing into a string cannot fail.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · trace</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p class=\"facts\">{facts}</p>\n",
        title = escaped(&title),
        facts = facts(trace, root, &scale),
    );
    if trace.truncated {
        let _ = writeln!(page, "<p class=\"note\">There are more spans than are shown.</p>");
    }
    page.push_str("<ol>\n");
    for (depth, span) in in_tree(&trace.spans) {
        line(&mut page, span, depth, &scale, Some(span.span_id) == root.map(|root| root.span_id));
    }
    page.push_str("</ol>\n</main>\n</body>\n</html>\n");
    page
}

fn facts(trace: &Trace, root: Option<&Span>, scale: &Scale) -> String {
    let state = match root {
        Some(Span { error: Some(error), .. }) => format!("<b class=\"error\">{}</b>", escaped(error)),
        Some(Span { ended_at: Some(_), .. }) => "<b class=\"ok\">ended well</b>".to_owned(),
        _ => "<b class=\"running\">goes on; reload to see more</b>".to_owned(),
    };
    format!(
        "{state} · began {} · {} · {} spans · <a href=\"/api/runs/{run}/trace\">{run}</a>",
        scale.from,
        duration(scale.micros),
        trace.spans.len(),
        run = trace.run_id,
    )
}

/// A span is seen however short it is beside the others.
const LEAST_PERCENT: f64 = 0.3;

/// From the first beginning to the last end.
struct Scale {
    from: Timestamp,
    micros: i64,
    now: Timestamp,
}

impl Scale {
    fn of(spans: &[Span], now: Timestamp) -> Self {
        let from = spans.iter().map(|span| span.started_at).min().unwrap_or(now);
        let to = spans.iter().map(|span| span.ended_at.unwrap_or(now)).max().unwrap_or(now);
        Self { from, micros: (to.as_micros() - from.as_micros()).max(1), now }
    }

    /// Where a span begins and how long it is, in percent.
    fn place(&self, span: &Span) -> (f64, f64) {
        let percent = |micros: i64| 100.0 * micros as f64 / self.micros as f64;
        let width = percent(self.micros_of(span)).clamp(LEAST_PERCENT, 100.0);
        let begin = percent(span.started_at.as_micros() - self.from.as_micros());
        (begin.clamp(0.0, 100.0 - width), width)
    }

    fn micros_of(&self, span: &Span) -> i64 {
        (span.ended_at.unwrap_or(self.now).as_micros() - span.started_at.as_micros()).max(0)
    }
}

fn line(page: &mut String, span: &Span, depth: usize, scale: &Scale, is_root: bool) {
    let (begin, width) = scale.place(span);
    let state = match (&span.error, span.ended_at) {
        (Some(_), _) => "error",
        (None, None) => "running",
        (None, Some(_)) => "ok",
    };
    let sort = span.name.split(' ').next().unwrap_or_default();
    let sort = if ["invoke_agent", "chat", "execute_tool", "guard", "await"].contains(&sort) {
        sort
    } else {
        "tool"
    };
    let end = if span.ended_at.is_some() { "" } else { "…" };
    let _ = write!(
        page,
        "<li><details><summary><span class=\"name d{depth}\">{name}</span>\
         <svg class=\"bar {sort} {state}\" role=\"img\" aria-label=\"{took}\">\
         <rect class=\"lane\" width=\"100%\" height=\"100%\"/>\
         <rect class=\"span\" x=\"{begin:.3}%\" width=\"{width:.3}%\" height=\"100%\" rx=\"2\"/></svg>\
         <span class=\"took\">{took}{end}</span></summary>\n<dl>",
        depth = depth.min(MAX_INDENT),
        name = escaped(&span.name),
        took = duration(scale.micros_of(span)),
    );
    if let Some(error) = &span.error {
        fact(page, "error", &format!("<b class=\"error\">{}</b>", escaped(error)));
    }
    fact(page, "began", &span.started_at.to_string());
    if let Some(call) = span.invocation_id {
        fact(page, "receipt", &format!("<a href=\"/api/invocations/{call}\">{call}</a>"));
    }
    for (key, value) in &span.attributes {
        match value.as_str() {
            Some(run) if key == "toolgate.run_id" && !is_root => {
                let run = escaped(run);
                fact(page, "run", &format!("<a href=\"/runs/{run}/trace\">{run}</a>"));
            }
            Some(text) => fact(page, key, &escaped(text)),
            None => fact(page, key, &escaped(&shown(value))),
        }
    }
    for link in &span.links {
        fact(page, "linked to", &format!("{} in trace {}", link.span_id, link.trace_id));
    }
    page.push_str("</dl></details></li>\n");
}

fn fact(page: &mut String, key: &str, value: &str) {
    let _ = write!(page, "<dt>{}</dt><dd>{value}</dd>", escaped(key));
}

fn shown(value: &Value) -> String {
    match value.as_array() {
        Some(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(", "),
        None => value.to_string(),
    }
}

/// Every span once, each under its parent, in the order in which they began. One whose parent is not there stands alone.
fn in_tree(spans: &[Span]) -> Vec<(usize, &Span)> {
    let known: HashSet<SpanId> = spans.iter().map(|span| span.span_id).collect();
    let mut children: HashMap<Option<SpanId>, Vec<&Span>> = HashMap::new();
    for span in spans {
        let parent = span.parent_span_id.filter(|parent| known.contains(parent) && *parent != span.span_id);
        children.entry(parent).or_default().push(span);
    }
    let mut found = Vec::with_capacity(spans.len());
    let mut next: Vec<(usize, &Span)> =
        children.remove(&None).unwrap_or_default().into_iter().rev().map(|span| (0, span)).collect();
    // Ends: the children of a span are taken out once.
    while let Some((depth, span)) = next.pop() {
        found.push((depth, span));
        let own = children.remove(&Some(span.span_id)).unwrap_or_default();
        next.extend(own.into_iter().rev().map(|child| (depth + 1, child)));
    }
    found
}

fn duration(micros: i64) -> String {
    let seconds = micros as f64 / 1e6;
    match micros {
        ..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", seconds * 1e3),
        1_000_000..120_000_000 => format!("{seconds:.2} s"),
        120_000_000..7_200_000_000 => format!("{:.1} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}
