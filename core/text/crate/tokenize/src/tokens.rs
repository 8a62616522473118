// SPDX-License-Identifier: GPL-3.0-or-later
//! The tokens of a text as they come, in blocks: those of tens of megabytes take hundreds, and whoever copies them can
//! free what he has.

const BLOCK: usize = 1 << 16;

#[derive(Default)]
pub struct Block {
    pub ids: Vec<u32>,
    /// Byte ranges of the text: begin and end.
    pub offsets: Vec<[u32; 2]>,
}

/// A token of a part of a text, and the bytes of the part that it covers.
#[derive(Clone, Copy)]
pub struct Piece {
    pub id: u32,
    pub begin: u32,
    pub end: u32,
}

pub struct Tokens {
    full: Vec<Block>,
    last: Block,
}

impl Block {
    fn with_capacity(size: usize) -> Self {
        Self { ids: Vec::with_capacity(size), offsets: Vec::with_capacity(size) }
    }
}

impl Tokens {
    pub fn for_bytes(bytes: usize) -> Self {
        Self { full: Vec::new(), last: Block::with_capacity((bytes / 3).min(BLOCK)) }
    }

    /// Of a text of less than 4 GiB.
    pub fn push(&mut self, id: u32, begin: usize, end: usize) {
        if self.last.ids.len() == BLOCK {
            self.full.push(std::mem::replace(&mut self.last, Block::with_capacity(BLOCK)));
        }
        self.last.ids.push(id);
        self.last.offsets.push([begin as u32, end as u32]);
    }

    /// A token that no byte of the text made, whose offsets are 0.
    pub fn push_nowhere(&mut self, id: u32) {
        self.push(id, 0, 0);
    }

    pub fn len(&self) -> usize {
        self.full.len() * BLOCK + self.last.ids.len()
    }

    pub fn into_blocks(mut self) -> std::vec::IntoIter<Block> {
        self.full.push(self.last);
        self.full.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn come_in_their_order_whatever_the_blocks() {
        for size in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3] {
            let mut tokens = Tokens::for_bytes(size);
            (0..size).for_each(|at| tokens.push(at as u32, at, at + 1));
            assert_eq!(tokens.len(), size);
            let blocks: Vec<Block> = tokens.into_blocks().collect();
            assert!(blocks.iter().all(|block| block.ids.len() <= BLOCK && block.ids.len() == block.offsets.len()));
            let ids: Vec<u32> = blocks.iter().flat_map(|block| block.ids.clone()).collect();
            assert_eq!(ids, (0..size as u32).collect::<Vec<_>>());
            let last = blocks.iter().flat_map(|block| block.offsets.clone()).last();
            assert_eq!(last, size.checked_sub(1).map(|at| [at as u32, size as u32]));
        }
    }
}
