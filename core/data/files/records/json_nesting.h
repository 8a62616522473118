// SPDX-License-Identifier: GPL-3.0-or-later
// Where we are inside a JSON value, one character after another: a bracket in a string counts for nothing. Internal to
// this folder.
#pragma once

#include <cstdint>

namespace roundpipe::data {

class JsonNesting {
public:
    void pass(char c) {
        if (m_inString) {
            if (m_escaped)
                m_escaped = false;
            else if (c == '\\')
                m_escaped = true;
            else if (c == '"')
                m_inString = false;
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if (c == '}' || c == ']') {
            --m_depth;
        }
    }
    int64_t depth() const { return m_depth; } // of brackets that are open; negative where more were closed
    bool inString() const { return m_inString; }

private:
    int64_t m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
};

} // namespace roundpipe::data
