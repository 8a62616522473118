// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/measured_times.h"
#include "plan/cost/run_profile.h"

#include "base/file.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/layer_kinds.h"
#include "plan/rig/rig_file.h"
#include "plan/search/nearest_times.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

namespace roundpipe::plan {
namespace {

using testing::expectError;
using testing::TemporaryFolder;

const DeviceSpec k4090{"RTX 4090", int64_t{24} << 30, 150e12, 910e9, true};
const DeviceSpec k3090{"RTX 3090", int64_t{24} << 30, 65e12, 845e9, true};

Rig rigOf(const std::vector<DeviceSpec>& devices) {
    Rig rig;
    rig.devices = devices;
    return rig;
}

arch::ModelSpec modelOf(const std::string& architecture = "Qwen3ForCausalLM", const std::string& extra = {}) {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":[")" + architecture +
            R"("],"vocab_size":1000,"hidden_size":256,"intermediate_size":640,"num_hidden_layers":4,"head_dim":64,)"
            R"("num_attention_heads":4,"num_key_value_heads":2)" +
            extra + "}",
        "config.json"));
}

TrainingShape shapeOf(std::vector<std::string> targets = {"all-linear"}) {
    TrainingShape shape;
    shape.maxLength = 512;
    shape.sequences = 2;
    shape.lora.targets = std::move(targets);
    return shape;
}

std::vector<std::string> kindsOf(const arch::ModelSpec& model, const TrainingShape& shape) {
    return layerKinds(model, arch::trainedLayers(model, shape.lora));
}

DeviceProfile profileOf(const arch::ModelSpec& model, const TrainingShape& shape, const std::string& device,
                        double seconds) {
    DeviceProfile profile{device, modelKey(model.config), shapeKey(shape), "profile", {}, 25e9, 24e9};
    for (const std::string& kind : kindsOf(model, shape))
        profile.kinds[kind] = {seconds, 2 * seconds, 3 * seconds};
    return profile;
}

TEST(LayerKinds, areAsManyAsLayersDiffer) {
    const auto plain = kindsOf(modelOf(), shapeOf());
    ASSERT_EQ(plain.size(), 6u);
    EXPECT_EQ(plain[0], "embedding");
    EXPECT_NE(plain[1], plain[2]); // the first that is trained
    EXPECT_EQ(plain[2], plain[3]);
    EXPECT_EQ(plain[2], "block, trained: all");
    EXPECT_EQ(plain[5], "head");
    EXPECT_EQ(std::set<std::string>(plain.begin(), plain.end()).size(), 4u);

    const auto windows =
        kindsOf(modelOf("GptOssForCausalLM", R"(,"num_local_experts":4,"num_experts_per_tok":1)"), shapeOf({"q_proj"}));
    EXPECT_EQ(windows[2], "sparse block, trained: q_proj");
    EXPECT_EQ(windows[3], "sparse block with a window of 128, trained: q_proj");

    const std::string experts = R"(,"num_experts":4,"num_experts_per_tok":1,"moe_intermediate_size":32)";
    const auto sparse = kindsOf(modelOf("Qwen3MoeForCausalLM", experts), shapeOf({"up_proj", "lm_head"}));
    EXPECT_EQ(sparse[2], "sparse block, trained: up_proj (4)");
    EXPECT_EQ(sparse[5], "head, trained: all");

    const auto deep = kindsOf(modelOf(), shapeOf({"model.layers.2.mlp.up_proj"}));
    EXPECT_EQ(deep[1], "block, below all that is trained");
    EXPECT_EQ(deep[1], deep[2]);
    EXPECT_EQ(deep[3], "block, trained: up_proj, the first that is trained");
    EXPECT_EQ(deep[4], "block");
}

// Equal kinds must really be equal work: every layer's estimate is that of the first of its kind.
TEST(LayerKinds, costTheSame) {
    using Names = std::vector<std::string>;
    for (const auto& [targets, modules] : std::vector<std::pair<Names, Names>>{
             {{"all-linear"}, {}},
             {{"lm_head"}, {}},
             {{"model.layers.1.mlp.up_proj", "model.layers.3.self_attn.q_proj"}, {}},
             {{"all-linear"}, {"embed_tokens", "norm"}},
             {{"lm_head"}, {"model.layers.1.input_layernorm", "model.layers.3.self_attn.q_norm"}}}) {
        TrainingShape shape = shapeOf(targets);
        shape.lora.modulesToSave = modules;
        const arch::ModelSpec model = modelOf("Qwen3ForCausalLM", R"(,"use_sliding_window":true,"sliding_window":64,)"
                                                                  R"("max_window_layers":2)");
        const auto kinds = kindsOf(model, shape);
        const auto parts = arch::trainedLayers(model, shape.lora);
        const Costs costs = modelCosts(model, shape, rigOf({k4090}));
        for (std::size_t a = 0; a < kinds.size(); ++a)
            for (std::size_t b = a + 1; b < kinds.size(); ++b) {
                if (kinds[a] != kinds[b]) continue;
                EXPECT_EQ(parts[a].adapted.size(), parts[b].adapted.size());
                EXPECT_EQ(parts[a].tensors, parts[b].tensors);
                EXPECT_EQ(costs.layers[a].saved, costs.layers[b].saved);
                EXPECT_EQ(costs.times[0][a].backward, costs.times[0][b].backward);
            }
    }
}

