// Opening and browsing a large JSONL: time to open it, to its first rows, of the whole index, of jumps to any row, and
// the most memory. Writes the file itself and removes it.
//
// usage: data_open FOLDER GIBIBYTES
#include "data/files/row_index.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Rows of 200 to 4 000 bytes, as chats have them.
void write(const std::filesystem::path& path, int64_t bytes) {
    std::ofstream file(path, std::ios::binary);
    std::mt19937 random(1);
    std::string words;
    while (words.size() < 8192)
        words += "word" + std::to_string(random() % 10000) + (random() % 7 == 0 ? "\\n" : " ");
    int64_t written = 0;
    for (int64_t i = 0; written < bytes; ++i) {
        const std::string row = "{\"id\":" + std::to_string(i) + ",\"messages\":[{\"role\":\"user\",\"content\":\"" +
                                words.substr(random() % 2000, 100 + random() % 900) +
                                "\"},{\"role\":\"assistant\",\"content\":\"" +
                                words.substr(random() % 2000, 50 + random() % 2950) + "\"}]}\n";
        file << row;
        written += static_cast<int64_t>(row.size());
    }
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

void measure(const std::filesystem::path& path) {
    const auto start = Clock::now();
    const roundpipe::data::RowIndex index(path);
    std::printf("opened after        %8.1f ms\n", 1e3 * secondsSince(start));
    const auto first = index.rows(0, 50);
    std::printf("first 50 rows after %8.1f ms (%zu rows)\n", 1e3 * secondsSince(start), first.size());
    const auto during = index.progress();
    std::printf("index by then       %8.2f %%\n", 100 * during.fraction);
    index.wait();
    const double seconds = secondsSince(start);
    const int64_t numRows = index.progress().numRows;
    const double gib = static_cast<double>(std::filesystem::file_size(path)) / (1 << 30);
    std::printf("whole index after   %8.2f s  (%lld rows, %.2f GiB, %.2f GiB/s)\n", seconds,
                static_cast<long long>(numRows), gib, gib / seconds);
    std::mt19937_64 random(2);
    std::vector<double> jumps;
    for (int i = 0; i < 500; ++i) {
        const auto row = static_cast<int64_t>(random() % static_cast<uint64_t>(numRows));
        const auto before = Clock::now();
        const auto found = index.rows(row, 1);
        jumps.push_back(secondsSince(before));
        if (found.size() != 1 || !found[0].json.starts_with("{\"id\":" + std::to_string(row) + ",")) std::abort();
    }
    std::sort(jumps.begin(), jumps.end());
    std::printf("a jump to any row   %8.2f ms (median of 500; slowest %.2f ms)\n", 1e3 * jumps[250],
                1e3 * jumps.back());
    std::printf("peak memory         %8ld MiB\n", peakMemoryMib());
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: data_open FOLDER GIBIBYTES\n");
        return 2;
    }
    const auto path = std::filesystem::path(argv[1]) / "roundpipe-data-open.jsonl";
    write(path, static_cast<int64_t>(std::strtod(argv[2], nullptr) * (1 << 30)));
    forget(path);
    std::printf("cold (not in the page cache):\n");
    measure(path);
    std::printf("warm:\n");
    measure(path);
    std::filesystem::remove(path);
    return 0;
}
