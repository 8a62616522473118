// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/set_up_libraries.h"

#include "base/user_folders.h"

#include <dlfcn.h>

#include <system_error>

namespace roundpipe {
namespace {

namespace fs = std::filesystem;

// The one whose name begins so; empty: there is none.
fs::path entryOf(const fs::path& folder, const std::string& beginning) {
    std::error_code absent;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, absent))
        if (entry.path().filename().string().starts_with(beginning)) return entry.path();
    return {};
}

} // namespace

fs::path setUpLibraries() {
    const fs::path python = entryOf(setUpFolder() / "python" / "lib", "python3.");
    std::error_code absent;
    return !python.empty() && fs::is_directory(python / "site-packages", absent) ? python / "site-packages"
                                                                                 : fs::path();
}

void openSetUpLibrary(const std::string& folder, const std::string& name) {
    const fs::path libraries = setUpLibraries();
    if (libraries.empty()) return;
    const fs::path library = entryOf(libraries / folder, name);
    if (!library.empty()) ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

} // namespace roundpipe
