//! Tokenizers and chat templates behind a C ABI, for core/text of RoundPipe Studio (core/text/ffi.h declares it).
//!
//! Rules of the ABI: objects are opaque pointers that their _free function takes back; text goes in as pointer and
//! length, and comes out as an RpBuffer that rp_buffer_free takes back; a function that can fail returns false or null
//! and fills its RpFailure. Panics become failures. Objects may be used by several threads at once, a stream by one.

#![deny(unsafe_op_in_unsafe_fn)]

mod chat;
mod failure;
mod folder;
pub mod jinja;
mod stream;
mod tokenizer;
mod words;

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;

use chat::{ChatTemplate, Request};
use failure::{Failure, FailureKind, Outcome};
use jinja::Clock;
use stream::DecodeStream;
use tokenizer::Tokenizer;

/// Tokenising allocates and frees small pieces without end, in several threads; a third of its time was malloc.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Text borrowed from the caller.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RpText {
    data: *const u8,
    len: usize,
}

/// Bytes owned by this library.
#[repr(C)]
pub struct RpBuffer {
    data: *mut u8,
    len: usize,
}

#[repr(C)]
pub struct RpFailure {
    kind: u8,
    message: RpBuffer,
    advice: RpBuffer,
}

#[repr(C)]
pub struct RpEncoding {
    /// `len` ids; then 2·len byte offsets; then len flags.
    ids: *mut u32,
    offsets: *mut usize,
    special: *mut u8,
    len: usize,
}

#[repr(C)]
pub struct RpRequest {
    messages: RpText,
    tools: RpText,
    documents: RpText,
    extra: RpText,
    add_generation_prompt: bool,
    year: i32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
}

#[repr(C)]
pub struct RpRendered {
    text: RpBuffer,
    /// Begin and end of each generation span, in bytes.
    spans: *mut usize,
    num_spans: usize,
    /// The template has generation blocks.
    has_generation: bool,
}

const fn shared_between_threads<T: Send + Sync>() {}
const _: () = {
    shared_between_threads::<Tokenizer>();
    shared_between_threads::<ChatTemplate>();
};

impl RpText {
    /// # Safety
    /// `data` must point to `len` readable bytes that outlive the use of the result.
    unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    /// # Safety
    /// As `bytes`.
    unsafe fn str<'a>(self, what: &str) -> Outcome<&'a str> {
        std::str::from_utf8(unsafe { self.bytes() })
            .map_err(|error| Failure::invalid(format!("{what} is not UTF-8 text (byte {})", error.valid_up_to())))
    }

    /// # Safety
    /// As `bytes`.
    unsafe fn path<'a>(self) -> &'a Path {
        use std::os::unix::ffi::OsStrExt;
        Path::new(std::ffi::OsStr::from_bytes(unsafe { self.bytes() }))
    }
}

fn into_raw<T>(items: Vec<T>) -> *mut T {
    Box::into_raw(items.into_boxed_slice()).cast()
}

/// # Safety
/// `data` and `len` must come from `into_raw`, and be given back only once.
unsafe fn free_raw<T>(data: *mut T, len: usize) {
    if !data.is_null() {
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, len)) });
    }
}

fn buffer(text: String) -> RpBuffer {
    let bytes = text.into_bytes();
    RpBuffer { len: bytes.len(), data: into_raw(bytes) }
}

/// Runs `work`; a failure or a panic goes to `failure` and gives None.
///
/// # Safety
/// `failure` must be writable.
unsafe fn guarded<T>(failure: *mut RpFailure, work: impl FnOnce() -> Outcome<T>) -> Option<T> {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default();
        Err(Failure::new(FailureKind::Internal, format!("the text library stopped: {text}"), ""))
    });
    match outcome {
        Ok(value) => Some(value),
        Err(error) => {
            let made =
                RpFailure { kind: error.kind as u8, message: buffer(error.message), advice: buffer(error.advice) };
            unsafe { failure.write(made) };
            None
        }
    }
}

/// # Safety
/// The buffer must come from this library and be freed once.
#[no_mangle]
pub unsafe extern "C" fn rp_buffer_free(buffer: RpBuffer) {
    unsafe { free_raw(buffer.data, buffer.len) }
}

