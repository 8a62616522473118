// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run's rows in a thread of its own, while its devices are opened.
#pragma once

#include "engine/workload.h"

#include <atomic>
#include <future>
#include <mutex>
#include <optional>

namespace roundpipe::engine {

// Used by one thread, which outlives it. `spec` and `text` must outlive it too.
class DatasetReader {
public:
    DatasetReader(const session::RunSpec& spec, const ModelText& text);
    // Stops reading and waits for its end.
    ~DatasetReader();
    DatasetReader(const DatasetReader&) = delete;
    DatasetReader& operator=(const DatasetReader&) = delete;

    // What it is doing; nothing once all is read.
    session::Activity activity() const;
    // Waits, calling `report` a few times a second; once. Throws what Dataset::load throws, and kCancelled.
    data::Dataset take(const Report& report);

private:
    bool progressed(const session::Activity& activity);

    std::atomic<bool> m_cancelled = false;
    mutable std::mutex m_mutex;
    session::Activity m_activity{session::ActivityCode::kReadingRows}; // with m_mutex
    std::optional<data::Dataset> m_dataset;                            // once m_done is ready
    std::future<void> m_done;                                          // last: its thread uses the others
};

} // namespace roundpipe::engine
