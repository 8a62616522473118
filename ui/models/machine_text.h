// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine has for training, in a line, as far as that is known without an engine.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>

namespace roundpipe::ui::models {

// "This machine: 2 × NVIDIA GeForce RTX 4090 · 16 processor threads · 125.7 GiB of memory". Reads a few small files of
// `proc`, as the kernel has them; what they do not say is left out.
QString machineText(const std::filesystem::path& proc = "/proc");

QStringList gpuNames(const std::filesystem::path& proc = "/proc");    // of each, as the NVIDIA driver lists them
int64_t freeMemoryBytes(const std::filesystem::path& proc = "/proc"); // that programs may take; 0: not known

} // namespace roundpipe::ui::models
