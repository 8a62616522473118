// SPDX-License-Identifier: GPL-3.0-or-later
// Standard input line by line, for a conversation: a signal does not end it.
#pragma once

#include <functional>
#include <string>

namespace roundpipe::cli {

class LineReader {
public:
    enum class Got { kLine, kEnd, kInterrupted };
    // Blocks until there is a line, its line feed left out; `interrupted` is asked now and then meanwhile. The last
    // line needs no line feed. Throws kIo.
    Got next(std::string& line, const std::function<bool()>& interrupted);

private:
    std::string m_buffer;
    bool m_ended = false;
};

} // namespace roundpipe::cli
