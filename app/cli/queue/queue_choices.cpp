// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/queue_choices.h"

#include <fmt/format.h>

namespace roundpipe::cli {

void addQueueChoices(CLI::App& app, std::string& whenDone, std::string& afterError) {
    app.add_option("--when-done", whenDone,
                   "sleep: put the machine to sleep when the line is empty next time; nothing: don't, after all.")
        ->check(CLI::IsMember({spellingOf(queue::WhenDone::kNothing), spellingOf(queue::WhenDone::kSleep)}));
    app.add_option("--after-error", afterError,
                   "When a run has failed: go-on with the next one, or pause the line. It is remembered.")
        ->check(CLI::IsMember({spellingOf(queue::AfterError::kGoOn), spellingOf(queue::AfterError::kPause)}));
}

void printChoices(const queue::QueueChoices& choices) {
    if (choices.isPaused) fmt::print("The queue is paused: nothing begins until `roundpipe queue resume`.\n");
    if (choices.afterError == queue::AfterError::kPause) fmt::print("When a run fails, the queue pauses.\n");
    if (choices.whenDone == queue::WhenDone::kSleep) fmt::print("When it is empty, the machine sleeps.\n");
}

void apply(const std::string& whenDone, const std::string& afterError, queue::QueueChoices& choices) {
    if (!whenDone.empty()) choices.whenDone = *fromSpelling<queue::WhenDone>(whenDone);
    if (!afterError.empty()) choices.afterError = *fromSpelling<queue::AfterError>(afterError);
}

} // namespace roundpipe::cli
