//! What a server offers, as it is seen here: each tool once, within bounds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use toolgate_domain::{
    Limits,
    governance::{Sighting, UpstreamTool},
    json::encoded_len,
};

const MAX_NAME_BYTES: usize = 200;

/// The tools of an offer by their own names, and what is wrong with the offer as a whole.
pub(super) struct Seen {
    pub(super) tools: BTreeMap<String, Sighting>,
    pub(super) complaint: Option<String>,
}

/// `known` are imported already; they are not crowded out by new ones.
pub(super) fn seen(mut offered: Vec<UpstreamTool>, known: &BTreeSet<&str>, limits: &Limits) -> Seen {
    let mut complaints = Vec::new();
    let before = offered.len();
    offered.retain(|tool| {
        (1..=MAX_NAME_BYTES).contains(&tool.name.len()) && !tool.name.chars().any(char::is_control)
    });
    if offered.len() < before {
        let count = before - offered.len();
        complaints
            .push(format!("{count} tools have no name of 1 to {MAX_NAME_BYTES} bytes that can be shown"));
    }
    // Stable, so that of two tools of one name the first counts.
    offered.sort_by(|a, b| {
        let order = |tool: &UpstreamTool| (!known.contains(&*tool.name), tool.name.clone());
        order(a).cmp(&order(b))
    });
    let before = offered.len();
    offered.dedup_by(|later, first| later.name == first.name);
    if offered.len() < before {
        complaints.push(format!("{} tools have the name of another", before - offered.len()));
    }
    let max = usize::try_from(limits.max_mcp_server_tools).unwrap_or(usize::MAX);
    if offered.len() > max {
        complaints.push(format!("it offers {} tools, of which {max} are imported", offered.len()));
        offered.truncate(max);
    }
    let tools = offered.into_iter().map(|tool| (tool.name.clone(), look_at(tool, limits))).collect();
    Seen { tools, complaint: (!complaints.is_empty()).then(|| complaints.join("; ")) }
}

fn look_at(definition: UpstreamTool, limits: &Limits) -> Sighting {
    let whole = json!(definition);
    let bytes = encoded_len(&whole) as u64;
    if bytes > limits.max_mcp_tool_bytes {
        return Sighting::Unusable(format!(
            "the definition has {bytes} bytes, and at most {} are taken",
            limits.max_mcp_tool_bytes
        ));
    }
    if whole.to_string().contains("\\u0000") {
        return Sighting::Unusable("the definition holds the character U+0000".to_owned());
    }
    match definition.digest() {
        Ok(digest) => Sighting::Sound { definition, digest },
        Err(error) => Sighting::Unusable(error.to_string()),
    }
}
