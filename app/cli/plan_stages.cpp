#include "plan_stages.h"

#include <algorithm>

namespace roundpipe::cli {
namespace {

using plan::Stage;
using plan::StageKind;

double secondsOf(const plan::LayerTimes& times, const Stage& stage, bool keepsSaved) {
    double seconds = 0;
    if (stage.kind != StageKind::kBackward) seconds += times.forward;
    if (stage.kind == StageKind::kBackward && !keepsSaved) seconds += times.recompute;
    if (stage.kind != StageKind::kForward) seconds += times.backward;
    return seconds;
}

} // namespace

std::vector<StageFacts> stageFacts(const PlanQuestion& question, const PlanAnswer& answer) {
    const plan::Plan& plan = answer.choice.plan;
    std::vector<StageFacts> all;
    for (const Stage& stage : plan.stages()) {
        StageFacts facts;
        facts.stage = stage;
        facts.keepsSaved = plan.keeps(stage.id);
        all.push_back(facts);
    }
    for (int32_t d = 0; d < question.request.rig.numDevices(); ++d)
        for (const plan::Slot& slot : plan::slotsOn(plan, answer.costs.firstTrainable, DeviceId(d)))
            all[slot.stage.index()].devices.push_back(d);
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

int64_t mostMemory(const plan::Rival& rival) {
    int64_t most = 0;
    for (const plan::DeviceMemoryTable& memory : rival.deviceMemory)
        most = std::max(most, memory.total());
    return most;
}

} // namespace roundpipe::cli
