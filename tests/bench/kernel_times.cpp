// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the time of a GPU goes, by the name of its kernels: a library that the CUDA driver loads into any program
// (README.md). Of what ran between the first kernel and the last one, only the second half is counted, so that loading,
// the choice of kernels and the first steps stay out of it.
#include <cupti.h>

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kBufferBytes = std::size_t{8} << 20;

struct Run {
    uint64_t startNs = 0, endNs = 0;
    uint32_t name = 0; // index of a name
};

struct Total {
    uint64_t ns = 0, count = 0;
};

std::mutex g_mutex; // of what follows: buffers are given back by threads of CUPTI's own
std::vector<Run> g_runs;
std::map<std::string, uint32_t> g_names;

void note(const CUpti_ActivityKernel10& kernel) {
    const auto name = g_names.try_emplace(kernel.name, static_cast<uint32_t>(g_names.size())).first;
    g_runs.push_back({kernel.start, kernel.end, name->second});
}

void CUPTIAPI giveBuffer(uint8_t** buffer, std::size_t* bytes, std::size_t* maxRecords) {
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBufferBytes));
    *bytes = kBufferBytes;
    *maxRecords = 0; // as many as there is room for
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, std::size_t, std::size_t validBytes) {
    const std::lock_guard lock(g_mutex);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            note(*reinterpret_cast<CUpti_ActivityKernel10*>(record));
    std::free(buffer);
}

std::string readable(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    return (status == 0 ? std::string(plain.get()) : name).substr(0, 140);
}

// Of kernels that ran at the same time each counts in full, but in `busy` that time counts once.
void print() {
    cuptiActivityFlushAll(1);
    const std::lock_guard lock(g_mutex);
    if (g_runs.empty()) return;
    std::ranges::sort(g_runs, {}, &Run::startNs);
    const uint64_t begin = g_runs.front().startNs, end = g_runs.back().endNs, half = begin + (end - begin) / 2;
    std::vector<Total> totals(g_names.size());
    uint64_t busyNs = 0, reached = half;
    for (const Run& run : g_runs) {
        if (run.startNs < half) continue;
        totals[run.name].ns += run.endNs - run.startNs;
        ++totals[run.name].count;
        busyNs += std::max(run.endNs, reached) - std::max(run.startNs, reached);
        reached = std::max(reached, run.endNs);
    }
    std::vector<std::pair<Total, std::string>> lines;
    for (const auto& [name, index] : g_names)
        if (totals[index].count > 0) lines.emplace_back(totals[index], readable(name));
    std::ranges::sort(lines, std::greater{}, [](const auto& line) { return line.first.ns; });
    const double allNs = static_cast<double>(end - half);
    std::fprintf(stderr, "%.1f ms, %.2f %% of them with a kernel\n   share        ms     calls  us a call  kernel\n",
                 allNs * 1e-6, 100 * static_cast<double>(busyNs) / allNs);
    for (const auto& [total, name] : lines) {
        const auto ns = static_cast<double>(total.ns), count = static_cast<double>(total.count);
        std::fprintf(stderr, "%6.2f %% %9.2f %9.0f %10.2f  %s\n", 100 * ns / allNs, ns * 1e-6, count, ns * 1e-3 / count,
                     name.c_str());
    }
}

} // namespace

// What the driver calls when it has loaded the library (CUPTI's documentation, "Injection").
extern "C" int InitializeInjection() {
    if (cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer) != CUPTI_SUCCESS ||
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
        std::fprintf(stderr, "kernel_times: CUPTI does not tell of kernels here\n");
        return 0;
    }
    std::atexit(print);
    return 1;
}
