// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/fix_options.h"

#include "base/units.h"
#include "plan/remedies/changes.h"
#include "session/spec/run_shape.h"
#include "session/spec/run_spec_fields.h"
#include "session/spec/value_text.h"

#include <utility>

namespace roundpipe::session {
namespace {

// Where the run says what the host has, it says so of the machine that the change is for.
bool makeIn(RunSpec& spec, const plan::Fix& fix) {
    if (fix.kind != plan::FixKind::kHostMemory || spec.engine.hostMemory == 0) return apply(fix, spec);
    spec.engine.hostMemory = static_cast<double>(fix.value) / static_cast<double>(kGiB);
    return true;
}

} // namespace

std::vector<std::vector<std::string>> optionsOf(std::span<const plan::Fix> fixes, RunSpec spec) {
    std::vector<std::vector<std::string>> all;
    for (const plan::Fix& fix : fixes) {
        const RunSpec before = spec;
        all.emplace_back();
        if (!makeIn(spec, fix)) continue;
        for (const Field* field : differingFields(spec, before)) {
            all.back().push_back(field->option);
            all.back().push_back(textOf(field->get(spec)));
        }
    }
    return all;
}

plan::Rig changedRig(std::span<const plan::Fix> fixes, const plan::Rig& rig) {
    plan::ModelRequest request;
    request.rig = rig;
    for (const plan::Fix& fix : fixes)
        if (!plan::isSetting(fix.kind)) request = plan::withFixes(std::move(request), {&fix, 1});
    return request.rig;
}

} // namespace roundpipe::session
