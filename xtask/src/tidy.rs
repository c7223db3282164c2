//! Everything that a reviewer should not have to say twice, as far as the sources alone tell it.

use anyhow::bail;

use crate::{doors, layers, licences, sizes};

pub(crate) fn tidy() -> anyhow::Result<()> {
    let mut complaints = layers::complaints()?;
    complaints.extend(licences::complaints()?);
    complaints.extend(doors::complaints()?);
    complaints.extend(sizes::complaints()?);
    if complaints.is_empty() {
        return Ok(());
    }
    bail!("{}", complaints.join("\n"))
}
