// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target on the files and folders that are named, so that any compiler checks the corpus: each file as it
// is, cut off at every eighth, and with single bytes changed.
#include "fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

void run(const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

int replay(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    run(bytes);
    for (std::size_t part = 0; part < 8; ++part)
        run(bytes.substr(0, bytes.size() * part / 8));
    constexpr std::size_t kChanges = 64;
    for (std::size_t i = 0; i < std::min(kChanges, bytes.size()); ++i) {
        std::string changed = bytes;
        changed[i * bytes.size() / std::min(kChanges, bytes.size())] ^= static_cast<char>(1 << (i % 8));
        run(changed);
    }
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    int count = 0;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) {
            count += replay(argv[i]);
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
            if (entry.is_regular_file()) count += replay(entry.path());
    }
    std::printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
