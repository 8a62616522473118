// SPDX-License-Identifier: GPL-3.0-or-later
// A file for what reads paths, with the bytes of an input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

// In memory where the system has such a folder: a fuzzer writes thousands of files a second. Gone at the end.
inline const std::filesystem::path& scratchFile(const char* ending) {
    static const std::filesystem::path path = [&] {
        const char* folder = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
        return std::filesystem::path(folder) / ("roundpipe-fuzz-" + std::to_string(::getpid()) + ending);
    }();
    static const int removed = std::atexit([] { std::filesystem::remove(path); });
    (void)removed;
    return path;
}

inline const std::filesystem::path& writtenFile(const uint8_t* data, std::size_t size, const char* ending) {
    const std::filesystem::path& path = scratchFile(ending);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    require(file != nullptr, "the scratch file can be written");
    if (size > 0) std::fwrite(data, 1, size, file);
    std::fclose(file);
    return path;
}

// A folder of our own that is gone at the end, with these bytes as one of its files.
inline const std::filesystem::path& folderWith(const char* name, std::string_view bytes) {
    static const std::filesystem::path folder = scratchFile(".folder");
    static const int removed = std::atexit([] { std::filesystem::remove_all(scratchFile(".folder")); });
    (void)removed;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder;
}
