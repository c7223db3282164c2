//! The path of an operation and its placeholders.

use super::notes::short;

const MAX_PATH_BYTES: usize = 2_000;

enum Piece {
    Literal(String),
    Place { name: String, property: Option<String> },
}

pub(super) struct Path(Vec<Piece>);

impl Path {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let bad = || format!("its path `{}` cannot be understood", short(text));
        if text.len() > MAX_PATH_BYTES || text.contains(['?', '#', '$']) {
            return Err(bad());
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, left) = after.split_once('}').ok_or_else(bad)?;
            if name.is_empty() || name.contains('{') || before.contains('}') {
                return Err(bad());
            }
            pieces.push(Piece::Literal(before.to_owned()));
            pieces.push(Piece::Place { name: name.to_owned(), property: None });
            rest = left;
        }
        if rest.contains('}') {
            return Err(bad());
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Ok(Self(pieces))
    }

    pub(super) fn has(&self, wanted: &str) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Place { name, .. } if name == wanted))
    }

    /// The property that fills the placeholder, wherever it stands.
    pub(super) fn name(&mut self, wanted: &str, filled_by: &str) {
        for piece in &mut self.0 {
            if let Piece::Place { name, property } = piece
                && name == wanted
            {
                *property = Some(filled_by.to_owned());
            }
        }
    }

    /// Placeholders that nothing fills, each once.
    pub(super) fn unnamed(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for piece in &self.0 {
            if let Piece::Place { name, property: None } = piece
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        }
        names
    }

    pub(super) fn render(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Place { name, property } => format!("{{{}}}", property.as_ref().unwrap_or(name)),
        };
        self.0.iter().map(piece).collect()
    }
}
