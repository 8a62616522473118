// SPDX-License-Identifier: GPL-3.0-or-later
//! Tokenizers and chat templates behind a C ABI, for core/text of RoundPipe Studio (core/text/ffi.h declares it).
//!
//! Rules of the ABI: objects are opaque pointers that their _free function takes back; text goes in as pointer and
//! length, and comes out as an RpBuffer that rp_buffer_free takes back; a function that can fail returns false or null
//! and fills its RpFailure. Panics become failures. Objects may be used by several threads at once, a stream by one.

#![deny(unsafe_op_in_unsafe_fn)]

mod border;
mod chat;
mod folder;
mod messages;
mod stream_abi;
mod tags;
mod template_abi;
mod tokenizer_abi;

/// Tokenising allocates and frees small pieces without end, in several threads; a third of its time was malloc.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[cfg(feature = "mimalloc")]
extern "C" {
    /// Of mimalloc, which keeps what was freed for a while; `force`: gives it back to the system now.
    fn mi_collect(force: bool);
}

/// Called where what a text took has been freed: of a long one it would stand in memory beside what comes next.
fn give_back_memory_of(text_bytes: usize) {
    const LONG: usize = 1 << 20;
    #[cfg(feature = "mimalloc")]
    if text_bytes >= LONG {
        unsafe { mi_collect(true) };
    }
    #[cfg(not(feature = "mimalloc"))]
    let _ = text_bytes >= LONG;
}
