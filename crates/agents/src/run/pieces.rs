//! What a model says, in the pieces in which a run hands it on. A run may stream so many chunks, each so large, and no more; a model
//! that says much in small words, or all at once, must not break its run by it. The whole is in the step in any case.

/// Bytes of the largest piece.
const MAX_BYTES: usize = 64 * 1024;

pub(super) struct Pieces {
    waiting: String,
    handed_out: u64,
    most: u64,
}

impl Pieces {
    /// For one turn of a run that may have so many turns, and stream so many chunks in all of them.
    pub(super) fn of_turn(max_chunks: u64, max_turns: u64) -> Self {
        Self { waiting: String::new(), handed_out: 0, most: max_chunks / max_turns.saturating_add(1) }
    }

    /// More text; answers what is to be handed on now.
    pub(super) fn add(&mut self, text: &str) -> Vec<String> {
        self.waiting.push_str(text);
        // Word by word for half of the pieces; from then on only large ones.
        let is_early = self.handed_out < self.most / 2;
        self.cut(if is_early { 1 } else { MAX_BYTES })
    }

    /// What is left when nothing more comes.
    pub(super) fn rest(&mut self) -> Vec<String> {
        self.cut(1)
    }

    fn cut(&mut self, at_least: usize) -> Vec<String> {
        let mut pieces = Vec::new();
        // Ends: every round takes from what waits, or nothing more is handed out.
        while self.waiting.len() >= at_least && self.handed_out < self.most {
            let end = self.waiting.floor_char_boundary(MAX_BYTES);
            let rest = self.waiting.split_off(end);
            pieces.push(std::mem::replace(&mut self.waiting, rest));
            self.handed_out += 1;
        }
        if self.handed_out >= self.most {
            self.waiting.clear();
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &mut Pieces, words: impl Iterator<Item = String>) -> Vec<String> {
        let mut handed_out: Vec<String> = words.flat_map(|word| pieces.add(&word)).collect();
        handed_out.extend(pieces.rest());
        handed_out
    }

    #[test]
    fn a_few_words_are_handed_on_as_they_come() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(all(&mut Pieces::of_turn(10_000, 10), words.into_iter()), ["a", "b", "c"]);
    }

    #[test]
    fn many_words_are_fewer_pieces_and_lose_nothing() {
        let words = (0..20_000).map(|n| format!("wört{n} "));
        let said: String = words.clone().collect();
        let pieces = all(&mut Pieces::of_turn(10_000, 10), words);
        assert!(pieces.len() < 909, "{}", pieces.len());
        assert_eq!(pieces.concat(), said);
    }

    #[test]
    fn one_long_word_is_many_pieces_of_a_size() {
        let said = "ö".repeat(5 * 1024 * 1024);
        let pieces = all(&mut Pieces::of_turn(10_000, 10), std::iter::once(said.clone()));
        assert!(pieces.iter().all(|piece| piece.len() <= MAX_BYTES));
        assert_eq!(pieces.concat(), said);
    }

    #[test]
    fn there_are_never_more_than_there_may_be() {
        let mut pieces = Pieces::of_turn(22, 10);
        assert_eq!(all(&mut pieces, (0..100).map(|n| n.to_string())).len(), 2);
        assert!(all(&mut Pieces::of_turn(0, 10), std::iter::once("x".to_owned())).is_empty());
    }
}
