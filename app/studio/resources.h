// SPDX-License-Identifier: GPL-3.0-or-later
// What comes with the program: beside it where it is installed, else in the checkout that it was built from.
#pragma once

#include <filesystem>

namespace roundpipe::studio {

// Holds demo and manual. Needs an application object, as all here do.
std::filesystem::path resourceFolder();
// Holds setup, which fetches LibTorch, and its lists.
std::filesystem::path packagingFolder();
// False in a checkout, where whoever builds has set up.
bool isInstalled();

} // namespace roundpipe::studio
