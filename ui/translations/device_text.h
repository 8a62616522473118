// SPDX-License-Identifier: GPL-3.0-or-later
// What a device is called, wherever it stands: "GPU 2", "Worker 0".
#pragma once

#include <QString>

#include <string>

namespace roundpipe::ui::translations {

QString deviceText(bool isGpu, int32_t device);
// `name`: as devices and described rigs have it, "cuda:1 NVIDIA GeForce RTX 4090", "cpu:0", "CPU worker"; as traces of
// either have it, too ("0 CPU worker").
QString deviceText(const std::string& name, int32_t device);

} // namespace roundpipe::ui::translations
