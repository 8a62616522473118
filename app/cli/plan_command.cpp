// roundpipe plan: how a model is cut into stages, before anything is loaded.
#include "base/units.h"
#include "commands.h"
#include "device/device.h"
#include "exit_codes.h"
#include "plan/layer_cost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roundpipe::cli {
namespace {

struct Options {
    std::string model;
    std::vector<std::string> devices = {"auto"};
    std::string precision = "bf16";
    bool json = false;
};

const char* nameOf(plan::StageKind kind) {
    switch (kind) {
    case plan::StageKind::kForward:
        return "forward";
    case plan::StageKind::kFused:
        return "fused";
    case plan::StageKind::kBackward:
        return "backward";
    }
    return "";
}

double costOf(const plan::Stage& stage, const std::vector<plan::LayerCost>& costs) {
    double total = 0;
    for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l) {
        const plan::LayerCost& cost = costs[static_cast<std::size_t>(l)];
        if (stage.kind != plan::StageKind::kBackward) total += cost.forward;
        if (stage.kind == plan::StageKind::kBackward) total += cost.recompute;
        if (stage.kind != plan::StageKind::kForward) total += cost.backward;
    }
    return total;
}

int64_t bytesOf(const plan::Stage& stage, const std::vector<plan::LayerCost>& costs) {
    int64_t total = 0;
    for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l)
        total += costs[static_cast<std::size_t>(l)].bytes;
    return total;
}

void printJson(const arch::ModelSpec& model, const plan::Plan& plan, const std::vector<plan::LayerCost>& costs) {
    nlohmann::ordered_json json;
    json["model"] = model.summary();
    for (const plan::Stage& stage : plan.stages())
        json["stages"].push_back({{"stage", stage.id.value},
                                  {"kind", nameOf(stage.kind)},
                                  {"first_layer", stage.layers.begin},
                                  {"end_layer", stage.layers.end},
                                  {"first_device", plan.deviceOf(stage.id.value).value},
                                  {"weight_bytes", bytesOf(stage, costs)},
                                  {"gflop_per_token", costOf(stage, costs)}});
    fmt::print("{}\n", json.dump(2));
}

void printTable(const arch::ModelSpec& model, const plan::Plan& plan, const std::vector<plan::LayerCost>& costs) {
    fmt::print("{}\n{}\n\n", model.summary(), plan.describe());
    fmt::print("{:>5}  {:9}  {:>12}  {:>6}  {:>10}  {:>12}\n", "stage", "kind", "layers", "device", "weights",
               "GFLOP/token");
    for (const plan::Stage& stage : plan.stages())
        fmt::print("{:>5}  {:9}  {:>12}  {:>6}  {:>10}  {:>12.3f}\n", stage.id.value, nameOf(stage.kind),
                   fmt::format("{}-{}", stage.layers.begin, stage.layers.end - 1), plan.deviceOf(stage.id.value).value,
                   formatBytes(bytesOf(stage, costs)), costOf(stage, costs));
    fmt::print("\nThe next step begins on the device after the last one used.\n");
}

} // namespace

Command addPlanCommand(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    app.add_option("--model", options->model, "Model folder, or a config.json.")->required();
    app.add_option("--devices", options->devices, "auto, cpu, cpu:3, cuda:0, …")->delimiter(',');
    app.add_option("--precision", options->precision, "Type of the weights on a device. [bf16|fp32|fp64]")
        ->check(CLI::IsMember({"bf16", "fp32", "fp64"}));
    app.add_flag("--json", options->json, "Print one JSON object.");
    return [options] {
        const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(options->model));
        const auto costs = plan::estimateCosts(model, *dtypeFromTorchName(options->precision));
        const auto numDevices = static_cast<int32_t>(device::openDevices(options->devices, {}).size());
        const plan::Plan plan = plan::balancedPlan(costs, numDevices, 1);
        if (options->json)
            printJson(model, plan, costs);
        else
            printTable(model, plan, costs);
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
