//! Every built-in tool.

use std::sync::Arc;

use super::{
    calculate::Calculate, convert_units::ConvertUnits, diff_text::DiffText, generate_ids::GenerateIds,
    get_time::GetTime, hash_text::HashText, parse_csv::ParseCsv, query_json::QueryJson,
    render_template::RenderTemplate, summarize_numbers::SummarizeNumbers, tool::Builtin,
    validate_json::ValidateJson,
};

/// The built-in tools, sorted by name.
pub fn all() -> Vec<Arc<dyn Builtin>> {
    vec![
        Arc::new(Calculate),
        Arc::new(ConvertUnits),
        Arc::new(DiffText),
        Arc::new(GenerateIds),
        Arc::new(GetTime),
        Arc::new(HashText),
        Arc::new(ParseCsv),
        Arc::new(QueryJson),
        Arc::new(RenderTemplate),
        Arc::new(SummarizeNumbers),
        Arc::new(ValidateJson),
    ]
}
