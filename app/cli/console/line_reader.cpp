// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/line_reader.h"

#include "base/error.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace roundpipe::cli {

LineReader::Got LineReader::next(std::string& line, const std::function<bool()>& interrupted) {
    constexpr int kLookMs = 100;
    for (;;) {
        if (const std::size_t end = m_buffer.find('\n'); end != std::string::npos || (m_ended && !m_buffer.empty())) {
            line = m_buffer.substr(0, end);
            m_buffer.erase(0, end == std::string::npos ? end : end + 1);
            if (line.ends_with('\r')) line.pop_back();
            return Got::kLine;
        }
        if (m_ended) return Got::kEnd;
        if (interrupted()) return Got::kInterrupted;
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, kLookMs) <= 0) continue; // a signal, or nothing yet
        std::array<char, 65536> bytes;
        const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
        if (got < 0 && errno != EINTR && errno != EAGAIN) throw ioError("read", "standard input", errno);
        if (got == 0) m_ended = true;
        if (got > 0) m_buffer.append(bytes.data(), static_cast<std::size_t>(got));
    }
}

} // namespace roundpipe::cli
