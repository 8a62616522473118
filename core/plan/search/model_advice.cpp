// What would make a model fit, and why a plan is as it is.
#include "base/error.h"
#include "base/units.h"
#include "plan/search/model_planner.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::plan {
namespace {

std::string speedOf(const ModelChoice& choice) {
    return fmt::format("{} tokens/s", formatCount(choice.tokensPerSecond));
}

std::optional<ModelChoice> fitting(const ModelRequest& request, const PlannerOptions& options) {
    try {
        return chooseForModel(request, options);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
        return std::nullopt;
    }
}

// `change` makes the request a little smaller each time and says what it did; nothing once it cannot go on.
using Change = std::function<std::optional<std::string>(ModelRequest&)>;

std::optional<Fix> firstThatFits(ModelRequest request, const PlannerOptions& options, const Change& change,
                                 const std::string& drawback) {
    while (const auto what = change(request))
        if (const auto choice = fitting(request, options)) return Fix{*what, speedOf(*choice) + drawback};
    return std::nullopt;
}

std::optional<std::string> smallerMicrobatch(ModelRequest& request) {
    int64_t& size = request.training.sequences;
    if (request.choosesMicrobatch) return std::nullopt; // the smallest has been tried
    do {
        if (size <= 1) return std::nullopt;
        --size;
    } while (request.sequencesPerStep % size != 0);
    return fmt::format("microbatches of {} {}, more of them", size, size == 1 ? "sequence" : "sequences");
}

std::optional<std::string> shorterSequences(ModelRequest& request) {
    constexpr int64_t kShortest = 128;
    const int64_t length = request.training.maxLength / 2;
    if (length < kShortest) return std::nullopt;
    request.training.maxLength = length;
    request.training.averageLength = std::min(request.training.averageLength, static_cast<double>(length));
    return fmt::format("sequences of at most {} tokens", length);
}

Change fewerBits() {
    return [formats = std::vector<WeightFormat>{kPacked8Bit, kPacked4Bit},
            next = std::size_t{0}](ModelRequest& request) mutable -> std::optional<std::string> {
        while (next < formats.size() && request.training.weights.packed() &&
               request.training.weights.bits <= formats[next].bits)
            ++next;
        if (next == formats.size()) return std::nullopt;
        request.training.weights = formats[next++];
        return fmt::format("the base's weights kept and streamed in {} bits", request.training.weights.bits);
    };
}

std::optional<std::string> lowerRank(ModelRequest& request) {
    if (request.training.lora.rank <= 1) return std::nullopt;
    request.training.lora.rank /= 2;
    return fmt::format("LoRA of rank {}", request.training.lora.rank);
}

std::optional<std::string> moreHostMemory(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{8} << 40;
    constexpr int64_t kStep = int64_t{32} << 30;
    HostSpec& host = request.rig.host;
    if (host.memoryBytes >= kMostBytes) return std::nullopt;
    host.memoryBytes = (host.memoryBytes / kStep + 1) * kStep;
    host.pinnedBytes = 0;
    return fmt::format("{} of host memory for the run", formatBytes(host.memoryBytes));
}

std::optional<std::string> largerDevices(ModelRequest& request) {
    constexpr int64_t kMostBytes = int64_t{1} << 40;
    constexpr int64_t kStep = int64_t{8} << 30;
    for (DeviceSpec& device : request.rig.devices) {
        if (device.memoryBytes >= kMostBytes) return std::nullopt;
        device.memoryBytes = (device.memoryBytes / kStep + 1) * kStep;
    }
    return fmt::format("devices with {} of memory", formatBytes(request.rig.devices.front().memoryBytes));
}

} // namespace

std::vector<Fix> smallestFixes(const ModelRequest& request, const PlannerOptions& options) {
    PlannerOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000); // whether it fits matters, not the last percent
    std::vector<Fix> fixes;
    const auto attempt = [&](const Change& change, const char* drawback) {
        if (auto fix = firstThatFits(request, quick, change, drawback)) fixes.push_back(std::move(*fix));
    };
    attempt(smallerMicrobatch, "; same result, less work at a time");
    attempt(lowerRank, "; the adapter can learn less");
    attempt(shorterSequences, "; longer examples are cut off");
    attempt(fewerBits(), "; the base is rounded");
    attempt(moreHostMemory, "; buy or free memory");
    attempt(largerDevices, "; other GPUs");
    return fixes;
}

namespace {

double stageSeconds(const Stage& stage, const Costs& costs, std::size_t device) {
    double seconds = 0;
    for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l) {
        const LayerTimes& t = costs.times[device][static_cast<std::size_t>(l)];
        const double backward = l >= costs.firstTrainable ? t.backward : 0;
        seconds += stage.kind == StageKind::kForward ? t.forward : t.recompute + backward;
    }
    return seconds;
}

