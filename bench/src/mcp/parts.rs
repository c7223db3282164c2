//! One after the other.

use std::path::Path;

use super::{lists, proxied, throughput};
use crate::{args::Plan, engine::Databases, report::Report};

pub(crate) async fn measure(
    binary: &Path,
    databases: &Databases,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    throughput::measure(binary, databases, plan, report).await?;
    proxied::measure(binary, databases, plan, report).await?;
    lists::measure(binary, databases, plan, report).await
}
