// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_report.h"

#include "base/units.h"
#include "console/table.h"
#include "session/planning/disk_use.h"
#include "session/planning/plan_export.h"
#include "session/spec/chosen_microbatches.h"
#include "session/spec/fix_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace roundpipe::cli {
namespace {

using plan::DeviceMemoryTable;
using session::PlanAnswer;
using session::PlannedStage;

int64_t total(const std::vector<int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), int64_t{0});
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

std::string noteOf(const PlannedStage& planned) {
    const auto ofLayers = [&](int32_t count, const char* what) {
        if (count == planned.stage.layers.size()) return std::string(what);
        return fmt::format("{} {}", count, what);
    };
    std::vector<std::string> notes;
    const auto add = [&](int32_t count, const char* what) {
        if (count > 0) notes.push_back(ofLayers(count, what));
    };
    const plan::SavedOtherwise& saved = planned.saved;
    add(saved.withoutGateUp, "saved without gate and up");
    add(saved.inputOnly, "saved as input");
    add(saved.allOnHost, "saved in host memory");
    add(saved.withoutGateUpOnHost, "saved in host memory without gate and up");
    add(saved.inputOnHost, "saved in host memory as input");
    add(planned.numResident, "resident");
    return fmt::format("{}", fmt::join(notes, ", "));
}

// Stages that differ in nothing that the table shows but their numbers.
bool alike(const PlannedStage& a, const PlannedStage& b) {
    return a.stage.kind == b.stage.kind && a.stage.layers.size() == b.stage.layers.size() &&
           a.weightBytes == b.weightBytes && a.uploadBytes == b.uploadBytes && a.saved == b.saved &&
           a.numResident == b.numResident && asMilliseconds(a.seconds) == asMilliseconds(b.seconds);
}

// One row for stages [begin, end) that are alike.
void addStages(Table& table, std::span<const PlannedStage> alikeStages, int32_t roundSize) {
    const PlannedStage& first = alikeStages.front();
    const PlannedStage& last = alikeStages.back();
    std::set<int32_t> devices;
    for (const PlannedStage& planned : alikeStages)
        devices.insert(planned.devices.begin(), planned.devices.end());
    std::string number = std::to_string(first.stage.id.value);
    std::string layers = layersText({std::min(first.stage.layers.begin, last.stage.layers.begin),
                                     std::max(first.stage.layers.end, last.stage.layers.end)});
    if (alikeStages.size() > 1) {
        number += "-" + std::to_string(last.stage.id.value);
        layers += fmt::format(", {} each", first.stage.layers.size());
    }
    table.addRow({number, toString(first.stage.kind), layers, listed({devices.begin(), devices.end()}),
                  asBytes(first.weightBytes), asBytes(first.uploadBytes), asMilliseconds(first.seconds),
                  asMilliseconds(first.seconds * roundSize), noteOf(first)});
}

