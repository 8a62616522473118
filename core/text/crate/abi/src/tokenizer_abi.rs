// SPDX-License-Identifier: GPL-3.0-or-later
//! The C ABI of tokenizers.

use std::sync::Arc;

use tokenize::{Block, Encoding, Tokenizer, TokenizerFile};

use crate::border::{buffer, guarded, shared_between_threads, write_text};
use crate::border::{RpBuffer, RpFailure, RpText};
use crate::folder::Folder;
use crate::give_back_memory_of;

const _: () = shared_between_threads::<Tokenizer>();

#[repr(C)]
pub struct RpTokens {
    /// `len` ids, byte offsets and flags, until the next block is asked for.
    ids: *const u32,
    offsets: *const [u32; 2],
    special: *const u8,
    len: usize,
}

/// The tokens of a text that are left, and those that were given last.
pub struct Tokens {
    text_bytes: usize,
    tokenizer: *const Tokenizer,
    rest: Encoding,
    given: Block,
    special: Vec<u8>,
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_open(folder: RpText, failure: *mut RpFailure) -> *const Tokenizer {
    let work = || {
        let folder = unsafe { folder.path() };
        let file = TokenizerFile::read(folder)?;
        Tokenizer::new(file, &Folder::read(folder)?.tokenizer_settings())
    };
    let Some(tokenizer) = (unsafe { guarded(failure, work) }) else { return std::ptr::null() };
    give_back_memory_of(usize::MAX); // of the file, several times what is kept of it
    Arc::into_raw(Arc::new(tokenizer))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_free(tokenizer: *const Tokenizer) {
    drop(unsafe { Arc::from_raw(tokenizer) });
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_encode(
    tokenizer: *const Tokenizer,
    text: RpText,
    add_special_tokens: bool,
    len: *mut usize,
    failure: *mut RpFailure,
) -> *mut Tokens {
    let work = || unsafe { (*tokenizer).encode(text.str("the text to encode")?, add_special_tokens) };
    let Some(rest) = (unsafe { guarded(failure, work) }) else { return std::ptr::null_mut() };
    unsafe { len.write(rest.len()) };
    Box::into_raw(Box::new(Tokens {
        text_bytes: text.len,
        tokenizer,
        rest,
        given: Block::default(),
        special: Vec::new(),
    }))
}

/// Frees the block before; false where none is left.
///
/// # Safety
/// See the rules of the ABI; the tokenizer must still be there.
#[no_mangle]
pub unsafe extern "C" fn rp_tokens_next(tokens: *mut Tokens, out: *mut RpTokens) -> bool {
    let tokens = unsafe { &mut *tokens };
    tokens.given = Block::default();
    give_back_memory_of(tokens.text_bytes);
    let Some(block) = tokens.rest.next() else { return false };
    tokens.special.clear();
    tokens.special.extend(block.ids.iter().map(|id| u8::from(unsafe { (*tokens.tokenizer).is_special(*id) })));
    tokens.given = block;
    let made = RpTokens {
        ids: tokens.given.ids.as_ptr(),
        offsets: tokens.given.offsets.as_ptr(),
        special: tokens.special.as_ptr(),
        len: tokens.given.ids.len(),
    };
    unsafe { out.write(made) };
    true
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokens_free(tokens: *mut Tokens) {
    let tokens = unsafe { Box::from_raw(tokens) };
    let text_bytes = tokens.text_bytes;
    drop(tokens);
    give_back_memory_of(text_bytes);
}

/// # Safety
/// See the rules of the ABI; `ids` points to `len` ids.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_decode(
    tokenizer: *const Tokenizer,
    ids: *const u32,
    len: usize,
    skip_special_tokens: bool,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    let work = || unsafe {
        let ids = if len == 0 { &[] } else { std::slice::from_raw_parts(ids, len) };
        (*tokenizer).decode(ids, skip_special_tokens)
    };
    unsafe { write_text(out, guarded(failure, work)) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_id_to_token(tokenizer: *const Tokenizer, id: u32, out: *mut RpBuffer) -> bool {
    unsafe { write_text(out, (*tokenizer).id_to_token(id)) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_vocab_size(tokenizer: *const Tokenizer) -> usize {
    unsafe { (*tokenizer).vocab_size() }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_is_special(tokenizer: *const Tokenizer, id: u32) -> bool {
    unsafe { (*tokenizer).is_special(id) }
}

/// Text and id (-1: not in the vocabulary) of a named special token, by the order of `tokenize::SPECIAL_NAMES`; false
/// where the model has none.
///
/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_special(
    tokenizer: *const Tokenizer,
    which: usize,
    out: *mut RpBuffer,
    id: *mut i64,
) -> bool {
    let Some((text, token_id)) = (unsafe { (*tokenizer).named(which) }) else { return false };
    unsafe {
        out.write(buffer(text.clone()));
        id.write(token_id.map_or(-1, i64::from));
    }
    true
}
