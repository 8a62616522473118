// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/engine_parts.h"

#include "device/machine/rig_probe.h"
#include "engine/workload.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace roundpipe::cli {
namespace {

session::RunLengths lengthsOfRows(const session::RunSpec& spec,
                                  const std::function<void(const session::Activity&)>& report) {
    const engine::ModelText text = engine::openModelText(spec.model.path, spec.model.chatTemplate);
    return engine::lengthsOf(engine::loadDataset(spec, text, [&](const session::Activity& activity) {
        report(activity);
        return true;
    }));
}

plan::Rig probed(const std::vector<std::string>& devices) {
    const device::ProbedRig found = device::probeRig(devices);
    for (const std::string& note : found.notes)
        fmt::print(stderr, "{}\n", note);
    return found.rig;
}

session::RunSpec resolved(session::RunSpec spec) {
    return engine::resolved(std::move(spec));
}

} // namespace

const EngineParts& engineParts() {
    static constexpr EngineParts parts{resolved, lengthsOfRows, probed};
    return parts;
}

} // namespace roundpipe::cli
