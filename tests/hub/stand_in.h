// SPDX-License-Identifier: GPL-3.0-or-later
// The Hub's stand-in of stand_in.py, running while the object lives, with repositories that a test writes.
#pragma once

#include "hub/about/hub_settings.h"
#include "testing/fixtures.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace roundpipe::hub {

class StandIn {
public:
    StandIn();
    ~StandIn();

    // Settings that lead to it, with a cache of their own, no token and quick second tries.
    const HubSettings& settings() const { return m_settings; }
    HubSettings& settings() { return m_settings; }
    std::filesystem::path cache() const { return m_settings.cache; }

    // "models/org/tiny/config.json"
    void write(const std::string& path, std::string_view content) const;
    // For the next `times` answers to paths with `match` in them; "bytes:…" for what files are answered with.
    void order(const std::string& match, const std::string& what, int times = 1, const std::string& value = "") const;

    struct Asked {
        int port = 0;
        std::string path, authorization, range;
    };
    std::vector<Asked> asked() const; // so far, in order
    int otherPort() const { return m_otherPort; }

private:
    std::string control(const std::string& question) const;

    testing::TemporaryFolder m_folder;
    pid_t m_process = -1;
    int m_toServer = -1;
    int m_port = 0, m_otherPort = 0;
    HubSettings m_settings;
};

// A model of one small safetensors file, and a dataset of two splits.
void writeTinyModel(const StandIn& hub, const std::string& repository = "org/tiny");
void writeTinyDataset(const StandIn& hub, const std::string& repository = "org/rows");
std::string bytesOfLength(std::size_t length); // no two lengths alike

} // namespace roundpipe::hub
