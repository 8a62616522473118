#include "plan_report.h"

#include "base/units.h"
#include "plan/rig_file.h"
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

namespace roundpipe::cli {
namespace {

using plan::DeviceMemoryTable;
using plan::LayerTimes;
using plan::Stage;
using plan::StageKind;

const char* nameOf(StageKind kind) {
    switch (kind) {
    case StageKind::kForward:
        return "forward";
    case StageKind::kFused:
        return "fused";
    case StageKind::kBackward:
        return "backward";
    }
    return "";
}

int64_t total(const std::vector<int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), int64_t{0});
}

// What is known of a stage, for table and JSON.
struct StageFacts {
    Stage stage;
    std::vector<int32_t> devices; // that take it sooner or later
    double seconds = 0;           // of a microbatch on the first of them
    int64_t weightBytes = 0;      // on the device
    int64_t uploadBytes = 0;      // a turn, on the first of them
    int32_t numResident = 0;      // layers whose base stays on the first of them
    bool keepsSaved = false;
};

double secondsOf(const LayerTimes& times, const Stage& stage, bool keepsSaved) {
    double seconds = 0;
    if (stage.kind != StageKind::kBackward) seconds += times.forward;
    if (stage.kind == StageKind::kBackward && !keepsSaved) seconds += times.recompute;
    if (stage.kind != StageKind::kForward) seconds += times.backward;
    return seconds;
}

std::vector<StageFacts> stageFacts(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::Plan& plan = answer.choice.plan;
    std::vector<StageFacts> all;
    for (const Stage& stage : plan.stages()) {
        StageFacts facts;
        facts.stage = stage;
        const auto backwardIndex = static_cast<std::size_t>(stage.id.value) - plan.forward.size() - 1;
        facts.keepsSaved = stage.kind == StageKind::kBackward && plan.keeps(backwardIndex);
        all.push_back(facts);
    }
    for (int32_t d = 0; d < question.rig.numDevices(); ++d)
        for (const Stage& stage : plan::stagesOn(plan, DeviceId(d)))
            all[stage.id.index()].devices.push_back(d);
    for (StageFacts& facts : all) {
        const DeviceId first(facts.devices.empty() ? 0 : facts.devices.front());
        for (int32_t l = facts.stage.layers.begin; l < facts.stage.layers.end; ++l) {
            const plan::LayerSizes& sizes = answer.costs.layers[static_cast<std::size_t>(l)];
            const bool resident = plan.isResident(first, l);
            facts.seconds += secondsOf(answer.costs.times[first.index()][static_cast<std::size_t>(l)], facts.stage,
                                       facts.keepsSaved);
            facts.weightBytes += sizes.weights;
            facts.uploadBytes += sizes.adapterUp + (resident ? 0 : sizes.baseUp);
            facts.numResident += resident ? 1 : 0;
        }
    }
    return all;
}

// "0-3" where they follow one another, else "0,2".
std::string listed(const std::vector<int32_t>& devices) {
    if (devices.size() > 1 && devices.back() - devices.front() + 1 == static_cast<int32_t>(devices.size()))
        return fmt::format("{}-{}", devices.front(), devices.back());
    return fmt::format("{}", fmt::join(devices, ","));
}

std::string layersText(const plan::LayerRange& layers) {
    return layers.size() == 1 ? std::to_string(layers.begin) : fmt::format("{}-{}", layers.begin, layers.end - 1);
}

std::string noteOf(const StageFacts& facts) {
    std::string note = facts.keepsSaved ? "keeps activations" : "";
    if (facts.numResident > 0)
        note += (note.empty() ? "" : ", ") + (facts.numResident == facts.stage.layers.size()
                                                  ? "resident"
                                                  : fmt::format("{} resident", facts.numResident));
    return note;
}

// Stages that differ in nothing that the table shows but their numbers.
bool alike(const StageFacts& a, const StageFacts& b) {
    return a.stage.kind == b.stage.kind && a.stage.layers.size() == b.stage.layers.size() &&
           a.weightBytes == b.weightBytes && a.uploadBytes == b.uploadBytes && a.keepsSaved == b.keepsSaved &&
           a.numResident == b.numResident && asMilliseconds(a.seconds) == asMilliseconds(b.seconds);
}

