// SPDX-License-Identifier: GPL-3.0-or-later
// An ordered queue of work on a device. Work of one stream runs in the order of its issue; streams run side by side.
//
// One thread at a time issues to a stream (the device's controller). Calls return before the work has run.
#pragma once

#include "device/streams/event.h"
#include "trace/record.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace roundpipe::device {

// What was recorded of a stream's work (Stream::recorded). It holds on to no memory that the work uses.
class Recording {
public:
    virtual ~Recording() = default;
};

class Stream {
public:
    virtual ~Stream() = default;

    // CPU: `work` runs later in the stream's thread. CUDA: it runs now in the calling thread and enqueues kernels on
    // this stream, which is LibTorch's current stream meanwhile. An exception poisons the run (CPU) or is thrown
    // (CUDA).
    virtual void launch(std::function<void()> work) = 0;
    // What `work` would launch, to be issued by replay() as often as wanted, with next to nothing for the host to do:
    // the same kernels with the same arguments. Nothing runs yet. `work` may neither allocate, synchronise, wait for
    // events nor copy from memory that is not page-locked, and has been launched the same way before, so that libraries
    // have loaded what they need. Null: streams of this device record nothing (CPU).
    virtual std::unique_ptr<const Recording> recorded(const std::function<void()>& work) = 0;
    virtual void replay(const Recording& recording) = 0; // of this stream
    // Memory of either side; host memory is the device's own kind (HostBuffer with the device's `pinnedHost`).
    virtual void copy(void* to, const void* from, int64_t bytes) = 0;
    // What is issued from openSpan to closeSpan becomes one trace record with true start and end times, or several: a
    // wait() within it that lasted trace::kShortestIdleNs or longer cuts it. `what` gives everything but times and
    // lane. Spans of a stream do not nest.
    virtual void openSpan(const trace::Record& what) = 0;
    virtual void closeSpan() = 0;

    virtual Event record() = 0;
    // Later work of this stream waits for it; the host does not. `why`: for logs.
    virtual void wait(const Event& event, Awaited why) = 0;
    // The host is about to wait for what it issues next, and this stream with it: the time from here to the end of the
    // wait() that comes next, whatever that waits for, is no work of an open span and cuts it.
    virtual void hostWaits() = 0;
    virtual void synchronize() = 0;                  // the host waits until everything issued has run
    virtual void* native() const { return nullptr; } // cudaStream_t

    // What is launched next reads or writes, for a log of the run's order (device/order); nothing without one. Copies
    // say it themselves. `name`: a literal.
    virtual void reads(const void* /*data*/, int64_t /*bytes*/, const char* /*name*/) {}
    virtual void writes(const void* /*data*/, int64_t /*bytes*/, const char* /*name*/) {}

    void copy(void* to, const void* from, int64_t bytes, trace::Record what) {
        what.bytes = bytes;
        openSpan(what);
        copy(to, from, bytes);
        closeSpan();
    }
};

} // namespace roundpipe::device
