#include "engine/run_trace.h"

#include "base/units.h"
#include "trace/chrome_trace.h"
#include "trace/lane_store.h"

#include <algorithm>

namespace roundpipe::engine {

RunTrace::RunTrace(trace::Recorder& recorder)
    : m_collector(recorder, [this](std::span<const trace::Record> records) { keep(records); }) {}

void RunTrace::keep(std::span<const trace::Record> records) {
    m_links.add(records);
    const std::scoped_lock lock(m_mutex);
    const std::size_t kept = std::min(records.size(), kMaxRecords - m_records.size());
    m_records.insert(m_records.end(), records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept));
    m_numLeftOut += static_cast<int64_t>(records.size() - kept);
}

session::LinkRates RunTrace::linkRates(DeviceId device) const {
    return m_links.rates(device, steadyNowNs());
}

void RunTrace::look(const std::function<void(std::span<const trace::Record>)>& at) {
    m_collector.flush();
    const std::scoped_lock lock(m_mutex);
    at(m_records);
}

int64_t RunTrace::write(const std::vector<trace::Lane>& lanes, const std::filesystem::path& path) {
    m_collector.flush();
    const std::scoped_lock lock(m_mutex);
    int64_t origin = m_records.empty() ? 0 : m_records.front().startNs;
    for (const trace::Record& record : m_records)
        origin = std::min(origin, record.startNs);
    trace::LaneStore store(lanes, origin);
    store.append(m_records);
    trace::writeChromeTrace(store.snapshot(), path);
    return m_numLeftOut;
}

} // namespace roundpipe::engine
