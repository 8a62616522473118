// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the queue as rows: for each set of devices what it trains, and then who waits for it.
#pragma once

#include "ui/bridge/queue_controller.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace roundpipe::ui::pages {

struct LineRow {
    // Of runs that have begun: those that are starting have no folder yet, and can't be watched.
    enum class Kind { kDevices, kStarting, kUnderWay, kWaiting };
    Kind kind = Kind::kDevices;
    int line = 0;                 // counted from 0: runs of two lines never wait for each other
    int64_t number = 0;           // as the command line names it; 0: no run
    std::filesystem::path folder; // of one that is under way
    QString name, state, model, rows, settings, time;
    QString detail;        // all of the settings, a line each
    QString problem;       // why it can't be read, with advice; empty: it can
    bool isSilent = false; // under way, without a step for long
};

// What can't be read waits for no devices that are known, and stands last.
std::vector<LineRow> lineRowsOf(const bridge::QueueView& view);

// "GPU 0, GPU 1", "all GPUs", "processor": of runs that stand in one line.
QString devicesText(const std::vector<std::vector<std::string>>& devicesOfRuns);
// "≈ 5 h 20 min" of all whose time is known, "> 5 h 20 min" where some's is not; empty where none's is.
QString expectedText(const std::vector<double>& seconds); // 0: not known

} // namespace roundpipe::ui::pages
