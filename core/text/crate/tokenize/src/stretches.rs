// SPDX-License-Identifier: GPL-3.0-or-later
//! The tokens of a word of any length, stretch by stretch.
//!
//! Byte-pair encoding keeps a hundred bytes for each of a word, and a word can be a text of megabytes without a blank.
//! Tokens are what it makes of a word exactly where it makes each two neighbours among them of those two's text: a merge
//! across a place where two tokens meet depends on nothing but these two, as long as none crosses elsewhere, and the
//! first to cross would do so in the text of the two alone. So two stretches, each encoded by itself, are put together
//! where a token of the first ends, and where the tokens on both sides are also what the text of these few makes.

use failure::{Failure, FailureKind, Outcome};

use crate::tokens::Piece;

/// Calls `take` with the tokens of a word, and where in the word their bytes are counted from. `encode` says the tokens of
/// a part of the word that begins there. `stretch`: about how many bytes of the word it gets, more than any token has.
pub fn in_stretches(
    word: &str,
    stretch: usize,
    encode: impl Fn(&str, usize) -> Outcome<Box<[Piece]>>,
    mut take: impl FnMut(&[Piece], usize),
) -> Outcome<()> {
    let (mut begin, mut pieces) = (0, encode(&word[..stretch_end(word, 0, stretch)], 0)?);
    while stretch_end(word, begin, stretch) < word.len() {
        let Some(seam) = find_seam(word, begin, stretch, &pieces, &encode)? else { return Err(no_seam(word.len())) };
        take(&pieces[..seam.kept], begin);
        (begin, pieces) = (seam.at, seam.next);
    }
    take(&pieces, begin);
    Ok(())
}

fn no_seam(bytes: usize) -> Failure {
    let message = format!("a word of {bytes} bytes has no place where its tokens could be told apart");
    Failure::new(FailureKind::TooLong, message, "")
}

/// A place of a word where the tokens from one stretch end and those of the next begin.
struct Seam {
    at: usize,
    kept: usize,
    next: Box<[Piece]>,
}

/// Of the tokens near a stretch's end the last may be others than the whole word's, those before seldom.
fn find_seam(
    word: &str,
    begin: usize,
    stretch: usize,
    pieces: &[Piece],
    encode: &impl Fn(&str, usize) -> Outcome<Box<[Piece]>>,
) -> Outcome<Option<Seam>> {
    for part in [32, 16, 8, 4, 2] {
        let Some(kept) = whole_before(pieces, pieces.len() - pieces.len() / part) else { continue };
        let at = begin + pieces[kept].begin as usize;
        let next = encode(&word[at..stretch_end(word, at, stretch)], at)?;
        let (Some(left), Some(right)) = (whole_before(pieces, kept - 1), whole_behind(&next)) else { continue };
        let window = begin + pieces[left].begin as usize..at + next[right - 1].end as usize;
        let together = encode(&word[window.clone()], window.start)?;
        let apart = pieces[left..kept].iter().chain(&next[..right]);
        if together.iter().map(|piece| piece.id).eq(apart.map(|piece| piece.id)) {
            return Ok(Some(Seam { at, kept, next }));
        }
    }
    Ok(None)
}

/// The last token, no further than that one and not the first, that begins with a character, behind one that ends with
/// one: tokens that share a character both cover the whole of it.
fn whole_before(pieces: &[Piece], from: usize) -> Option<usize> {
    (1..=from.min(pieces.len().saturating_sub(1))).rev().find(|at| pieces[at - 1].end == pieces[*at].begin)
}

/// How many tokens from the first on end with a character.
fn whole_behind(pieces: &[Piece]) -> Option<usize> {
    (1..pieces.len()).find(|at| pieces[at - 1].end == pieces[*at].begin)
}

/// A short rest is no stretch of its own.
fn stretch_end(word: &str, begin: usize, stretch: usize) -> usize {
    if word.len() - begin <= 2 * stretch {
        return word.len();
    }
    (begin..=begin + stretch).rev().find(|at| word.is_char_boundary(*at)).unwrap_or(word.len())
}
