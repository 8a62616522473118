// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/statistics_csv.h"

#include "trace/files/slices_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace roundpipe::trace {

std::string toCsv(const RangeStatistics& statistics) {
    std::string csv =
        "scope,name,count,total_ms,mean_ms,longest_ms,bytes_up,bytes_down,bytes,busy_percent,bubble_percent,"
        "p50_ms,p95_ms\n";
    const auto out = std::back_inserter(csv);
    for (const DeviceStatistics& device : statistics.devices)
        fmt::format_to(out, "device,{},,{:.6f},,,{:.0f},{:.0f},{:.0f},{:.3f},{:.3f},,\n", csvQuoted(device.name),
                       static_cast<double>(device.busyNs) / 1e6, device.bytesUp, device.bytesDown,
                       device.bytesUp + device.bytesDown, device.busyShare * 100, device.bubbleShare * 100);
    for (const DeviceStatistics& device : statistics.devices)
        for (const IdleStatistics& idle : device.idle) {
            const std::string by = idle.slot < 0 ? std::string() : fmt::format(", mostly slot {}", idle.slot);
            fmt::format_to(out, "idle,{},{},{:.6f},{:.6f},{:.6f},,,,,{:.3f},,\n",
                           csvQuoted(fmt::format("{}: {}{}", device.name, toString(idle.reason), by)), idle.count,
                           static_cast<double>(idle.totalNs) / 1e6,
                           static_cast<double>(idle.totalNs) / 1e6 / static_cast<double>(idle.count),
                           static_cast<double>(idle.longestNs) / 1e6,
                           100 * static_cast<double>(idle.totalNs) /
                               static_cast<double>(std::max<int64_t>(statistics.durationNs(), 1)));
        }
    for (const KindStatistics& kind : statistics.kinds)
        fmt::format_to(out, "kind,{},{},{:.6f},{:.6f},{:.6f},,,{:.0f},,,{:.6f},{:.6f}\n", toString(kind.kind),
                       kind.count, static_cast<double>(kind.totalNs) / 1e6, kind.meanNs() / 1e6,
                       static_cast<double>(kind.longestNs) / 1e6, kind.bytes, static_cast<double>(kind.p50Ns) / 1e6,
                       static_cast<double>(kind.p95Ns) / 1e6);
    for (const StageStatistics& stage : statistics.stages)
        fmt::format_to(out, "stage,S{} {},{},{:.6f},{:.6f},,,,,,,{:.6f},{:.6f}\n", stage.stage.value,
                       toString(stage.kind), stage.count, static_cast<double>(stage.totalNs) / 1e6,
                       static_cast<double>(stage.totalNs) / 1e6 / static_cast<double>(stage.count),
                       static_cast<double>(stage.p50Ns) / 1e6, static_cast<double>(stage.p95Ns) / 1e6);
    return csv;
}

} // namespace roundpipe::trace