std::string stagesText(const PlanAnswer& answer) {
    Table table({{"stage", Table::Align::kLeft},
                 {"kind", Table::Align::kLeft},
                 {"layers", Table::Align::kLeft},
                 {"devices", Table::Align::kLeft},
                 {"weights"},
                 {"upload a turn"},
                 {"ms a microbatch"},
                 {"ms a turn"},
                 {"", Table::Align::kLeft}});
    const std::vector<PlannedStage>& all = answer.stages;
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

std::string deviceMemoryText(const PlanAnswer& answer) {
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
    for (std::size_t d = 0; d < answer.rig.devices.size(); ++d) {
        const DeviceMemoryTable& memory = answer.choice.deviceMemory[d];
        const plan::DeviceSpec& device = answer.rig.devices[d];
        const int64_t free = device.memoryBytes - memory.total();
        table.addRow({fmt::format("{} {}", d, device.name), asBytes(memory.weights), asBytes(memory.residents),
                      asBytes(memory.activations), asBytes(memory.gradients), asBytes(memory.workspace),
                      asBytes(memory.batches), asBytes(memory.context), asBytes(memory.total()),
                      free < 0 ? "-" + formatBytes(-free) : formatBytes(free)});
    }
    table.mergeEqualRows(joinDevices);
    return table.text();
}

// What is nothing has no line.
void addParts(Table& table, const std::vector<std::pair<const char*, int64_t>>& parts) {
    for (const auto& [name, bytes] : parts)
        if (bytes > 0) table.addRow({fmt::format("  {}", name), asBytes(bytes), ""});
}

std::string hostMemoryText(const PlanAnswer& answer, const session::RunSpec& spec) {
    const plan::HostMemoryTable& memory = answer.choice.hostMemory;
    Table table({{"host", Table::Align::kLeft}, {"needed"}, {"there is"}});
    const auto available = [](int64_t bytes) { return bytes > 0 ? formatBytes(bytes) : std::string("not known"); };
    const plan::HostSpec& host = answer.rig.host;
    table.addRow({"page-locked", asBytes(memory.pinned),
                  formatBytes(host.pinnedBytes > 0 ? host.pinnedBytes : host.memoryBytes)});
    table.addRow({"pageable", asBytes(memory.pageable), ""});
    table.addRow({"together", asBytes(memory.total()), formatBytes(host.memoryBytes)});
    addParts(table, {{"weights", memory.parts.weights},
                     {"optimizer", memory.parts.optimizer},
                     {"gradients", memory.parts.gradients + memory.parts.gradientSums},
                     {"activations", memory.parts.activations},
                     {"rows", memory.parts.rows}});
    const session::DiskUse disk = session::diskUseOf(spec, answer, 0);
    table.addRow({"disk", asBytes(disk.total()), available(host.diskBytes)});
    addParts(table, {{"last and best checkpoint", disk.checkpoints},
                     {"earlier checkpoints", disk.earlier},
                     {spec.method == Method::kFull ? "weights" : "adapter", disk.result}});
    return table.text();
}

std::string memoryText(const PlanAnswer& answer, const session::RunSpec& spec) {
    return "DEVICE MEMORY\n" + deviceMemoryText(answer) + "\nHOST MEMORY\n" + hostMemoryText(answer, spec);
}

std::string linksText(const PlanAnswer& answer) {
    const plan::Simulated& step = answer.choice.step;
    Table table({{"device", Table::Align::kLeft}, {"computes"}, {"up a step"}, {"down a step"}, {"link up busy"}});
    for (std::size_t d = 0; d < answer.rig.devices.size(); ++d) {
        const double rate = answer.rig.links[d].upBytesPerSecond;
        table.addRow({fmt::format("{} {}", d, answer.rig.devices[d].name),
                      asPercent(step.busySeconds[d] / step.stepSeconds), asBytes(step.bytesUp[d]),
                      asBytes(step.bytesDown[d]),
                      asPercent(static_cast<double>(step.bytesUp[d]) / rate / step.stepSeconds)});
    }
    table.mergeEqualRows(joinDevices);
    if (answer.rig.numDevices() > 1)
        table.addRow(
            {"all", asPercent(1 - step.bubbleShare), asBytes(total(step.bytesUp)), asBytes(total(step.bytesDown)), ""});
    return table.text();
}

// One device speaks for all in a table.
std::string firstOf(const std::string& problems) {
    const std::size_t end = problems.find(';');
    return end == std::string::npos ? problems : problems.substr(0, end) + ", …";
}

std::string rivalsText(const PlanAnswer& answer) {
    Table table({{"schedule", Table::Align::kLeft},
                 {"a step"},
                 {"tokens/s"},
                 {"bubble"},
                 {"most memory"},
                 {"", Table::Align::kLeft}});
    const auto add = [&](const char* schedule, const plan::Simulated& step,
                         const std::vector<plan::DeviceMemoryTable>& memory, const std::string& how) {
        const bool ran = step.stepSeconds > 0;
        const double tokens = static_cast<double>(answer.tokensPerStep);
        table.addRow({schedule, ran ? asTime(step.stepSeconds) : "-", ran ? asRate(tokens / step.stepSeconds) : "-",
                      ran ? asPercent(step.bubbleShare) : "-", ran ? asBytes(session::mostMemory(memory)) : "-", how});
    };
    add("this plan", answer.choice.step, answer.choice.deviceMemory, answer.choice.plan.describe());
    for (const plan::Rival& rival : answer.rivals)
        add(spellingOf(rival.schedule), rival.step, rival.deviceMemory,
            rival.problem.empty() ? rival.how() : rival.how() + "; cannot run: " + firstOf(rival.problem.text()));
    return table.text();
}

// Of a number that was chosen, why it is this one (session/spec/chosen_microbatches.h).
std::string choiceText(const PlanAnswer& answer) {
    constexpr double kBusy = 0.85;
    if (!answer.choseMicrobatches) return {};
    if (answer.choseRounds)
        return fmt::format(" (the fastest {}rounds for so many tokens a step)",
                           answer.microbatchSize > 0 ? "microbatches and " : "");
    if (answer.training.sequences * answer.choice.shape.numMicrobatches() >= session::kMostExamplesChosen)
        return fmt::format(" (of {} examples, more than which are taken only if you say so)",
                           session::kMostExamplesChosen);
    if (1 - answer.choice.step.bubbleShare >= kBusy) return " (as many as keep the devices busy)";
    return fmt::format(" (the fewest: twice as many do not fit, or would not be 1 % faster{})",
                       answer.lengthsFrom.numCounted > 0 ? ", or leave an epoch less than 16 updates" : "");
}

std::string stepText(const PlanAnswer& answer) {
    const plan::StepShape& shape = answer.choice.shape;
    const plan::TrainingShape& training = answer.training;
    const std::string size = training.tokenLimit > 0 ? fmt::format("at most {}", training.tokenLimit)
                                                     : fmt::format("{} x {}", training.sequences, training.maxLength);
    const bool isUsual = shape.numMicrobatches() < shape.mostMicrobatches();
    const int32_t replicas = answer.choice.plan.replicas;
    const std::string grouped =
        replicas > 1 ? fmt::format("shared by {} replicas", replicas)
                     : fmt::format("in {} round{} of {}{}", shape.numRounds(), shape.numRounds() == 1 ? "" : "s",
                                   isUsual ? "up to " : "", shape.roundSize);
    return fmt::format("{} microbatch{}{} of {} tokens {}{}, {}\n", shape.numMicrobatches(),
                       shape.numMicrobatches() == 1 ? "" : "es", isUsual ? " (usually)" : "", size, grouped,
                       choiceText(answer),
                       shape.oneStepStale ? "updates one step late" : "updates at the end of each step");
}

std::string trainedText(const plan::TrainingShape& training) {
    if (training.trainsBase) return "all weights";
    const std::vector<std::string>& whole = training.lora.modulesToSave;
    return fmt::format("LoRA rank {}{}{}{}", training.lora.rank, whole.empty() ? "" : " with ", fmt::join(whole, ", "),
                       isPacked(training.weights) ? fmt::format(", base in {}", spellingOf(training.weights)) : "");
}

} // namespace