// One row for stages [begin, end) that are alike.
void addStages(Table& table, std::span<const StageFacts> alikeStages, int32_t roundSize) {
    const StageFacts& first = alikeStages.front();
    const StageFacts& last = alikeStages.back();
    std::set<int32_t> devices;
    for (const StageFacts& facts : alikeStages)
        devices.insert(facts.devices.begin(), facts.devices.end());
    std::string number = std::to_string(first.stage.id.value);
    std::string layers = layersText({std::min(first.stage.layers.begin, last.stage.layers.begin),
                                     std::max(first.stage.layers.end, last.stage.layers.end)});
    if (alikeStages.size() > 1) {
        number += "-" + std::to_string(last.stage.id.value);
        layers += fmt::format(", {} each", first.stage.layers.size());
    }
    table.addRow({number, nameOf(first.stage.kind), layers, listed({devices.begin(), devices.end()}),
                  asBytes(first.weightBytes), asBytes(first.uploadBytes), asMilliseconds(first.seconds),
                  asMilliseconds(first.seconds * roundSize), noteOf(first)});
}

std::string stagesText(const PlanQuestion& question, const PlanAnswer& answer) {
    Table table({{"stage", Table::Align::kLeft},
                 {"kind", Table::Align::kLeft},
                 {"layers", Table::Align::kLeft},
                 {"devices", Table::Align::kLeft},
                 {"weights"},
                 {"upload a turn"},
                 {"ms a microbatch"},
                 {"ms a turn"},
                 {"", Table::Align::kLeft}});
    const std::vector<StageFacts> all = stageFacts(question, answer);
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin + 1;
        while (end < all.size() && alike(all[begin], all[end]))
            ++end;
        addStages(table, {all.begin() + static_cast<std::ptrdiff_t>(begin), end - begin},
                  answer.choice.shape.roundSize);
        begin = end;
    }
    return table.text();
}

// "0 RTX 4090" and "3 RTX 4090" are "0-3 RTX 4090, each".
std::string joinDevices(const std::string& first, const std::string& last) {
    const std::string from = first.substr(0, first.find(' '));
    const std::string name = first.substr(from.size());
    const std::string lastNumber = last.substr(0, last.find(' '));
    return fmt::format("{}-{}{}, each", from, lastNumber, last.substr(lastNumber.size()) == name ? name : "");
}

std::string deviceMemoryText(const PlanQuestion& question, const PlanAnswer& answer) {
    Table table({{"device", Table::Align::kLeft},
                 {"weights"},
                 {"resident"},
                 {"activations"},
                 {"gradients"},
                 {"workspace"},
                 {"batches"},
                 {"context"},
                 {"total"},
                 {"free"}});
    for (std::size_t d = 0; d < question.rig.devices.size(); ++d) {
        const DeviceMemoryTable& memory = answer.choice.deviceMemory[d];
        const plan::DeviceSpec& device = question.rig.devices[d];
        const int64_t free = device.memoryBytes - memory.total();
        table.addRow({fmt::format("{} {}", d, device.name), asBytes(memory.weights), asBytes(memory.residents),
                      asBytes(memory.activations), asBytes(memory.gradients), asBytes(memory.workspace),
                      asBytes(memory.batches), asBytes(memory.context), asBytes(memory.total()),
                      free < 0 ? "-" + formatBytes(-free) : formatBytes(free)});
    }
    table.mergeEqualRows(joinDevices);
    return table.text();
}

std::string hostMemoryText(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::HostMemoryTable& memory = answer.choice.hostMemory;
    Table table({{"host", Table::Align::kLeft}, {"needed"}, {"there is"}});
    const auto available = [](int64_t bytes) { return bytes > 0 ? formatBytes(bytes) : std::string("not known"); };
    const plan::HostSpec& host = question.rig.host;
    table.addRow({"page-locked", asBytes(memory.pinned),
                  formatBytes(host.pinnedBytes > 0 ? host.pinnedBytes : host.memoryBytes)});
    table.addRow({"pageable", asBytes(memory.pageable), ""});
    table.addRow({"together", asBytes(memory.total()), formatBytes(host.memoryBytes)});
    table.addRow({"disk", asBytes(memory.disk), available(host.diskBytes)});
    return table.text();
}

std::string linksText(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::Simulated& step = answer.choice.step;
    Table table({{"device", Table::Align::kLeft}, {"computes"}, {"up a step"}, {"down a step"}, {"link up busy"}});
    for (std::size_t d = 0; d < question.rig.devices.size(); ++d) {
        const double rate = question.rig.links[d].upBytesPerSecond;
        table.addRow({fmt::format("{} {}", d, question.rig.devices[d].name),
                      asPercent(step.busySeconds[d] / step.stepSeconds), asBytes(step.bytesUp[d]),
                      asBytes(step.bytesDown[d]),
                      asPercent(static_cast<double>(step.bytesUp[d]) / rate / step.stepSeconds)});
    }
    table.mergeEqualRows(joinDevices);
    if (question.rig.numDevices() > 1)
        table.addRow(
            {"all", asPercent(1 - step.bubbleShare), asBytes(total(step.bytesUp)), asBytes(total(step.bytesDown)), ""});
    return table.text();
}

