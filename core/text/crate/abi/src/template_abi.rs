// SPDX-License-Identifier: GPL-3.0-or-later
//! The C ABI of chat templates.

use jinja::Clock;

use crate::border::{buffer, free_raw, guarded, into_raw, rp_buffer_free, shared_between_threads, write_text};
use crate::border::{RpBuffer, RpFailure, RpText};
use crate::chat::{ChatTemplate, Request};
use crate::give_back_memory_of;

const _: () = shared_between_threads::<ChatTemplate>();

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
    let text_bytes = rendered.text.len;
    unsafe {
        rp_buffer_free(rendered.text);
        free_raw(rendered.spans, 2 * rendered.num_spans);
    }
    give_back_memory_of(text_bytes);
}