TEST(Profiles, areFoundUnderTheNamesThatDevicesHave) {
    EXPECT_EQ(deviceKey("cuda:1 NVIDIA GeForce RTX 4090"), "RTX 4090");
    EXPECT_EQ(deviceKey("NVIDIA H200"), "H200");
    EXPECT_EQ(deviceKey("RTX 4090"), "RTX 4090");
    EXPECT_EQ(deviceKey("cpu:2"), "CPU worker");
    EXPECT_EQ(deviceKey("CPU worker"), "CPU worker");
}

TEST(Profiles, differByWhateverDecidesTheWork) {
    std::set<std::string> keys;
    TrainingShape shape = shapeOf();
    keys.insert(shapeKey(shape));
    const auto changed = [&](auto change) {
        TrainingShape other = shapeOf();
        change(other);
        EXPECT_TRUE(keys.insert(shapeKey(other)).second) << shapeKey(other);
    };
    changed([](TrainingShape& s) { s.maxLength = 600; });
    changed([](TrainingShape& s) { s.sequences = 3; });
    changed([](TrainingShape& s) { s.averageLength = 100; });
    changed([](TrainingShape& s) { s.averageSequences = 1.4; });
    changed([](TrainingShape& s) { s.trainedShare = 0.5; });
    changed([](TrainingShape& s) { s.operandType = DType::kF16; });
    changed([](TrainingShape& s) { s.lora.rank = 8; });
    changed([](TrainingShape& s) { s.lora.targets = {"q_proj"}; });
    changed([](TrainingShape& s) { s.lora.dropout = 0.1; });
    changed([](TrainingShape& s) { s.deterministic = false; });
    shape.tokenLimit = 600; // of memory alone
    EXPECT_FALSE(keys.insert(shapeKey(shape)).second) << shapeKey(shape);
    EXPECT_EQ(modelKey(modelOf().config), modelKey(modelOf("Qwen3ForCausalLM", R"(,"num_hidden_layers":9)").config));
    EXPECT_NE(modelKey(modelOf().config), modelKey(modelOf("Qwen3ForCausalLM", R"(,"intermediate_size":9)").config));
}

TEST(Profiles, comeBackAsTheyWereSaved) {
    const TemporaryFolder folder;
    const DeviceProfile saved = profileOf(modelOf(), shapeOf(), "RTX 4090", 0.125);
    EXPECT_FALSE(loadProfile(saved.device, saved.model, saved.shape, folder.path() / "deeper").has_value());
    saveProfile(saved, folder.path() / "deeper");
    const auto loaded = loadProfile(saved.device, saved.model, saved.shape, folder.path() / "deeper");
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->source, "profile");
    EXPECT_EQ(loaded->kinds.size(), saved.kinds.size());
    EXPECT_EQ(loaded->kinds.at("head").backward, 0.375);
    EXPECT_EQ(loaded->upBytesPerSecond, 25e9);
    EXPECT_FALSE(loadProfile("RTX 3090", saved.model, saved.shape, folder.path() / "deeper").has_value());
}

TEST(Profiles, thatAreDamagedAreNamed) {
    const TemporaryFolder folder;
    const DeviceProfile saved = profileOf(modelOf(), shapeOf(), "RTX 4090", 0.125);
    saveProfile(saved, folder.path());
    const auto file = std::filesystem::directory_iterator(folder.path())->path();
    const std::string good = readTextFile(file);
    const auto load = [&] { return loadProfile(saved.device, saved.model, saved.shape, folder.path()); };
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        writeFileAtomically(file, text);
    };
    for (const auto& [from, to] :
         {std::pair{"0.125", "-1"}, {"0.125", "\"x\""}, {"\"kinds\"", "\"kind\""}, {"{", "["}}) {
        SCOPED_TRACE(to);
        replaced(from, to);
        expectError(ErrorKind::kInvalidInput, {file.string(), "damaged"}, load);
    }
    replaced("\"version\": 2", "\"version\": 3");
    EXPECT_FALSE(load().has_value());
}

