// SPDX-License-Identifier: GPL-3.0-or-later
// A JSONL of made-up conversations, as large as wanted, which is removed in the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace roundpipe::bench {

// Rows of 200 to 4 000 bytes, as chats have them; each starts with its number from 0: {"id":7,
class LargeJsonl {
public:
    LargeJsonl(const std::filesystem::path& folder, double gibibytes) : m_path(folder / "roundpipe-bench.jsonl") {
        std::ofstream file(m_path, std::ios::binary);
        std::mt19937 random(1);
        std::string words;
        while (words.size() < 8192)
            words += "word" + std::to_string(random() % 10000) + (random() % 7 == 0 ? "\\n" : " ");
        const auto bytes = static_cast<int64_t>(gibibytes * (1 << 30));
        for (int64_t i = 0, written = 0; written < bytes; ++i) {
            const std::string row =
                "{\"id\":" + std::to_string(i) + ",\"messages\":[{\"role\":\"user\",\"content\":\"" +
                words.substr(random() % 2000, 100 + random() % 900) + "\"},{\"role\":\"assistant\",\"content\":\"" +
                words.substr(random() % 2000, 50 + random() % 2950) + "\"}]}\n";
            file << row;
            written += static_cast<int64_t>(row.size());
        }
    }
    ~LargeJsonl() { std::filesystem::remove(m_path); }
    LargeJsonl(const LargeJsonl&) = delete;
    LargeJsonl& operator=(const LargeJsonl&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace roundpipe::bench
