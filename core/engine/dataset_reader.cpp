// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dataset_reader.h"

#include <chrono>

namespace roundpipe::engine {

using namespace std::chrono_literals;

DatasetReader::DatasetReader(const session::RunSpec& spec, const ModelText& text)
    : m_done(std::async(std::launch::async, [this, &spec, &text] {
        m_dataset = loadDataset(spec, text, [this](const session::Activity& activity) { return progressed(activity); });
        progressed({});
    })) {}

DatasetReader::~DatasetReader() {
    m_cancelled = true; // the future's destructor waits
}

bool DatasetReader::progressed(const session::Activity& activity) {
    const std::scoped_lock lock(m_mutex);
    m_activity = activity;
    return !m_cancelled;
}

session::Activity DatasetReader::activity() const {
    const std::scoped_lock lock(m_mutex);
    return m_activity;
}

data::Dataset DatasetReader::take(const Report& report) {
    while (m_done.wait_for(100ms) != std::future_status::ready)
        if (!report(activity())) m_cancelled = true;
    m_done.get();
    return std::move(*m_dataset);
}

} // namespace roundpipe::engine
