// SPDX-License-Identifier: GPL-3.0-or-later
// Small safetensors files, well-formed and not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::arch {

std::string safetensorsBytes(const std::string& header, std::size_t dataBytes); // data byte i is i % 251
void writeBytes(const std::filesystem::path& path, const std::string& bytes);
// A valid file with F32 tensors of the shape [2, 3].
void writeTensors(const std::filesystem::path& path, const std::vector<std::string>& names);

} // namespace roundpipe::arch
