// SPDX-License-Identifier: GPL-3.0-or-later
// How long runs of the queue would take.
#pragma once

#include "queue/left_runs.h"

#include <span>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct ExpectedTime {
    double stepSeconds = 0, seconds = 0; // 0: not known
    int64_t steps = 0;                   // "
    std::string why;                     // where its time is not known
};

// As `plan` predicts them for this machine, each plan worked out once; with rows read only if `readsRows`. Measures
// nothing beside a run that trains on the same devices. What keeps one from being known is said of that one. In a
// program without the engine: does not return where that can be started, so nothing may have been printed before.
std::vector<ExpectedTime> expectedTimesOf(std::span<const queue::QueuedRun> runs, bool readsRows);

// A sentence on when nothing more would train or wait; how long that would take, where the line is paused, as nobody
// knows when it goes on. Empty where nothing trains or waits.
std::string whenDone(std::span<const queue::QueuedRun> waiting, std::span<const queue::LeftRun> left, bool isPaused);

} // namespace roundpipe::cli
