// Where a user's files lie, by the XDG Base Directory Specification. The folders need not exist.
#pragma once

#include <filesystem>

namespace roundpipe {

// $XDG_CACHE_HOME, ~/.cache where that is unset or a relative path.
std::filesystem::path cachesOfAllPrograms();
// What can be made again: cachesOfAllPrograms()/roundpipe.
std::filesystem::path userCacheFolder();
// What packaging/setup fetched (compilers, LibTorch, Arrow): $ROUNDPIPE_CACHE, else userCacheFolder().
std::filesystem::path setUpFolder();
// What cannot, a run's results: $XDG_DATA_HOME/roundpipe, else ~/.local/share/roundpipe.
std::filesystem::path userDataFolder();
// How the user likes it: $XDG_CONFIG_HOME/roundpipe, else ~/.config/roundpipe.
std::filesystem::path userConfigFolder();

} // namespace roundpipe
