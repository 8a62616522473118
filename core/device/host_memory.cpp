// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/host_memory.h"

#include "base/units.h"
#include "device/buffer.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>

namespace roundpipe::device {
namespace {

// Files of /proc and /sys have no size to read by; one that is missing is empty.
std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

int64_t pageBytes() {
    return ::sysconf(_SC_PAGESIZE);
}

std::optional<int64_t> numberIn(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

// "some avg10=1.25 avg60=…": a share of 0.0125. Nothing without such a line.
std::optional<double> pressureIn(std::string_view text, std::string_view line) {
    const std::size_t at = text.find(std::string(line) + " avg10=");
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view number = text.substr(at + line.size() + std::string_view(" avg10=").size());
    double percent = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
    return error == std::errc() ? std::optional(percent / 100) : std::nullopt;
}

struct ProcessPages {
    int64_t all = 0;
    int64_t resident = 0;
    int64_t ofFiles = 0; // of them, or shared
};
ProcessPages processPages(const std::filesystem::path& root) {
    ProcessPages pages;
    std::istringstream(contentOf(root / "proc/self/statm")) >> pages.all >> pages.resident >> pages.ofFiles;
    return pages;
}

} // namespace

int64_t availableBytes(std::string_view meminfo) {
    constexpr std::string_view kKey = "MemAvailable:";
    const std::size_t at = meminfo.find(kKey);
    if (at == std::string_view::npos) return 0;
    const std::string_view line = meminfo.substr(at, meminfo.find('\n', at) - at);
    return numberIn(line.substr(kKey.size())).value_or(0) * kKiB;
}

int64_t availableHostBytes(const std::filesystem::path& root) {
    int64_t bytes = availableBytes(contentOf(root / "proc/meminfo"));
    const auto limit = numberIn(contentOf(root / "sys/fs/cgroup/memory.max")); // "max": none
    const auto used = numberIn(contentOf(root / "sys/fs/cgroup/memory.current"));
    if (limit) bytes = std::min(bytes, std::max<int64_t>(0, *limit - used.value_or(0)));
    return bytes;
}

std::optional<MemoryPressure> memoryPressure(const std::filesystem::path& root) {
    const std::string text = contentOf(root / "proc/pressure/memory");
    const auto some = pressureIn(text, "some"), all = pressureIn(text, "full");
    return some && all ? std::optional(MemoryPressure{*some, *all}) : std::nullopt;
}

int64_t physicalBytes() {
    return static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * pageBytes();
}

int64_t pinnedBytes() {
    return hostBufferBytes().pinned;
}

int64_t residentBytes(const std::filesystem::path& root) {
    return processPages(root).resident * pageBytes();
}

int64_t anonymousBytes(const std::filesystem::path& root) {
    const ProcessPages pages = processPages(root);
    return (pages.resident - pages.ofFiles) * pageBytes();
}

} // namespace roundpipe::device
