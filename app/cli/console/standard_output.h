// SPDX-License-Identifier: GPL-3.0-or-later
// Standard output and error as whoever reads them has left them: a pipe that is full for now, or that nobody reads any
// more.
#pragma once

namespace roundpipe::cli {

// From now on what is printed waits for a reader that is slow, also where the pipe is set not to wait (O_NONBLOCK is
// the pipe's, not a process's: whoever holds another end of it may have set it). What is said on standard error waits
// for some seconds only, and until a signal comes: what nobody reads is kept then, a MiB of it, for when somebody does.
void waitForSlowReaders();

// While one lives, standard output is as patient as standard error: what is printed then says how far a run is, which
// must not be held up by it, nor what asks it to stop.
class GoesOnUnread {
public:
    GoesOnUnread();
    ~GoesOnUnread();
    GoesOnUnread(const GoesOnUnread&) = delete;
    GoesOnUnread& operator=(const GoesOnUnread&) = delete;
};

// `code`, or what to return instead where what was printed has gone nowhere, which is said: a full disk behind `> FILE`
// shows only here. A reader that has gone (`| head`) has read what it wanted. One that has stopped is given some more
// seconds for what was kept.
int withOutputWritten(int code);

} // namespace roundpipe::cli
