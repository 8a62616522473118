// SPDX-License-Identifier: GPL-3.0-or-later
// The process that a run has to itself.
#pragma once

#include "hosted/run_socket.h"

#include <string>
#include <vector>

namespace roundpipe::hosted {

// A program of ours that serves one run on its standard input, which is a socket. It has a session of its own, so that
// it outlives a terminal and whoever began it; nothing here ends it.
class EngineProcess {
public:
    explicit EngineProcess(const std::vector<std::string>& command); // throws kInternal where it can't be started

    Descriptor takeSocket() { return std::move(m_socket); }
    int ended() const { return m_handle.get(); } // readable once it has ended
    // After its end, once: what it died of, and the last it said on its standard error. Empty: it ended by itself,
    // well.
    std::string causeOfDeath();
    int signal() const { return m_signal; } // that ended it, known after causeOfDeath(); 0: none did
    std::string lastWords() const;

private:
    int m_process = -1;
    int m_signal = 0;
    Descriptor m_socket, m_handle, m_errors;
};

} // namespace roundpipe::hosted
