// SPDX-License-Identifier: GPL-3.0-or-later
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

// Hugging Face's tools, whose cache is shared: $HF_HOME, else huggingface in cachesOfAllPrograms(). Here and below "~"
// begins the user's own folder, as those tools read it.
std::filesystem::path huggingFaceHome();
// What they fetch: $HF_HUB_CACHE, the older $HUGGINGFACE_HUB_CACHE, else huggingFaceHome()/hub.
std::filesystem::path huggingFaceCache();
// The file with their user's access token: $HF_TOKEN_PATH, else huggingFaceHome()/token.
std::filesystem::path huggingFaceTokenFile();

} // namespace roundpipe
