// SPDX-License-Identifier: GPL-3.0-or-later
// A small run that is saved every three steps, and what it says and leaves as one text.
#pragma once

#include "runs/journal.h"
#include "runs/run_files.h"
#include "small_run.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace roundpipe::engine {

namespace fs = std::filesystem;

class SafeRun : public SmallRun {
protected:
    SafeRun() {
        m_spec.output.saveTrace = false;
        m_spec.duration.maxSteps = 12;
        m_spec.output.saveEverySteps = 3;
        m_spec.optimizer.schedule = ScheduleKind::kConstant;
    }

    runs::RunFiles files() const { return {m_spec.output.folder}; }
    std::vector<double> resumed(const char* folder, bool acceptsChanges = false) {
        m_acceptsChanges = acceptsChanges;
        return run(folder, {}, true);
    }
    // Of the only error.
    std::string error() const {
        const auto errors = eventsOf(RunEvent::Kind::kError);
        return errors.size() == 1 ? errors[0].text + "\n" + errors[0].advice : "no error";
    }
    std::string warnings() const {
        std::string all;
        for (const RunEvent& event : eventsOf(RunEvent::Kind::kWarning))
            all += event.text + "\n";
        return all;
    }
    std::string journal() const {
        std::string all;
        for (const runs::JournalEntry& entry : runs::readJournal(files().journal()))
            all += std::string(spellingOf(entry.event)) + " " + std::to_string(entry.step) + " " + entry.what + "\n";
        return all;
    }
    static void damage(const fs::path& file) {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(200);
        const auto byte = static_cast<char>(stream.get() ^ 1);
        stream.seekp(200);
        stream.put(byte);
    }
};

inline void expectIn(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

inline int64_t timesIn(const std::string& part, const std::string& text) {
    int64_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++times;
    return times;
}

} // namespace roundpipe::engine
