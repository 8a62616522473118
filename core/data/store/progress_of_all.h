// SPDX-License-Identifier: GPL-3.0-or-later
// One dataset after another as if it were one: progress by the bytes of all their files, and errors that say which
// dataset they are about. Internal to this folder.
#pragma once

#include "base/error.h"
#include "data/row_problem.h"
#include "data/store/dataset.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

// Used by the loading thread; outlives the callbacks that it gives.
class ProgressOfAll {
public:
    ProgressOfAll(std::span<const DataOptions> datasets, const LoadCallback& progress);
    LoadCallback next(); // for the dataset after the last one, which is through

private:
    LoadProgress ofAll(LoadProgress progress) const; // of the dataset that is being read

    const LoadCallback& m_callback;
    std::vector<int64_t> m_bytes; // of each dataset's files
    int64_t m_bytesOfAll = 0;
    std::size_t m_numBegun = 0;
    int64_t m_rowsBefore = 0, m_rows = 0;
};

template <class Load>
void namingDataset(std::size_t index, const Load& load) {
    try {
        load();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kCancelled) throw;
        const std::string message = "Dataset " + std::to_string(index + 1) + ": " + error.message();
        if (dynamic_cast<const NothingUsable*>(&error) != nullptr)
            throw NothingUsable(error.kind(), message, error.advice());
        throw Error(error.kind(), message, error.advice());
    }
}

} // namespace roundpipe::data
