// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a text that comes in pieces before the first of some texts, of which no part is given out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::generate {

// What is given out does not depend on how the text is cut into pieces. One thread.
class StopTexts {
public:
    explicit StopTexts(std::vector<std::string> stops) : m_stops(std::move(stops)) {} // none empty

    // What may be shown now: all but an end that a stop text could begin with. Once one is found, what stands before
    // it, and nothing any more.
    std::string push(std::string_view piece);
    std::string finish(); // what was kept back; the text is over
    bool found() const { return m_found; }

private:
    std::vector<std::string> m_stops;
    std::string m_kept;
    bool m_found = false;
};

} // namespace roundpipe::generate
