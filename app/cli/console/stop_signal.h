// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C: the first one asks to stop, the second one ends the process at once. A terminal that closes and a reader of
// the output that goes away (`| head`) ask to stop, too, as often as they like.
#pragma once

namespace roundpipe::cli {

// Signals that ask to stop wait from now on, in the program that this process becomes, too, until there is a StopSignal
// that takes them or they are let through.
void holdStopSignals();
void letStopSignalsThrough();

// Handles SIGINT, SIGTERM, SIGHUP and SIGPIPE while it lives. One within the life of another is the same.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;
    bool requested() const;
    // Whether it was since the last call; what comes later asks anew.
    bool take();
    bool terminated() const; // by another signal than Ctrl-C's, which nothing takes back
};

} // namespace roundpipe::cli