TEST(Profiles, lieWhereCachesLie) {
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(profileFolder(), "/somewhere/roundpipe/profiles");
    ::setenv("XDG_CACHE_HOME", "", 1);
    ::setenv("HOME", "/people/me", 1);
    EXPECT_EQ(profileFolder(), "/people/me/.cache/roundpipe/profiles");
}

TEST(MeasuredTimes, replaceEstimatesWhereTheyAre) {
    const TemporaryFolder folder;
    const arch::ModelSpec model = modelOf();
    const TrainingShape shape = shapeOf();
    const Rig rig = rigOf({k4090, k3090, k4090});
    EXPECT_TRUE(loadMeasured(model, shape, rig, folder.path()).empty());
    saveProfile(profileOf(model, shape, "RTX 4090", 0.5), folder.path());
    const MeasuredTimes measured = loadMeasured(model, shape, rig, folder.path());
    EXPECT_FALSE(measured.empty());
    const Costs estimated = modelCosts(model, shape, rig);
    Costs costs = estimated;
    applyMeasured(costs, measured);
    for (const std::size_t device : {std::size_t{0}, std::size_t{2}})
        for (const LayerTimes& times : costs.times[device]) {
            EXPECT_EQ(times.forward, 0.5);
            EXPECT_EQ(times.backward, 1.5);
        }
    EXPECT_EQ(costs.times[1][3].forward, estimated.times[1][3].forward);
    EXPECT_EQ(describe(measured, rig), "RTX 4090: all layers measured (profile). RTX 3090: estimated.");
    EXPECT_TRUE(loadMeasured(model, shapeOf({"q_proj"}), rig, folder.path()).empty());
}

TEST(MeasuredTimes, scaleWhatWasNotMeasured) {
    const TemporaryFolder folder;
    const arch::ModelSpec model = modelOf();
    const Rig rig = rigOf({k4090});
    const Costs estimated = modelCosts(model, shapeOf(), rig);
    DeviceProfile profile = profileOf(model, shapeOf(), "RTX 4090", 0);
    const std::string kind = kindsOf(model, shapeOf())[3];
    const LayerTimes& block = estimated.times[0][3];
    profile.kinds = {{kind, {2 * block.forward, 2 * block.recompute, 2 * block.backward}}};
    saveProfile(profile, folder.path());
    Costs costs = estimated;
    const MeasuredTimes measured = loadMeasured(model, shapeOf(), rig, folder.path());
    applyMeasured(costs, measured);
    EXPECT_DOUBLE_EQ(costs.times[0][2].forward, 2 * block.forward);
    EXPECT_NEAR(costs.times[0][5].backward, 2 * estimated.times[0][5].backward, 1e-12);
    EXPECT_EQ(describe(measured, rig), "RTX 4090: 3 of 6 layers measured (profile).");
}

// Records as a run leaves them when its layers take `truth`, with noise that averages out and a slow first microbatch.
std::vector<trace::Record> recordsOf(const Plan& plan, const std::vector<LayerTimes>& truth, int32_t numDevices) {
    std::vector<trace::Record> records;
    int64_t slotsBefore = 0;
    for (int32_t step = 0; step < 4; ++step)
        for (const Stage& stage : plan.stages()) {
            double forward = 0, recompute = 0, backward = 0;
            for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l) {
                forward += truth[static_cast<std::size_t>(l)].forward;
                recompute += l >= 1 ? truth[static_cast<std::size_t>(l)].recompute : 0;
                backward += truth[static_cast<std::size_t>(l)].backward;
            }
            recompute -= truth[static_cast<std::size_t>(stage.layers.end) - 1].output;
            const auto device = DeviceId(static_cast<int32_t>(slotsBefore++ % numDevices));
            for (int32_t m = 0; m < 3; ++m) {
                const auto put = [&](trace::Kind kind, double seconds) {
                    trace::Record record;
                    record.kind = kind;
                    record.lane = trace::laneOf(device, trace::LaneRole::kCompute);
                    record.step = step;
                    record.slot = stage.id.value;
                    record.stage = stage.id;
                    record.microbatch = MicrobatchId(m);
                    const double noise = m == 0 ? 7 : m == 1 ? 1.05 : 0.95;
                    record.endNs = std::llround(1e9 * seconds * (step == 0 ? 20 : noise));
                    records.push_back(record);
                };
                if (stage.kind == StageKind::kForward) put(trace::Kind::kForward, forward);
                if (stage.kind == StageKind::kFused) put(trace::Kind::kFused, forward + backward);
                if (stage.kind != StageKind::kBackward) continue;
                put(trace::Kind::kRecompute, recompute);
                put(trace::Kind::kBackward, backward);
            }
        }
    return records;
}

