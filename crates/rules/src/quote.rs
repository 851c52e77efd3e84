//! What messages quote of what was given.

/// A culprit, shortened to what fits into a sentence.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