std::string aboutCuts(const ModelChoice& found, const std::vector<Stage>& stages) {
    const Stage* longest = &stages.front();
    double least = stageSeconds(stages.front(), found.costs, 0);
    for (const Stage& stage : stages) {
        const double seconds = stageSeconds(stage, found.costs, 0);
        least = std::min(least, seconds);
        if (seconds > stageSeconds(*longest, found.costs, 0)) longest = &stage;
    }
    const double most = stageSeconds(*longest, found.costs, 0);
    std::string text = fmt::format("Stages take {:.1f} to {:.1f} ms for a microbatch on device 0; the longest is the "
                                   "{} stage of {}",
                                   1e3 * least, 1e3 * most, toString(longest->kind),
                                   found.costs.layers[static_cast<std::size_t>(longest->layers.begin)].name);
    if (longest->layers.size() > 1)
        text += " to " + found.costs.layers[static_cast<std::size_t>(longest->layers.end - 1)].name;
    else
        text += ", a single layer, which no cut makes shorter";
    return text + ".";
}

// What stops the fused stage, which saves its recompute, from being larger.
std::string aboutFused(const ModelChoice& found, const Rig& rig) {
    const Plan& plan = found.choice.plan;
    std::string text = fmt::format("The fused stage holds {} of {} layers, which are not computed twice",
                                   plan.fused.size(), plan.numLayers);
    if (plan.fused.begin == 0) return text + ": every device does whole rounds alone, as in data parallelism.";
    Plan larger = plan;
    --larger.fused.begin;
    if (larger.forward.back().size() == 1)
        larger.forward.pop_back();
    else
        --larger.forward.back().end;
    if (!larger.backward.empty()) {
        if (larger.backward.front().size() == 1)
            larger.backward.erase(larger.backward.begin());
        else
            --larger.backward.front().end;
    }
    larger.resident = plan.resident;
    larger.keepsSaved.clear();
    if (!larger.tableRestarts)
        for (int32_t d = 0; d < rig.numDevices(); ++d) {
            const int64_t needed = deviceMemory(larger, found.costs, found.choice.shape, DeviceId(d)).total();
            const int64_t available = rig.devices[static_cast<std::size_t>(d)].memoryBytes;
            if (needed > available)
                return text + fmt::format("; one more would need {} of device {}, which has {}.", formatBytes(needed),
                                          d, formatBytes(available));
        }
    return text + "; with one more it would hold up the other stages.";
}

std::string aboutLimit(const ModelChoice& found, const Rig& rig) {
    const Simulated& step = found.choice.step;
    double busiestLink = 0;
    std::size_t which = 0;
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const double seconds = static_cast<double>(step.bytesUp[d]) / rig.links[d].upBytesPerSecond;
        if (seconds > busiestLink) {
            busiestLink = seconds;
            which = d;
        }
    }
    const double share = busiestLink / step.stepSeconds;
    const double computing = 1 - step.bubbleShare;
    constexpr double kBusy = 0.9;
    if (computing >= kBusy)
        return fmt::format("Computing is the limit: devices are busy {:.1f} % of the time, the busiest link {:.0f} %.",
                           100 * computing, 100 * share);
    if (share >= kBusy)
        return fmt::format("The link of device {} is the limit: it carries {} up a step, {:.0f} % of the time at its "
                           "full rate.",
                           which, formatBytes(step.bytesUp[which]), 100 * share);
    return fmt::format("Waiting is the limit: devices compute {:.1f} % of the time, the busiest link is busy {:.0f} %. "
                       "The rest is filling and draining at each update; more microbatches in a step shorten it{}.",
                       100 * computing, 100 * share,
                       found.choice.shape.oneStepStale ? "" : ", updates that are one step stale remove it");
}

std::string aboutMemory(const ModelChoice& found, const Rig& rig) {
    std::size_t tightest = 0;
    double fullest = 0;
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const double share =
            static_cast<double>(found.choice.deviceMemory[d].total()) / static_cast<double>(rig.devices[d].memoryBytes);
        if (share > fullest) {
            fullest = share;
            tightest = d;
        }
    }
    return fmt::format("Device {} is fullest: {} of {}.", tightest,
                       formatBytes(found.choice.deviceMemory[tightest].total()),
                       formatBytes(rig.devices[tightest].memoryBytes));
}

std::string aboutStaying(const ModelChoice& found, const PlannerOptions& options) {
    if (!options.engine.residency)
        return "Weights are uploaded for every slot: the engine keeps none between slots yet.";
    int64_t resident = 0;
    for (const DeviceMemoryTable& table : found.choice.deviceMemory)
        resident += table.residents;
    return fmt::format("{} of weights stay on the devices between slots.", formatBytes(resident));
}

} // namespace

std::vector<std::string> explain(const ModelChoice& found, const Rig& rig, const PlannerOptions& options) {
    const StepShape& shape = found.choice.shape;
    return {fmt::format("A step has {} {} of {} {} of {} {}.", shape.rounds, shape.rounds == 1 ? "round" : "rounds",
                        shape.roundSize, shape.roundSize == 1 ? "microbatch" : "microbatches", found.training.sequences,
                        found.training.sequences == 1 ? "sequence" : "sequences"),
            aboutCuts(found, found.choice.plan.stages()),
            aboutFused(found, rig),
            aboutStaying(found, options),
            aboutMemory(found, rig),
            aboutLimit(found, rig)};
}

} // namespace roundpipe::plan