Plan planOf(std::vector<LayerRange> forward, LayerRange fused, std::vector<LayerRange> backward, int32_t numDevices) {
    Plan plan;
    plan.numLayers = fused.end;
    plan.forward = std::move(forward);
    plan.fused = fused;
    plan.backward = std::move(backward);
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    return plan;
}

TEST(RunProfiles, findTheTimesBehindARunsRecords) {
    const arch::ModelSpec model = modelOf();
    const Rig rig = rigOf({k4090, k4090});
    const Costs estimated = modelCosts(model, shapeOf(), rig);
    std::vector<LayerTimes> truth = estimated.times[0];
    for (LayerTimes& times : truth)
        times = {1.5 * times.forward, 1.6 * times.recompute, 0.7 * times.backward, 1.6 * times.output};
    truth.back().forward = 2 * estimated.times[0].back().forward;
    truth.back().backward = 2 * estimated.times[0].back().backward;
    const Plan plan = planOf({{0, 2}, {2, 5}}, {5, 6}, {{3, 5}, {1, 3}}, 2);
    const auto factors = factorsOfRun(recordsOf(plan, truth, 2), plan, estimated, 1);
    const auto profiles = profilesOfRun(factors, model, shapeOf(), rig);
    ASSERT_EQ(profiles.size(), 1u);
    EXPECT_EQ(profiles[0].device, "RTX 4090");
    EXPECT_EQ(profiles[0].source, "run");
    const auto kinds = kindsOf(model, shapeOf());
    for (std::size_t l = 1; l + 1 < kinds.size(); ++l) {
        const LayerTimes& times = profiles[0].kinds.at(kinds[l]);
        EXPECT_NEAR(times.forward, truth[l].forward, 1e-3 * truth[l].forward);
        EXPECT_NEAR(times.recompute, truth[l].recompute, 1e-3 * truth[l].recompute);
        EXPECT_NEAR(times.backward, truth[l].backward, 1e-3 * truth[l].backward);
    }
    EXPECT_NEAR(profiles[0].kinds.at("head").backward, truth.back().backward, 1e-3 * truth.back().backward);

    TrainingShape longer = shapeOf();
    longer.averageLength = 300; // another shape's estimates are wrong by as much
    const auto others = profilesOfRun(factors, model, longer, rig);
    ASSERT_EQ(others.size(), 1u);
    EXPECT_NE(others[0].shape, profiles[0].shape);
    const LayerTimes& guessed = modelCosts(model, longer, rig).times[0][3];
    EXPECT_NEAR(others[0].kinds.at(kinds[3]).backward, 0.7 * guessed.backward, 1e-3 * guessed.backward);
}

TEST(RunProfiles, takeWhatAFusedStageAloneTells) {
    const arch::ModelSpec model = modelOf();
    const Rig rig = rigOf({k4090});
    const Costs estimated = modelCosts(model, shapeOf(), rig);
    std::vector<LayerTimes> truth = estimated.times[0];
    for (LayerTimes& times : truth)
        times = {3 * times.forward, 3 * times.recompute, 3 * times.backward};
    const Plan plan = planOf({}, {0, 6}, {}, 1);
    const auto profiles =
        profilesOfRun(factorsOfRun(recordsOf(plan, truth, 1), plan, estimated, 1), model, shapeOf(), rig);
    ASSERT_EQ(profiles.size(), 1u);
    EXPECT_NEAR(profiles[0].kinds.at("head").forward, truth[5].forward, 1e-3 * truth[5].forward);
    EXPECT_TRUE(profilesOfRun(factorsOfRun({}, plan, estimated, 1), model, shapeOf(), rig).empty());
}

