// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and browsing a large JSONL: time to open it, to its first rows, of the whole index, of jumps to any row by
// the index and through the workbench, and the most memory. Writes the file itself and removes it.
//
// usage: data_open FOLDER GIBIBYTES
#include "data/files/row_index.h"
#include "data/workbench/local_workbench.h"
#include "large_jsonl.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// So that what follows reads from the disk.
void forget(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
}

long peakMemoryMib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::strtol(line.c_str() + 6, nullptr, 10) / 1024;
    return 0;
}

void printTimes(const char* what, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    std::printf("%-19s %8.2f ms (median of %zu; slowest %.2f ms)\n", what, 1e3 * seconds[seconds.size() / 2],
                seconds.size(), 1e3 * seconds.back());
}

void pause() {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

void measureIndex(const std::filesystem::path& path) {
    const auto start = Clock::now();
    const roundpipe::data::RowIndex index(path);
    std::printf("opened after        %8.1f ms\n", 1e3 * secondsSince(start));
    const auto first = index.rows(1, 50);
    std::printf("first 50 rows after %8.1f ms (%zu rows)\n", 1e3 * secondsSince(start), first.size());
    while (!index.progress().isDone)
        pause();
    const double seconds = secondsSince(start);
    const int64_t numRows = index.progress().lastNumber;
    const double gib = static_cast<double>(std::filesystem::file_size(path)) / (1 << 30);
    std::printf("whole index after   %8.2f s  (%lld rows, %.2f GiB, %.2f GiB/s)\n", seconds,
                static_cast<long long>(numRows), gib, gib / seconds);
    std::mt19937_64 random(2);
    std::vector<double> jumps;
    for (int i = 0; i < 500; ++i) {
        const auto row = static_cast<int64_t>(random() % static_cast<uint64_t>(numRows));
        const auto before = Clock::now();
        const auto found = index.rows(row + 1, 1);
        jumps.push_back(secondsSince(before));
        if (found.size() != 1 || !found[0].json.starts_with("{\"id\":" + std::to_string(row) + ",")) std::abort();
    }
    printTimes("a jump to any row", jumps);
}

class Bench {
public:
    explicit Bench(const std::filesystem::path& path) {
        roundpipe::session::RunSpec spec;
        spec.model.path = (roundpipe::testing::sourceFolder() / "resources" / "demo" / "model").string();
        spec.data.datasets.front().files = {path.string()};
        spec.data.cache = false;
        m_workbench->open(spec);
    }
    roundpipe::session::RowsResult row(int64_t number) {
        m_workbench->requestRows({0, number}, 1);
        return std::get<roundpipe::session::RowsResult>(answer());
    }
    roundpipe::session::TokenLens lens(int64_t number) {
        m_workbench->requestLens({0, number});
        return std::get<roundpipe::session::TokenLens>(answer());
    }

private:
    decltype(roundpipe::session::WorkbenchResult::value) answer() {
        for (;; pause())
            for (auto& result : m_workbench->takeResults())
                return std::move(result.value);
    }
    std::unique_ptr<roundpipe::session::Workbench> m_workbench = roundpipe::data::makeLocalWorkbench();
};

// While the report is being made, as somebody would who looks about in the meantime.
void measureWorkbench(const std::filesystem::path& path) {
    const auto start = Clock::now();
    Bench bench(path);
    bench.row(1);
    std::printf("workbench, a row    %8.1f ms\n", 1e3 * secondsSince(start));
    auto seen = bench.row(1);
    while (!seen.isCounted) {
        pause();
        seen = bench.row(1);
    }
    const int64_t far = std::min<int64_t>(2'000'000, seen.lastNumber);
    std::printf("index done after    %8.2f s  (asked for from then on: row %lld)\n", secondsSince(start),
                static_cast<long long>(far));
    std::vector<double> rows, lenses;
    for (int i = 0; i < 51; ++i) {
        bench.row(1 + i); // away from it
        auto before = Clock::now();
        const auto found = bench.row(far);
        rows.push_back(secondsSince(before));
        if (!found.rows.at(0).text.starts_with("{\"id\":" + std::to_string(far - 1) + ",")) std::abort();
        bench.row(1 + i);
        before = Clock::now();
        if (bench.lens(far).tokens.empty()) std::abort();
        lenses.push_back(secondsSince(before));
    }
    printTimes("workbench, that row", rows);
    printTimes("workbench, its lens", lenses);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: data_open FOLDER GIBIBYTES\n");
        return 2;
    }
    const roundpipe::bench::LargeJsonl file(argv[1], std::strtod(argv[2], nullptr));
    const std::filesystem::path& path = file.path();
    forget(path);
    std::printf("cold (not in the page cache):\n");
    measureIndex(path);
    std::printf("warm:\n");
    measureIndex(path);
    std::printf("peak memory         %8ld MiB\n", peakMemoryMib());
    measureWorkbench(path);
    std::printf("peak memory         %8ld MiB\n", peakMemoryMib());
    return 0;
}
