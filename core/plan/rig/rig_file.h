// SPDX-License-Identifier: GPL-3.0-or-later
// Rig files: JSON that people write and edit, with the unit in every key. `//` comments are allowed.
//
//   {
//     "name": "the box under the desk",
//     "devices": [
//       {"preset": "4090", "count": 2, "link": {"pcie": "4x8", "root": "cpu"}},
//       {"preset": "3090", "name": "the old one", "matrix_tflop_per_s": 60},
//       {"name": "Titan", "memory_gib": 24, "matrix_tflop_per_s": 30, "memory_gb_per_s": 600,
//        "link": {"up_gb_per_s": 11, "down_gb_per_s": 12, "latency_us": 10, "duplex": false}}
//     ],
//     "roots": [{"name": "cpu", "gb_per_s": 25, "duplex": true}], // or up_gb_per_s and down_gb_per_s
//     "peers": [{"from": 0, "to": 1, "gb_per_s": 50, "latency_us": 5}],
//     "host": {"memory_gib": 230, "pinned_gib": 200, "memory_gb_per_s": 60, "disk_free_gib": 500, "disk_gb_per_s": 3}
//   }
//
// A device with a preset takes from it what it does not say, its link included; one without says everything but "gpu"
// (true), "latency_us" (10) and "duplex" (true). Memory of the host is what a run may use. A host, or a part of it,
// that is not given is what parseRig assumes for such devices.
#pragma once

#include "plan/rig/rig.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace roundpipe::plan {

// Throws kInvalidInput naming the file and the key that is unknown, missing or of the wrong type, and as validate does.
Rig parseRigFile(std::string_view json, const std::string& nameForErrors);
Rig readRigFile(const std::filesystem::path& path); // kIo as well
// Every field; rates with six digits, sizes exact.
std::string rigToJson(const Rig& rig);

// What a user gives for a rig: the path of a rig file (ending in .json, or of an existing file), else parseRig's
// notation.
Rig loadRig(const std::string& pathOrNotation);

} // namespace roundpipe::plan