std::string planTitle(const PlanAnswer& answer) {
    return fmt::format("{}, {} on {}", answer.model.text(), trainedText(answer.training), answer.rig.name);
}

std::vector<std::string> planFacts(const PlanAnswer& answer) {
    const plan::Simulated& step = answer.choice.step;
    return {asTime(step.stepSeconds) + " a step", "bubble " + asPercent(step.bubbleShare),
            asRate(answer.tokensPerSecond) + " tokens/s"};
}

std::string smallestText(const PlanAnswer& answer, const session::RunSpec& spec) {
    return planTitle(answer) + "\ndoes not fit; the least that it needs, " + answer.choice.plan.describe() + ":\n\n" +
           memoryText(answer, spec);
}

std::string planText(const PlanAnswer& answer, const session::RunSpec& spec) {
    const plan::EvaluatedPlan& choice = answer.choice;
    std::string text = planTitle(answer) + "\n" + stepText(answer);
    text += fmt::format("predicted: {}; no step can take less than {}\n", fmt::join(planFacts(answer), ", "),
                        asTime(choice.fastestThinkable));
    if (answer.faster)
        text +=
            fmt::format("faster: {} ({}): {}\n", answer.faster->change(),
                        fmt::join(session::optionsOf({&*answer.faster, 1}, spec).front(), " "), answer.faster->cost());
    text += "lengths of examples: " + answer.lengthsFrom.text() + "\n";
    if (!answer.timesFrom.empty()) text += "times of layers: " + answer.timesFrom + "\n";
    text += "\n";
    text += "STAGES, " + choice.plan.describe() + "\n" + stagesText(answer) + "\n";
    text += memoryText(answer, spec) + "\n";
    text += "COMPUTING AND LINKS\n" + linksText(answer);
    if (!answer.explanation.empty()) text += "\nWHY\n";
    for (const std::string& sentence : answer.explanation)
        text += "  " + sentence + "\n";
    if (!answer.rivals.empty()) text += "\nSCHEDULES COMPARED, on the same microbatches\n" + rivalsText(answer);
    return text;
}

} // namespace roundpipe::cli