std::string stepText(const PlanAnswer& answer) {
    const plan::Choice& choice = answer.choice;
    return fmt::format("{} microbatches of {} x {} tokens in {} round{} of {}, {}\n", choice.shape.numMicrobatches(),
                       answer.training.sequences, answer.training.maxLength, choice.shape.rounds,
                       choice.shape.rounds == 1 ? "" : "s", choice.shape.roundSize,
                       choice.shape.oneStepStale ? "updates one step late" : "updates at the end of each step");
}

nlohmann::ordered_json memoryJson(const DeviceMemoryTable& memory, const plan::DeviceSpec& device) {
    return {{"device", device.name},         {"weights", memory.weights},
            {"residents", memory.residents}, {"activations", memory.activations},
            {"gradients", memory.gradients}, {"workspace", memory.workspace},
            {"batches", memory.batches},     {"context", memory.context},
            {"total", memory.total()},       {"free", device.memoryBytes - memory.total()}};
}

nlohmann::ordered_json stageJson(const StageFacts& facts) {
    return {{"stage", facts.stage.id.value},
            {"kind", nameOf(facts.stage.kind)},
            {"first_layer", facts.stage.layers.begin},
            {"end_layer", facts.stage.layers.end},
            {"devices", facts.devices},
            {"weight_bytes", facts.weightBytes},
            {"upload_bytes", facts.uploadBytes},
            {"seconds_per_microbatch", facts.seconds},
            {"resident_layers", facts.numResident},
            {"keeps_activations", facts.keepsSaved}};
}

} // namespace

std::string planTitle(const PlanQuestion& question) {
    return question.model.summary() + ", LoRA rank " + std::to_string(question.training.lora.rank) + " on " +
           question.rig.name;
}

std::vector<std::string> planFacts(const PlanAnswer& answer) {
    const plan::Simulated& step = answer.choice.step;
    return {asTime(step.stepSeconds) + " a step", "bubble " + asPercent(step.bubbleShare),
            asRate(answer.tokensPerSecond()) + " tokens/s"};
}

std::string planText(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::Choice& choice = answer.choice;
    std::string text = planTitle(question) + "\n" + stepText(answer);
    text += fmt::format("predicted: {}; no step can take less than {}\n", fmt::join(planFacts(answer), ", "),
                        asTime(choice.fastestThinkable));
    if (!answer.timesFrom.empty()) text += "times of layers: " + answer.timesFrom + "\n";
    text += "\n";
    text += "STAGES, " + choice.plan.describe() + "\n" + stagesText(question, answer) + "\n";
    text += "DEVICE MEMORY\n" + deviceMemoryText(question, answer) + "\n";
    text += "HOST MEMORY\n" + hostMemoryText(question, answer) + "\n";
    text += "COMPUTING AND LINKS\n" + linksText(question, answer);
    return text;
}

nlohmann::ordered_json planJson(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::Choice& choice = answer.choice;
    nlohmann::ordered_json json;
    json["model"] = question.model.summary();
    json["rig"] = nlohmann::ordered_json::parse(plan::rigToJson(question.rig));
    json["fits"] = answer.problem.empty();
    if (!answer.problem.empty()) json["problem"] = answer.problem;
    json["step"] = {{"max_length", answer.training.maxLength},     {"microbatch_size", answer.training.sequences},
                    {"microbatches", choice.shape.roundSize},      {"rounds", choice.shape.rounds},
                    {"one_step_stale", choice.shape.oneStepStale}, {"tokens", answer.tokensPerStep()}};
    json["times_from"] = answer.timesFrom;
    json["predicted"] = {
        {"step_seconds", choice.step.stepSeconds}, {"tokens_per_second", answer.tokensPerSecond()},
        {"bubble_share", choice.step.bubbleShare}, {"fastest_thinkable_seconds", choice.fastestThinkable},
        {"busy_seconds", choice.step.busySeconds}, {"bytes_up", choice.step.bytesUp},
        {"bytes_down", choice.step.bytesDown}};
    for (const StageFacts& facts : stageFacts(question, answer))
        json["stages"].push_back(stageJson(facts));
    for (std::size_t d = 0; d < question.rig.devices.size(); ++d)
        json["memory"]["devices"].push_back(memoryJson(choice.deviceMemory[d], question.rig.devices[d]));
    json["memory"]["host"] = {{"pinned", choice.hostMemory.pinned},
                              {"pageable", choice.hostMemory.pageable},
                              {"total", choice.hostMemory.total()},
                              {"disk", choice.hostMemory.disk}};
    return json;
}

} // namespace roundpipe::cli
