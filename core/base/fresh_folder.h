// SPDX-License-Identifier: GPL-3.0-or-later
// Names for folders and files that are not there yet.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace roundpipe {

// The first bytes of a name that would be too long for file systems, which take 255: whole characters of UTF-8.
std::string firstOfName(const std::string& name, std::size_t mostBytes);

// A folder in `parent` that does not exist yet, named after `name`: "My run", "My run 2", …. What file systems and
// shells take amiss in a name becomes a dash, what is too long is cut off. Makes nothing.
std::filesystem::path freshFolder(const std::filesystem::path& parent, const std::string& name);
// A file likewise: "Who are you.json", "Who are you 2.json", ….
std::filesystem::path freshFile(const std::filesystem::path& parent, const std::string& name,
                                const std::string& ending);

} // namespace roundpipe