// A short stage whose calls cost more than its layers do: blocks that took as long everywhere would not fit into what
// the long fused stage took.
TEST(RunProfiles, takeNoBlockForLongerThanTheFusedStageLeaves) {
    const arch::ModelSpec model = modelOf();
    const Rig rig = rigOf({k4090});
    const Costs estimated = modelCosts(model, shapeOf(), rig);
    std::vector<LayerTimes> truth = estimated.times[0];
    truth[0].forward *= 8;
    truth[1] = {8 * truth[1].forward, 8 * truth[1].recompute, 8 * truth[1].backward};
    const Plan plan = planOf({{0, 2}}, {2, 6}, {{1, 2}}, 1);
    const auto factors = factorsOfRun(recordsOf(plan, truth, 1), plan, estimated, 1);
    ASSERT_TRUE(factors[0]);
    EXPECT_NEAR(factors[0]->forward, 8, 0.1) << "the forward pass has this stage alone";
    // What a plan makes of them: a head that was scaled by all that was measured, the forward stage with it, made steps
    // of such a run 3.6 times too long.
    Costs corrected = estimated;
    applyMeasured(corrected, timesOf(profilesOfRun(factors, model, shapeOf(), rig), model, shapeOf(), rig));
    const auto backwardPass = [](const std::vector<LayerTimes>& times) {
        double seconds = 0;
        for (std::size_t l = 1; l < times.size(); ++l)
            seconds += times[l].recompute + times[l].backward;
        return seconds;
    };
    const double took = backwardPass(truth);
    EXPECT_NEAR(backwardPass(corrected.times[0]), took, 0.02 * took);
}

// A run on two GPUs, of which its trace says that its layers took so many times as long as estimated.
class KeptTimes : public ::testing::Test {
protected:
    KeptTimes() {
        m_ran.model = modelOf();
        m_ran.rig = loadRig("2x4090");
        m_ran.training = shapeOf();
        m_ran.sequencesPerStep = 8;
        m_ran.rounds = 1;
        m_ran.given = chooseForModel(m_ran).choice.plan;
        m_ran.profiles = m_folder.path();
    }
    std::vector<DeviceProfile> profilesBy(double factor) const {
        const RunFactors all{factor, factor, factor, factor};
        return profilesOfRun({all, all}, m_ran.model, m_ran.training, m_ran.rig);
    }
    double stepBy(double factor) const { // the truth, if they took that
        Costs costs = modelCosts(m_ran.model, m_ran.training, m_ran.rig);
        applyMeasured(costs, timesOf(profilesBy(factor), m_ran.model, m_ran.training, m_ran.rig));
        return evaluatePlan(*m_ran.given, m_ran.rig, costs, shapeOfStep()).step.stepSeconds;
    }
    StepShape shapeOfStep() const { return plan::shapeOf(m_ran); }

    TemporaryFolder m_folder;
    ModelRequest m_ran;
};

TEST_F(KeptTimes, areTheRunsWhereTheySayMoreThanEstimates) {
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1.6), stepBy(1.6)), NearestTimes::kRun);
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(0.6), stepBy(0.6)), NearestTimes::kRun);
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1.6), stepBy(1.5)), NearestTimes::kRun);
    for (const DeviceProfile& profile : profilesBy(3)) // of a run that was slower
        saveProfile(profile, m_folder.path());
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1.6), stepBy(1.6)), NearestTimes::kRun);
}

// What lies between the layers may make up for what they take.
TEST_F(KeptTimes, areNotTheRunsWhereEstimatesSayMore) {
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1.6), stepBy(1)), NearestTimes::kEstimates);
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(0.6), stepBy(1.1)), NearestTimes::kEstimates);
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1), stepBy(1)), NearestTimes::kEstimates) << "they say the same";
    for (const DeviceProfile& profile : profilesBy(2)) // nothing of it stays
        saveProfile(profile, m_folder.path());
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(1.6), stepBy(1)), NearestTimes::kEstimates);
}

TEST_F(KeptTimes, areWhatWasKnownWhereThatSaysMost) {
    for (const DeviceProfile& profile : profilesBy(1.6))
        saveProfile(profile, m_folder.path());
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(3), stepBy(1.6)), NearestTimes::kKept);
    EXPECT_EQ(nearestTimes(m_ran, profilesBy(3), stepBy(3)), NearestTimes::kRun);
}

TEST(Profiles, areForgotten) {
    const TemporaryFolder folder;
    const DeviceProfile saved = profileOf(modelOf(), shapeOf(), "RTX 4090", 0.125);
    saveProfile(saved, folder.path());
    removeProfile("RTX 3090", saved.model, saved.shape, folder.path());
    EXPECT_TRUE(loadProfile(saved.device, saved.model, saved.shape, folder.path()));
    removeProfile(saved.device, saved.model, saved.shape, folder.path());
    EXPECT_FALSE(loadProfile(saved.device, saved.model, saved.shape, folder.path()));
    EXPECT_NO_THROW(removeProfile(saved.device, saved.model, saved.shape, folder.path() / "nowhere"));
}

} // namespace
} // namespace roundpipe::plan
