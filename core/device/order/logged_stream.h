// SPDX-License-Identifier: GPL-3.0-or-later
// A stream that writes into a log what is issued to it, and passes it on.
#pragma once

#include "device/order/order_log.h"
#include "device/streams/stream.h"

#include <memory>
#include <optional>
#include <string>

namespace roundpipe::device {

class LoggedStream final : public Stream {
public:
    // The log outlives the stream and its events.
    LoggedStream(std::unique_ptr<Stream> stream, OrderLog& log, const std::string& name);

    void launch(std::function<void()> work) override;
    std::unique_ptr<const Recording> recorded(const std::function<void()>& work) override;
    void replay(const Recording& recording) override;
    void copy(void* to, const void* from, int64_t bytes) override;
    void openSpan(const trace::Record& what) override;
    void closeSpan() override;
    Event record() override;
    void wait(const Event& event, Awaited why) override;
    void hostWaits() override;
    void synchronize() override;
    void* native() const override { return m_stream->native(); }
    void reads(const void* data, int64_t bytes, const char* name) override;
    void writes(const void* data, int64_t bytes, const char* name) override;
    using Stream::copy;

private:
    // Where a wait is left out the run must not fail by it: what is issued is done before anything else is. So it goes
    // well, as by a lucky timing, and the log must show that nothing but luck did it.
    void issued() {
        if (m_log.leftOut()) m_stream->synchronize();
    }

    std::unique_ptr<Stream> m_stream;
    OrderLog& m_log;
    OrderLog::Line m_line;
    std::optional<trace::Record> m_span; // that is open
};

} // namespace roundpipe::device
