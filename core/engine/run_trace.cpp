// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_trace.h"

#include "base/units.h"

#include <algorithm>

namespace roundpipe::engine {

RunTrace::RunTrace(trace::Recorder& recorder)
    : m_collector(recorder, [this](std::span<const trace::Record> records) { keep(records); }) {}

void RunTrace::keep(std::span<const trace::Record> records) {
    m_links.add(records);
    const std::scoped_lock lock(m_mutex);
    const std::size_t kept = std::min(records.size(), kNumFirst - m_first.size());
    m_first.insert(m_first.end(), records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept));
    if (m_file) m_file->append(records);
}

session::LinkRates RunTrace::linkRates(DeviceId device) const {
    return m_links.rates(device, steadyNowNs());
}

void RunTrace::lookAtFirst(const std::function<void(std::span<const trace::Record>)>& at) {
    m_collector.flush();
    const std::scoped_lock lock(m_mutex);
    at(m_first);
}

void RunTrace::beginFile(const std::filesystem::path& path, const std::vector<trace::Lane>& lanes,
                         const trace::TraceAbout& about) {
    m_collector.flush();
    const std::scoped_lock lock(m_mutex);
    m_lanes = lanes;
    m_about = about;
    m_originNs = steadyNowNs();
    for (const trace::Record& record : m_first)
        m_originNs = std::min(m_originNs, record.startNs);
    m_file = std::make_unique<trace::TraceFileWriter>(path, lanes, m_originNs, about);
    m_file->append(m_first);
    m_filePath = path;
}

int64_t RunTrace::endFile() {
    m_collector.flush();
    std::unique_ptr<trace::TraceFileWriter> file;
    {
        const std::scoped_lock lock(m_mutex);
        file.swap(m_file);
    }
    if (!file) return 0;
    file->finish(m_collector.numLostByProducers());
    return file->numLeftOut();
}

void RunTrace::goOnIn(const std::filesystem::path& path) {
    const std::scoped_lock lock(m_mutex);
    if (!m_file) return;
    m_filePath = path;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return;
    m_file.reset(); // first: what throws leaves none
    m_file = std::make_unique<trace::TraceFileWriter>(path, m_lanes, m_originNs, m_about);
}

void RunTrace::discardFile() {
    const std::scoped_lock lock(m_mutex);
    m_file.reset();
    std::error_code ignored; // a trace too many does no harm
    if (!m_filePath.empty()) std::filesystem::remove(m_filePath, ignored);
}

} // namespace roundpipe::engine
