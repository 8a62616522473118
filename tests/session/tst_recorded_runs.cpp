// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates beside what this engine took: every file of recorded_runs/ is a line that `roundpipe bench` printed, whole
// (README.md there says how they are made).
#include "base/error.h"
#include "base/file.h"
#include "plan/rig/rig_file.h"
#include "plan/search/model_choice.h"
#include "session/spec/run_shape.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace roundpipe::session {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr double kTime = 0.05, kMemory = 0.03; // shares of what was measured, either way

std::vector<fs::path> recordedRuns() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(testing::sourceFolder() / "tests/session/recorded_runs"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

// One run, and what is estimated of its plan today.
class Recorded {
public:
    explicit Recorded(const Json& run) : m_run(run) {
        m_spec.method = *fromSpelling<Method>(text("method"));
        m_spec.lora.rank = run.at("rank");
        m_spec.lora.dropout = run.at("dropout");
        m_spec.lora.modulesToSave = run.value("modules_to_save", std::vector<std::string>());
        m_spec.engine.precision = text("precision") == "BF16" ? Precision::kBf16 : Precision::kFp32;
        m_spec.engine.determinism = *fromSpelling<Determinism>(text("determinism"));
        m_spec.optimizer.updates = *fromSpelling<Updates>(text("updates"));
        m_spec.optimizer.moments =
            *fromSpelling<Moments>(run.value("moments", "fp32")); // lines of before had no choice
        m_spec.data.maxLength = run.at("max_length");
        m_spec.batch.microbatchSize = run.at("microbatch_size");
        m_spec.batch.microbatches = run.at("microbatches");
        m_spec.batch.rounds = run.at("rounds");
        m_spec.engine.forwardStages = run.at("forward_stages").get<std::vector<int64_t>>();
        m_spec.engine.backwardStages = run.at("backward_stages").get<std::vector<int64_t>>();
    }

    plan::ModelChoice estimate() const {
        const arch::ModelSpec model = arch::makeModelSpec(arch::parseModelConfig(m_run.at("config").dump(), "config"));
        const plan::Rig rig = plan::parseRigFile(m_run.at("rig").dump(), "rig");
        plan::ModelRequest request = planRequestOf(m_spec, model, rig, stepContentOf(m_spec, {}));
        request.profiles.clear();
        request.given->replicas = m_run.at("replicas");
        request.given->tableRestarts = m_run.value("table_restarts", request.given->replicas > 1);
        request.given->prefetchDepth = m_run.at("prefetch_depth");
        request.given->keepsPackets = m_run.value("keeps_packets", false);
        for (const Json& saving : m_run.at("saving"))
            request.given->saving.push_back(*geometry::layerSavingFrom(saving.get<std::string>()));
        for (const Json& device : m_run.at("devices")) {
            std::vector<bool>& resident = request.given->resident.emplace_back(model.layers.size());
            for (const std::size_t layer : device.at("resident"))
                resident[layer] = true;
        }
        return plan::chooseForModel(request);
    }

private:
    std::string text(const char* key) const { return m_run.at(key); }

    const Json& m_run;
    RunSpec m_spec;
};

// What the engine took more when the run was recorded: lines that do not say their gradients' bytes are of an engine
// that took both buffers for them as large as the larger is.
int64_t lessGradientBytes(const Json& run, const plan::ModelChoice& found, std::size_t device) {
    if (run.at("estimated").at("devices")[device].contains("gradient_bytes")) return 0;
    const std::array<int64_t, 2> bytes =
        plan::deviceNeeds(found.choice.plan, found.costs, found.choice.shape, DeviceId(static_cast<int32_t>(device)))
            .gradients;
    return 2 * std::max(bytes[0], bytes[1]) - bytes[0] - bytes[1];
}

TEST(RecordedRuns, takeAsLongAndAsMuchMemoryAsIsEstimated) {
    ASSERT_FALSE(recordedRuns().empty());
    for (const fs::path& file : recordedRuns()) {
        SCOPED_TRACE(file.filename().string());
        const Json run = Json::parse(readTextFile(file));
        const plan::ModelChoice found = Recorded(run).estimate();
        const double seconds = run.at("step_seconds"), estimated = found.choice.step.stepSeconds;
        std::printf("%-44s step %7.3f s, estimated %7.3f (%+5.1f %%)", file.stem().c_str(), seconds, estimated,
                    100 * (estimated / seconds - 1));
        EXPECT_NEAR(estimated, seconds, kTime * seconds);
        for (std::size_t d = 0; d < run.at("devices").size(); ++d) {
            const Json& device = run.at("devices")[d];
            const auto gib = [](double bytes) { return bytes / (int64_t{1} << 30); };
            const double own = device.at("peak_bytes"), used = device.at("used_bytes_of_all_programs");
            const auto since = static_cast<double>(lessGradientBytes(run, found, d));
            const auto estimatedUsed = static_cast<double>(found.choice.deviceMemory[d].total()) + since;
            EXPECT_NEAR(static_cast<double>(found.choice.deviceMemory[d].ownBytes()) + since, own, kMemory * own);
            std::printf(", memory %6.2f GiB, estimated %6.2f (%+4.1f %%)", gib(used), gib(estimatedUsed),
                        100 * (estimatedUsed / used - 1));
            EXPECT_NEAR(estimatedUsed, used, kMemory * used);
        }
        std::printf("\n");
    }
}

} // namespace
} // namespace roundpipe::session