// ---- tokenizer

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_open(folder: RpText, failure: *mut RpFailure) -> *const Tokenizer {
    let opened = unsafe { guarded(failure, || Tokenizer::open(folder.path())) };
    opened.map_or(std::ptr::null(), |tokenizer| Arc::into_raw(Arc::new(tokenizer)))
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
    out: *mut RpEncoding,
    failure: *mut RpFailure,
) -> bool {
    let work = || unsafe { (*tokenizer).encode(text.str("the text to encode")?, add_special_tokens) };
    let Some(encoding) = (unsafe { guarded(failure, work) }) else { return false };
    let len = encoding.ids.len();
    let offsets = encoding.offsets.into_iter().flat_map(|(begin, end)| [begin, end]).collect();
    let made = RpEncoding {
        ids: into_raw(encoding.ids),
        offsets: into_raw::<usize>(offsets),
        special: into_raw(encoding.special),
        len,
    };
    unsafe { out.write(made) };
    true
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_encoding_free(encoding: RpEncoding) {
    unsafe {
        free_raw(encoding.ids, encoding.len);
        free_raw(encoding.offsets, 2 * encoding.len);
        free_raw(encoding.special, encoding.len);
    }
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
/// `out` must be writable.
unsafe fn write_text(out: *mut RpBuffer, text: Option<String>) -> bool {
    let found = text.is_some();
    if let Some(text) = text {
        unsafe { out.write(buffer(text)) };
    }
    found
}

/// The id of a token's text, -1 where there is none.
///
/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_tokenizer_token_to_id(tokenizer: *const Tokenizer, token: RpText) -> i64 {
    let id = unsafe { token.str("a token").ok().and_then(|token| (*tokenizer).token_to_id(token)) };
    id.map_or(-1, i64::from)
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

/// Text and id (-1: not in the vocabulary) of a named special token, by the order of `folder::SPECIAL_NAMES`; false
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

// ---- streaming

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_new(tokenizer: *const Tokenizer, skip_special_tokens: bool) -> *mut DecodeStream {
    let shared = unsafe {
        Arc::increment_strong_count(tokenizer);
        Arc::from_raw(tokenizer)
    };
    Box::into_raw(Box::new(DecodeStream::new(shared, skip_special_tokens)))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_free(stream: *mut DecodeStream) {
    drop(unsafe { Box::from_raw(stream) });
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_push(
    stream: *mut DecodeStream,
    id: u32,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    unsafe { write_text(out, guarded(failure, || (*stream).push(id))) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_stream_finish(
    stream: *mut DecodeStream,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    unsafe { write_text(out, guarded(failure, || (*stream).finish())) }
}

// ---- chat templates

/// # Safety
/// See the rules of the ABI; an empty `override_file` means none.
#[no_mangle]
pub unsafe extern "C" fn rp_template_open(
    folder: RpText,
    override_file: RpText,
    failure: *mut RpFailure,
) -> *mut ChatTemplate {
    let work = || unsafe {
        let override_file = (override_file.len > 0).then(|| override_file.path());
        ChatTemplate::open(folder.path(), override_file)
    };
    unsafe { guarded(failure, work) }.map_or(std::ptr::null_mut(), |template| Box::into_raw(Box::new(template)))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_template_parse(
    source: RpText,
    special_tokens: RpText,
    failure: *mut RpFailure,
) -> *mut ChatTemplate {
    let work = || unsafe {
        ChatTemplate::from_source(source.str("the chat template")?, special_tokens.str("the special tokens")?)
    };
    unsafe { guarded(failure, work) }.map_or(std::ptr::null_mut(), |template| Box::into_raw(Box::new(template)))
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_template_free(template: *mut ChatTemplate) {
    drop(unsafe { Box::from_raw(template) });
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_template_source(
    template: *const ChatTemplate,
    with_tools: bool,
    out: *mut RpBuffer,
    failure: *mut RpFailure,
) -> bool {
    unsafe { write_text(out, guarded(failure, || (*template).source(with_tools).map(str::to_string))) }
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_template_has_generation(
    template: *const ChatTemplate,
    with_tools: bool,
    out: *mut bool,
    failure: *mut RpFailure,
) -> bool {
    let Some(found) = (unsafe { guarded(failure, || (*template).has_generation(with_tools)) }) else { return false };
    unsafe { out.write(found) };
    true
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_template_render(
    template: *const ChatTemplate,
    request: *const RpRequest,
    out: *mut RpRendered,
    failure: *mut RpFailure,
) -> bool {
    let work = || unsafe {
        let r = &*request;
        let RpRequest { year, month, day, hour, minute, second, .. } = *r;
        (*template).render(&Request {
            messages: r.messages.str("messages")?,
            tools: r.tools.str("tools")?,
            documents: r.documents.str("documents")?,
            extra: r.extra.str("template arguments")?,
            add_generation_prompt: r.add_generation_prompt,
            clock: Clock { year, month, day, hour, minute, second },
        })
    };
    let Some(rendered) = (unsafe { guarded(failure, work) }) else { return false };
    let num_spans = rendered.spans.len();
    let spans = rendered.spans.into_iter().flat_map(|(begin, end)| [begin, end]).collect();
    let made = RpRendered {
        text: buffer(rendered.text),
        spans: into_raw::<usize>(spans),
        num_spans,
        has_generation: rendered.has_generation,
    };
    unsafe { out.write(made) };
    true
}

/// # Safety
/// See the rules of the ABI.
#[no_mangle]
pub unsafe extern "C" fn rp_rendered_free(rendered: RpRendered) {
    unsafe {
        rp_buffer_free(rendered.text);
        free_raw(rendered.spans, 2 * rendered.num_spans);
    }
}
