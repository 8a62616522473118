// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights an adapter was trained on: names and shapes fit many models, and an adapter on top of another of the
// same size talks nonsense.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe::artifact {

inline constexpr const char* kBaseFile = "base_model.json"; // beside an adapter

// A SHA-256 in hexadecimal over every tensor's name, type, shape and a sample of its bytes (milliseconds, whatever the
// model's size), whichever files they are in. Throws as arch::Checkpoint::open().
std::string fingerprintOfWeights(const std::filesystem::path& modelFolder);

std::string baseFingerprintJson(const std::filesystem::path& modelFolder); // what stands in the file; throws, too
// Writes it beside an adapter. No-op where the model has no weights that can be read, as one with random ones.
void writeBaseFingerprint(const std::filesystem::path& adapterFolder, const std::filesystem::path& modelFolder);
// Throws kInvalidInput where the adapter says of its base that it is another one than `modelFolder`; one that says
// nothing, as PEFT's, is taken.
void requireBase(const std::filesystem::path& adapterFolder, const std::filesystem::path& modelFolder);

} // namespace roundpipe::artifact
