//! Text widths and line breaking without a font at hand.

/// Estimated width. Viewers pick their own font, so this follows Noto Sans,
/// which is wider than most, and errs on the wide side.
pub(super) fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(advance).sum::<f64>()
}

/// Rough advance of a character, in units of the font size.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'J' | ' ' | '.' | ',' | ':' | ';' | '\'' | '!' => 0.27,
        '(' | ')' | '[' | ']' | '-' | 'f' | 't' | 'I' | '/' => 0.36,
        'r' | 's' | 'c' | 'z' => 0.48,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.93,
        'N' | 'O' | 'Q' | 'H' => 0.78,
        'A'..='Z' | '&' => 0.70,
        c if c < '\u{2190}' => 0.62,
        // Arrows, East Asian scripts and emoji fill a square.
        _ => 1.0,
    }
}

/// Breaks text into lines no wider than `limit`, between words if possible;
/// what does not fit into `most` lines ends in an ellipsis.
pub(super) fn wrap(text: &str, size: f64, limit: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let words = text.split_whitespace().flat_map(|word| pieces(word, size, limit));
    for word in words {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(&word, size) <= limit => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            shorten(last, size, limit);
        }
    }
    lines
}

/// Like `wrap`, with lines of similar length instead of a short last one.
pub(super) fn wrap_evenly(text: &str, size: f64, limit: f64, most: usize) -> Vec<String> {
    let lines = wrap(text, size, limit, most);
    // Narrower than the longest word would break it.
    let widest = text.split_whitespace().map(|word| width(word, size)).fold(0.0, f64::max);
    let narrower =
        [0.5, 0.6, 0.7, 0.8, 0.9].into_iter().map(|part| part * limit).filter(|&limit| limit >= widest);
    let shrunk = narrower.map(|limit| wrap(text, size, limit, usize::MAX));
    shrunk.into_iter().find(|narrow| narrow.len() == lines.len()).unwrap_or(lines)
}

/// A word cut into parts that each fit into a line.
fn pieces(word: &str, size: f64, limit: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0.0;
    for c in word.chars() {
        let step = size * advance(c);
        if used > 0.0 && used + step > limit {
            parts.push(String::new());
            used = 0.0;
        }
        used += step;
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

fn shorten(line: &mut String, size: f64, limit: f64) {
    while !line.is_empty() && width(line, size) + width("…", size) > limit {
        line.pop();
    }
    line.truncate(line.trim_end().len());
    line.push('…');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_lines_break_no_word() {
        assert_eq!(
            wrap_evenly("ldp-thompson-unbounded ε = 1", 14.0, 180.0, 3),
            ["ldp-thompson-unbounded", "ε = 1"]
        );
    }

    #[test]
    fn lines_fit_and_keep_every_word() {
        let text = "the quick brown fox jumps over the averyveryveryveryverylongword dog";
        let lines = wrap(text, 10.0, 80.0, 99);
        assert!(lines.iter().all(|l| width(l, 10.0) <= 80.0), "{lines:?}");
        let kept: String = lines.concat().chars().filter(|c| *c != ' ').collect();
        assert_eq!(kept, text.replace(' ', ""));
    }

    #[test]
    fn even_lines_need_no_more_lines() {
        let text = "No privacy (sampling error only)";
        assert_eq!(wrap(text, 13.0, 190.0, 3), ["No privacy (sampling error", "only)"]);
        assert_eq!(wrap_evenly(text, 13.0, 190.0, 3), ["No privacy (sampling", "error only)"]);
        let long = "word ".repeat(50);
        assert_eq!(wrap_evenly(&long, 10.0, 80.0, 2), wrap(&long, 10.0, 80.0, 2));
    }

    #[test]
    fn too_many_lines_end_in_an_ellipsis() {
        let lines = wrap(&"word ".repeat(50), 10.0, 80.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…') && width(&lines[1], 10.0) <= 80.0);
    }

    #[test]
    fn blank_text_has_no_lines() {
        assert!(wrap(" \n\t ", 10.0, 80.0, 3).is_empty());
        assert_eq!(wrap("W", 10.0, 0.0, 3), ["W"]);
    }
}
