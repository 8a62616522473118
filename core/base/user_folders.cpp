// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/user_folders.h"

#include <cstdlib>
#include <string>

namespace roundpipe {
namespace {

namespace fs = std::filesystem;

// Of all programs.
fs::path folderOf(const char* variable, const char* inHome) {
    const char* const given = std::getenv(variable);
    if (given != nullptr && *given == '/') return given; // relative ones are to be ignored
    const char* const home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : "/") / inHome;
}

// Of Hugging Face's tools; nothing where it is not set.
fs::path pathIn(const char* variable) {
    const char* const given = std::getenv(variable);
    if (given == nullptr || *given == '\0') return {};
    const std::string text = given;
    const char* const home = std::getenv("HOME");
    return home != nullptr && (text == "~" || text.starts_with("~/")) ? fs::path(home + text.substr(1))
                                                                      : fs::path(text);
}

} // namespace

fs::path cachesOfAllPrograms() {
    return folderOf("XDG_CACHE_HOME", ".cache");
}

fs::path userCacheFolder() {
    return cachesOfAllPrograms() / "roundpipe";
}

fs::path setUpFolder() {
    const char* const given = std::getenv("ROUNDPIPE_CACHE");
    return given != nullptr && *given != '\0' ? fs::absolute(given) : userCacheFolder();
}

fs::path userDataFolder() {
    return folderOf("XDG_DATA_HOME", ".local/share") / "roundpipe";
}

fs::path userConfigFolder() {
    return folderOf("XDG_CONFIG_HOME", ".config") / "roundpipe";
}

fs::path huggingFaceHome() {
    const fs::path given = pathIn("HF_HOME");
    return given.empty() ? cachesOfAllPrograms() / "huggingface" : given;
}

fs::path huggingFaceCache() {
    for (const char* const variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
        if (const fs::path given = pathIn(variable); !given.empty()) return given;
    return huggingFaceHome() / "hub";
}

fs::path huggingFaceTokenFile() {
    const fs::path given = pathIn("HF_TOKEN_PATH");
    return given.empty() ? huggingFaceHome() / "token" : given;
}

} // namespace roundpipe
