#include "trace/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace roundpipe::trace {
namespace {

DeviceStatistics& deviceOf(RangeStatistics& result, const Lane& lane) {
    for (DeviceStatistics& device : result.devices)
        if (device.device == lane.device) return device;
    DeviceStatistics device;
    device.device = lane.device;
    device.name = lane.name.substr(0, lane.name.rfind(" compute"));
    return result.devices.emplace_back(std::move(device));
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

} // namespace

RangeStatistics statisticsOf(const LaneStore& store, int64_t beginNs, int64_t endNs) {
    RangeStatistics result;
    result.beginNs = beginNs;
    result.endNs = std::max(beginNs, endNs);
    std::array<KindStatistics, kNumKinds> kinds;
    for (const Lane& lane : store.lanes()) {
        const SliceList& slices = store.slices(lane.id);
        const IndexRange range = slices.touching(beginNs, endNs);
        int64_t coveredUntilNs = beginNs; // the union of compute so far reaches to here
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const Record& slice = slices[i];
            const int64_t from = std::max(slice.startNs, beginNs);
            const int64_t to = std::min(slice.endNs, endNs);
            if (to < from || (to == from && slice.endNs != slice.startNs)) continue;
            KindStatistics& kind = kinds[static_cast<std::size_t>(slice.kind)];
            ++kind.count;
            kind.totalNs += to - from;
            kind.longestNs = std::max(kind.longestNs, slice.endNs - slice.startNs);
            const int64_t durationNs = slice.endNs - slice.startNs;
            const double share =
                durationNs == 0 ? 1.0 : static_cast<double>(to - from) / static_cast<double>(durationNs);
            const double bytes = static_cast<double>(slice.bytes) * share;
            kind.bytes += bytes;
            if (slice.step >= 0) {
                result.firstStep = result.firstStep < 0 ? slice.step : std::min(result.firstStep, slice.step);
                result.lastStep = std::max(result.lastStep, slice.step);
            }
            if (!lane.device.valid()) continue;
            DeviceStatistics& device = deviceOf(result, lane);
            if (lane.role == LaneRole::kCompute) {
                if (isWork(slice.kind)) device.busyNs += std::max<int64_t>(0, to - std::max(from, coveredUntilNs));
                if (isWork(slice.kind)) coveredUntilNs = std::max(coveredUntilNs, to);
            } else {
                const bool up = lane.role == LaneRole::kWeightsUp || lane.role == LaneRole::kActivationsUp;
                (up ? device.bytesUp : device.bytesDown) += bytes;
            }
        }
        if (lane.device.valid() && lane.role == LaneRole::kCompute) deviceOf(result, lane);
    }
    for (DeviceStatistics& device : result.devices) {
        const auto durationNs = static_cast<double>(result.durationNs());
        device.busyShare = durationNs > 0 ? static_cast<double>(device.busyNs) / durationNs : 0.0;
        device.bubbleShare = 1.0 - device.busyShare;
    }
    for (int k = 0; k < kNumKinds; ++k) {
        kinds[static_cast<std::size_t>(k)].kind = static_cast<Kind>(k);
        if (kinds[static_cast<std::size_t>(k)].count > 0) result.kinds.push_back(kinds[static_cast<std::size_t>(k)]);
    }
    return result;
}

std::string toCsv(const RangeStatistics& statistics) {
    std::string csv =
        "scope,name,count,total_ms,mean_ms,longest_ms,bytes_up,bytes_down,bytes,busy_percent,bubble_percent\n";
    const auto out = std::back_inserter(csv);
    for (const DeviceStatistics& device : statistics.devices)
        fmt::format_to(out, "device,{},,{:.6f},,,{:.0f},{:.0f},{:.0f},{:.3f},{:.3f}\n", quoted(device.name),
                       static_cast<double>(device.busyNs) / 1e6, device.bytesUp, device.bytesDown,
                       device.bytesUp + device.bytesDown, device.busyShare * 100, device.bubbleShare * 100);
    for (const KindStatistics& kind : statistics.kinds)
        fmt::format_to(out, "kind,{},{},{:.6f},{:.6f},{:.6f},,,{:.0f},,\n", toString(kind.kind), kind.count,
                       static_cast<double>(kind.totalNs) / 1e6, kind.meanNs() / 1e6,
                       static_cast<double>(kind.longestNs) / 1e6, kind.bytes);
    return csv;
}

} // namespace roundpipe::trace
