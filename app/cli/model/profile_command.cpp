// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe profile: what a model's layers really take on this machine's devices. Kept for later plans.
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/progress.h"
#include "console/stop_signal.h"
#include "device/machine/rig_probe.h"
#include "device/open_devices.h"
#include "engine/layers/layer_profile.h"
#include "engine/workload.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/length_options.h"
#include "options/output_option.h"
#include "options/run_spec_options.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/layer_kinds.h"
#include "session/spec/chosen_microbatches.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <set>

namespace roundpipe::cli {
namespace {

struct ProfileOptions {
    RunSpecOptions fields;
    session::RunLengths lengths;
    Destination out;
    bool json = false;
};

using Devices = std::vector<std::unique_ptr<device::Device>>;

// Devices of one name; of GPUs one stands for all, CPU workers compute side by side.
std::vector<std::vector<device::Device*>> groupsOf(const Devices& devices) {
    std::vector<std::vector<device::Device*>> groups;
    for (const auto& device : devices) {
        const auto same = std::ranges::find_if(groups, [&](const auto& group) {
            return plan::deviceKey(group.front()->name()) == plan::deviceKey(device->name());
        });
        if (same == groups.end())
            groups.push_back({device.get()});
        else if (device->kind() == device::DeviceKind::kCpu)
            same->push_back(device.get());
    }
    return groups;
}

void print(const plan::DeviceProfile& profile, std::size_t numDevices, const std::vector<std::string>& kinds,
           const std::vector<plan::LayerTimes>& estimated) {
    fmt::print("{}{}: {:.1f} GB/s from the host, {:.1f} GB/s back\n", profile.device,
               numDevices > 1 ? fmt::format(" ({} at once)", numDevices) : "", profile.upBytesPerSecond * 1e-9,
               profile.downBytesPerSecond * 1e-9);
    fmt::print("  {:>11}  {:>11}  {:>11}  {:>9}  {}\n", "forward, ms", "recompute", "backward", "estimated", "layers");
    std::set<std::string> shown;
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        if (!shown.insert(kinds[l]).second) continue;
        const plan::LayerTimes& times = profile.kinds.at(kinds[l]);
        const double sum = times.forward + times.recompute + times.backward;
        const double guess = estimated[l].forward + estimated[l].recompute + estimated[l].backward;
        fmt::print("  {:>11.3f}  {:>11.3f}  {:>11.3f}  {:>+7.0f} %  {} x {}\n", 1e3 * times.forward,
                   1e3 * times.recompute, 1e3 * times.backward, 100 * (guess / sum - 1),
                   std::ranges::count(kinds, kinds[l]), kinds[l]);
    }
}

int profile(const ProfileOptions& options) {
    session::RunSpec spec;
    options.fields.apply(spec);
    fetchNamesOf(spec);
    session::validate(spec, false);
    const StopSignal stop;
    Progress progress(options.json ? Progress::Style::kQuiet : Progress::styleOfStandardOutput());
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    if (spec.method == Method::kFull) arch::requireWholeTrainable(model.config);
    progress.activity("measuring the devices");
    const plan::Rig rig = device::probeRig(spec.engine.devices).rig;
    const Devices devices = device::openDevices(spec.engine.devices, {});
    spec = session::withMicrobatches(std::move(spec), model, rig, options.lengths);
    const plan::TrainingShape shape =
        session::trainingShapeOf(spec, session::stepContentOf(spec, options.lengths), engine::onGpusOnly(devices));
    const plan::Costs estimated = plan::modelCosts(model, shape, rig);
    const auto kinds = plan::layerKinds(model, arch::trainedLayers(model, shape.trained()));

    nlohmann::ordered_json profiles = nlohmann::ordered_json::array();
    for (const auto& group : groupsOf(devices)) {
        const plan::DeviceProfile measured = engine::profileLayers(group, model, shape, [&](const std::string& text) {
            progress.activity(text);
            return !stop.requested();
        });
        plan::saveProfile(measured);
        profiles.push_back(nlohmann::ordered_json::parse(plan::toJson(measured)));
        if (options.json) continue;
        progress.message(model.summary() + "; " + measured.shape);
        print(measured, group.size(), kinds, estimated.times[group.front()->id().index()]);
    }
    if (!options.out.path.empty())
        writeFileAtomically(options.out, profiles.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    if (options.json) printJson(profiles);
    return kSuccess;
}

} // namespace

CommandBody addProfileCommand(CLI::App& app) {
    const auto options = std::make_shared<ProfileOptions>();
    options->fields.addTo(app, {"method", "model.path", "model.weights", "data.max_length", "lora.rank", "lora.dropout",
                                "lora.targets", "lora.modules_to_save", "batch.microbatch_size", "engine.devices",
                                "engine.precision", "engine.determinism"});
    addLengthOptions(app, options->lengths);
    addOutputFile(app, "--out", options->out, "Write the profile to this file, too.");
    app.add_flag("--json", options->json, "Print one JSON array.");
    return [options] { return profile(*options); };
}

} // namespace roundpipe::cli
