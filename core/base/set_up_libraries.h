// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that packaging/setup fetched for this user: LibTorch, NVIDIA's and Arrow's. An installed program knows no
// path to them when it is linked, for each user has his own.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe {

// The folder of the wheels, python/lib/python3.*/site-packages of the set-up; empty where nothing was set up.
std::filesystem::path setUpLibraries();

// Opens the library whose file name begins with `name` in a folder of these, "torch/lib", for good and by its whole
// path: what is opened later and needs it finds it by its name. Brings along what it needs itself. No-op where it is
// not there or does not open: who needs it says what it lacks. Of any thread.
void openSetUpLibrary(const std::string& folder, const std::string& name);

} // namespace roundpipe
