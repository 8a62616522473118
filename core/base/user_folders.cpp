#include "base/user_folders.h"

#include <cstdlib>

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

} // namespace roundpipe
