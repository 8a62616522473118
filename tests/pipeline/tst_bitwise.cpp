// SPDX-License-Identifier: GPL-3.0-or-later
// Same seed, same losses: neither the number of devices nor the cuts nor the timing may show in a single bit.
#include "rig.h"

#include <chrono>
#include <gtest/gtest.h>
#include <ostream>
#include <thread>

namespace roundpipe::testing {
namespace {

constexpr int64_t kNumSteps = 3;

struct Curve {
    std::vector<double> losses;
    std::vector<double> norms;
    bool operator==(const Curve&) const = default;
};

// For messages: every bit.
void PrintTo(const Curve& curve, std::ostream* out) {
    *out << std::hexfloat;
    for (std::size_t i = 0; i < curve.losses.size(); ++i)
        *out << "\n    loss " << curve.losses[i] << " norm " << curve.norms[i];
}

Curve train(const RigSpec& spec) {
    Rig rig(spec);
    Curve curve;
    for (int64_t step = 0; step < kNumSteps; ++step) {
        const pipeline::StepResult result = rig.runStep(step);
        curve.losses.push_back(result.loss);
        curve.norms.push_back(result.gradNorm);
    }
    return curve;
}

struct Cut {
    std::vector<int32_t> forward;
    std::vector<int32_t> backward; // the fused stage first
};

// Of six layers: embedding, four blocks, head.
const std::vector<Cut> kCuts = {
    {{}, {6}},                    // one stage, everything fused
    {{2, 2}, {2, 1, 1, 1}},       // cuts that coincide
    {{3}, {3, 2}},                // a checkpoint in the middle of a forward stage
    {{5}, {1, 1, 1, 1, 1}},       // the head alone, a checkpoint before every block
    {{1, 1, 1, 1, 1}, {1, 2, 3}}, // forward finer than backward; a stage reaching below the trained layers
};

class Bitwise : public ::testing::TestWithParam<int32_t> {};

void expectSameEverywhere(RigSpec spec, const std::vector<int>& deviceCounts) {
    spec.numDevices = 1;
    spec.forwardStages = kCuts[0].forward;
    spec.backwardStages = kCuts[0].backward;
    const Curve expected = train(spec);
    EXPECT_GT(expected.norms.front(), 0);
    EXPECT_NE(expected.losses.front(), expected.losses.back());
    for (const int numDevices : deviceCounts)
        for (const Cut& cut : kCuts) {
            spec.numDevices = numDevices;
            spec.forwardStages = cut.forward;
            spec.backwardStages = cut.backward;
            EXPECT_EQ(train(spec), expected) << numDevices << " devices, " << cut.backward.size() << " backward stages";
        }
    spec.keepsPackets = true;
    spec.numDevices = 1;
    for (const Cut& cut : kCuts) {
        spec.forwardStages = cut.forward;
        spec.backwardStages = cut.backward;
        EXPECT_EQ(train(spec), expected) << "packets stay, " << cut.backward.size() << " backward stages";
    }
}

TEST_P(Bitwise, lossesDoNotDependOnDevicesOrCuts) {
    RigSpec spec;
    spec.microbatches = GetParam();
    expectSameEverywhere(spec, {1, 2, 3, 5});
}

TEST_P(Bitwise, lossesDoNotDependOnDevicesOrCutsWithDropout) {
    RigSpec spec;
    spec.microbatches = GetParam();
    spec.dropout = 0.25;
    expectSameEverywhere(spec, {2, 3, 5});
}

TEST_P(Bitwise, lossesDoNotDependOnDevicesOrCutsInTwoRounds) {
    RigSpec spec;
    spec.microbatches = GetParam();
    spec.rounds = 2;
    spec.dropout = 0.1;
    expectSameEverywhere(spec, {1, 2, 5});
}

TEST_P(Bitwise, lossesOfTrainedWeightsDoNotDependOnDevicesOrCuts) {
    RigSpec spec;
    spec.trainsBase = true;
    spec.microbatches = GetParam();
    spec.rounds = 1 + GetParam() % 2;
    expectSameEverywhere(spec, {1, 2, 5});
}

INSTANTIATE_TEST_SUITE_P(Microbatches, Bitwise, ::testing::Range(1, 8));

TEST(BitwiseOthers, anUntiedLlamaWithoutClippingKeepsItsBits) {
    RigSpec spec;
    spec.family = arch::Family::kLlama;
    spec.tied = false;
    spec.maxGradNorm = 0;
    expectSameEverywhere(spec, {2, 3});
}

TEST(BitwiseOthers, layersBelowTheFirstTrainedOneAndATrainedHeadKeepTheirBits) {
    RigSpec spec;
    spec.tied = false;
    spec.targets = {"model.layers.2.self_attn.q_proj", "model.layers.3.mlp.down_proj", "lm_head"};
    expectSameEverywhere(spec, {2, 3});
}

TEST(BitwiseOthers, doubleAndHalfPrecisionKeepTheirBits) {
    for (const bool trainsBase : {false, true})
        for (const DType dtype : {DType::kF64, DType::kBF16}) {
            RigSpec spec;
            spec.trainsBase = trainsBase;
            spec.dtype = dtype;
            expectSameEverywhere(spec, {3});
        }
}

// Streamed or resident, assembled once a turn or for every call.
TEST(BitwiseOthers, packedBasesKeepTheirBits) {
    for (const WeightFormat format : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8})
        for (const DType dtype : {DType::kF32, DType::kBF16}) {
            RigSpec spec;
            spec.dtype = dtype;
            spec.microbatches = 3;
            const Curve whole = train(spec);
            spec.weights = format;
            EXPECT_NE(train(spec), whole) << "the choice does not show";
            expectSameEverywhere(spec, {1, 2, 3});
            const Curve expected = train(spec);
            for (const int32_t residentPercent : {40, 100})
                for (const Cut& cut : kCuts) {
                    spec.residentPercent = residentPercent;
                    spec.forwardStages = cut.forward;
                    spec.backwardStages = cut.backward;
                    EXPECT_EQ(train(spec), expected) << residentPercent << " % resident";
                }
        }
}

// The same of weights that are multiplied as they are: codes in slots, transposed ones in areas of one turn or many.
TEST(BitwiseOthers, productsInFp8KeepTheirBits) {
    for (const auto products : {model::Fp8Products::kScaled, model::Fp8Products::kScaledAfter}) {
        RigSpec spec;
        spec.weights = WeightFormat::kFp8;
        spec.dtype = DType::kBF16;
        spec.microbatches = 3;
        spec.dropout = products == model::Fp8Products::kScaled ? 0.1 : 0;
        const Curve unpacked = train(spec);
        spec.fp8OnCpus = products;
        const Curve expected = train(spec);
        EXPECT_NE(expected, unpacked) << "the choice does not show";
        for (std::size_t step = 0; step < expected.losses.size(); ++step)
            EXPECT_NEAR(expected.losses[step], unpacked.losses[step], 0.02 * unpacked.losses[step]);
        expectSameEverywhere(spec, {1, 2, 3});
        for (const int32_t residentPercent : {40, 100})
            for (const Cut& cut : kCuts)
                for (const auto& saving :
                     {std::vector<geometry::Saving>{}, {geometry::Saving::kWithoutGateUp, geometry::Saving::kInput}}) {
                    spec.residentPercent = residentPercent;
                    spec.forwardStages = cut.forward;
                    spec.backwardStages = cut.backward;
                    spec.saving = saving;
                    EXPECT_EQ(train(spec), expected) << residentPercent << " % resident";
                }
        spec.residentPercent = 0;
        spec.saving = {};
        spec.numBlocks = 6;
        spec.forwardStages = {2, 2, 2};
        spec.backwardStages = {2, 2, 3};
        const Curve ofSix = train(spec);
        spec.forwardStages = {};
        spec.backwardStages = {8};
        EXPECT_EQ(train(spec), ofSix) << "in one area in turn";
    }
}

// A stage of more layers than stay assembled takes turns in one area.
TEST(BitwiseOthers, layersThatAreAssembledForEveryCallKeepTheirBits) {
    RigSpec spec;
    spec.weights = WeightFormat::kNf4;
    spec.numBlocks = 6;
    spec.microbatches = 3;
    spec.forwardStages = {2, 2, 2};
    spec.backwardStages = {2, 2, 3};
    const Curve expected = train(spec);
    spec.forwardStages = {};
    spec.backwardStages = {8};
    EXPECT_EQ(train(spec), expected);
    spec.forwardStages = {7};
    spec.backwardStages = {1, 6};
    for (const int32_t residentPercent : {0, 50, 100}) {
        spec.residentPercent = residentPercent;
        EXPECT_EQ(train(spec), expected) << residentPercent << " % resident";
    }
    spec.saving = {geometry::Saving::kInput, geometry::Saving::kWithoutGateUp};
    EXPECT_EQ(train(spec), expected) << "some forwards are repeated";
}

TEST(BitwiseOthers, normsTrainedBesideAPackedBaseKeepTheirBits) {
    RigSpec spec;
    spec.weights = WeightFormat::kNf4;
    spec.modulesToSave = {"norm", "input_layernorm"};
    expectSameEverywhere(spec, {1, 2, 3});
    const Curve trained = train(spec);
    spec.modulesToSave = {};
    EXPECT_NE(train(spec), trained) << "norms are not trained";
}

TEST(BitwiseOthers, momentsInBf16KeepTheirBits) {
    for (const bool trainsBase : {false, true}) {
        RigSpec spec;
        spec.trainsBase = trainsBase;
        spec.moments = Moments::kBf16;
        const Curve rounded = train(spec);
        EXPECT_EQ(rounded, train(spec));
        expectSameEverywhere(spec, {2, 3});
        spec.moments = Moments::kFp32;
        EXPECT_NE(rounded, train(spec)) << "the choice does not show";
    }
}

TEST(BitwiseOthers, trainedWeightsOfAnUntiedLlamaKeepTheirBits) {
    RigSpec spec;
    spec.trainsBase = true;
    spec.family = arch::Family::kLlama;
    spec.tied = false;
    spec.maxGradNorm = 0;
    expectSameEverywhere(spec, {2, 3});
}

RigSpec ofExperts(bool trainsBase, arch::Family family = arch::Family::kQwen3Moe) {
    RigSpec spec;
    spec.family = family;
    spec.targets = {"all-linear", "gate_proj", "up_proj", "down_proj"};
    spec.trainsBase = trainsBase;
    return spec;
}

TEST(BitwiseOthers, expertsKeepTheirBits) {
    for (const bool trainsBase : {false, true})
        for (const DType dtype : {DType::kF32, DType::kBF16}) {
            RigSpec spec = ofExperts(trainsBase);
            spec.dtype = dtype;
            spec.rounds = dtype == DType::kBF16 ? 2 : 1;
            spec.dropout = trainsBase ? 0 : 0.2;
            expectSameEverywhere(spec, {2, 3});
            const Curve streamed = train(spec);
            spec.residentPercent = 50;
            spec.numDevices = 2;
            EXPECT_EQ(train(spec), streamed);
        }
}

TEST(BitwiseOthers, sharedExpertsKeepTheirBits) {
    for (const bool trainsBase : {false, true}) {
        RigSpec spec = ofExperts(trainsBase, arch::Family::kQwen2Moe);
        spec.dropout = trainsBase ? 0 : 0.2;
        expectSameEverywhere(spec, {2, 3});
        const Curve streamed = train(spec);
        spec.residentPercent = 50;
        spec.numDevices = 2;
        spec.saving = {geometry::Saving::kWithoutGateUp, geometry::Saving::kInput};
        EXPECT_EQ(train(spec), streamed);
    }
    RigSpec packed = ofExperts(false, arch::Family::kQwen2Moe);
    for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8}) {
        packed.weights = weights;
        expectSameEverywhere(packed, {2});
    }
}

// Whole modules beside adapters: a shared table, tables of their own, norms of the first trained block and of all.
const std::vector<std::pair<bool, std::vector<std::string>>> kModulesToSave = {
    {true, {"embed_tokens", "lm_head", "norm"}},
    {true, {"embed_tokens"}},
    {false, {"embed_tokens", "lm_head"}},
    {false, {"lm_head"}},
    {false, {"norm"}},
    {true, {"model.layers.1.input_layernorm", "q_norm"}},
};

TEST(BitwiseOthers, wholeModulesKeepTheirBits) {
    for (const auto& [tied, modules] : kModulesToSave)
        for (const DType dtype : {DType::kF32, DType::kBF16}) {
            RigSpec spec;
            spec.tied = tied;
            spec.modulesToSave = modules;
            spec.dtype = dtype;
            spec.dropout = 0.1;
            spec.rounds = dtype == DType::kBF16 ? 2 : 1;
            expectSameEverywhere(spec, {2, 3});
        }
}

// The first trained layer is the last one, which makes a gradient of its input that nobody reads.
TEST(BitwiseOthers, anAdaptedHeadAndItsNormKeepTheirBits) {
    RigSpec spec;
    spec.tied = false;
    spec.targets = {"lm_head"};
    spec.modulesToSave = {"model.norm"};
    spec.backwardStages = {6};
    const Curve expected = train(spec);
    EXPECT_NE(expected.losses.front(), expected.losses.back());
    spec.numDevices = 2;
    spec.forwardStages = {5};
    spec.backwardStages = {1};
    EXPECT_EQ(train(spec), expected);
}

using geometry::Saving;

// Of blocks in turn: one choice for all, and such that stages have several.
const std::vector<std::vector<Saving>> kSavings = {
    {Saving::kWithoutGateUp},
    {Saving::kInput},
    {Saving::kInput, Saving::kAll, Saving::kWithoutGateUp},
    {Saving::kWithoutGateUp, Saving::kInput, Saving::kInput},
    {Saving::kAll, Saving::kInput},
};

// What is saved and what is computed again: it may not show.
void expectSameWhateverIsSaved(RigSpec spec, const std::vector<std::vector<Saving>>& savings = kSavings) {
    spec.saving = {};
    const Curve expected = train(spec);
    for (const std::vector<Saving>& saving : savings)
        for (const Cut& cut : kCuts) {
            spec.saving = saving;
            spec.forwardStages = cut.forward;
            spec.backwardStages = cut.backward;
            std::string name;
            for (const Saving one : saving)
                name += std::string(" ") + spellingOf(one);
            EXPECT_EQ(train(spec), expected)
                << spec.numDevices << " devices, " << cut.backward.size() << " backward stages," << name;
        }
}

TEST(BitwiseSaving, keepsTheBitsOfAdaptersAndOfWeights) {
    for (const bool trainsBase : {false, true})
        for (const DType dtype : {DType::kF32, DType::kBF16})
            for (const int numDevices : {1, 3}) {
                RigSpec spec;
                spec.trainsBase = trainsBase;
                spec.dtype = dtype;
                spec.numDevices = numDevices;
                spec.dropout = trainsBase ? 0 : 0.2;
                expectSameWhateverIsSaved(spec);
            }
}

TEST(BitwiseSaving, keepsTheBitsOfAnUntiedLlamaAndOfFewAdapters) {
    for (const bool trainsBase : {false, true}) {
        RigSpec llama;
        llama.family = arch::Family::kLlama;
        llama.tied = false;
        llama.trainsBase = trainsBase;
        expectSameWhateverIsSaved(llama);
    }
    for (const auto& targets : std::vector<std::vector<std::string>>{
             {"q_proj"}, {"up_proj"}, {"model.layers.2.self_attn.q_proj", "model.layers.3.mlp.down_proj", "lm_head"}}) {
        RigSpec spec;
        spec.tied = false;
        spec.targets = targets;
        spec.numDevices = 2;
        expectSameWhateverIsSaved(spec);
    }
}

TEST(BitwiseSaving, keepsTheBitsOfExperts) {
    for (const bool trainsBase : {false, true}) {
        RigSpec spec = ofExperts(trainsBase);
        spec.dropout = trainsBase ? 0 : 0.2;
        spec.numDevices = 2;
        expectSameWhateverIsSaved(spec);
        spec.targets = {"q_proj"};
        spec.dropout = 0;
        if (!trainsBase) expectSameWhateverIsSaved(spec);
    }
}

TEST(BitwiseSaving, keepsTheBitsInRoundsWithResidentsAndOneStepStale) {
    for (const bool trainsBase : {false, true})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
            for (const int32_t percent : {0, 50}) {
                RigSpec spec;
                spec.trainsBase = trainsBase;
                spec.updates = updates;
                spec.microbatches = 3;
                spec.rounds = 2;
                spec.stepSize = 5;
                spec.dropout = 0.1;
                spec.numDevices = 2;
                spec.residentPercent = percent;
                spec.prefetchDepth = percent == 0 ? 1 : 0;
                expectSameWhateverIsSaved(spec);
            }
}

TEST(BitwiseSaving, keepsTheBitsOfWholeModules) {
    for (const bool replicas : {false, true}) {
        RigSpec spec;
        spec.modulesToSave = {"embed_tokens", "norm"};
        spec.replicas = replicas;
        spec.numDevices = 2;
        spec.microbatches = 5;
        spec.dropout = 0.1;
        expectSameWhateverIsSaved(spec);
    }
}

TEST(BitwiseSaving, keepsTheBitsOfReplicas) {
    for (const bool trainsBase : {false, true}) {
        RigSpec spec;
        spec.trainsBase = trainsBase;
        spec.replicas = true;
        spec.numDevices = 3;
        spec.microbatches = 7;
        expectSameWhateverIsSaved(spec);
    }
}

// Sent to the host by forward stages, and taken from there by backward stages: one choice for all blocks, and another
// of each.
void expectSameInHostMemory(RigSpec spec) {
    const Curve expected = train(spec);
    for (const std::vector<Saving>& saving : {std::vector{Saving::kAll},
                                              {Saving::kWithoutGateUp},
                                              {Saving::kInput},
                                              {Saving::kWithoutGateUp, Saving::kInput, Saving::kAll}})
        for (const int32_t onHost : {1, 2, 6})
            for (const Cut& cut : kCuts) {
                spec.saving = saving;
                spec.onHost = onHost;
                spec.forwardStages = cut.forward;
                spec.backwardStages = cut.backward;
                EXPECT_EQ(train(spec), expected)
                    << spec.numDevices << " devices, " << cut.backward.size() << " backward stages, " << onHost
                    << " layers of each, " << spellingOf(saving.front()) << (saving.size() > 1 ? " and others" : "");
            }
}

TEST(BitwiseSaving, keepsTheBitsInHostMemory) {
    for (const bool trainsBase : {false, true})
        for (const DType dtype : {DType::kF32, DType::kBF16})
            for (const int numDevices : {1, 3}) {
                RigSpec spec;
                spec.trainsBase = trainsBase;
                spec.dtype = dtype;
                spec.numDevices = numDevices;
                spec.microbatches = 3;
                spec.dropout = trainsBase ? 0 : 0.2;
                expectSameInHostMemory(spec);
            }
}

TEST(BitwiseSaving, keepsTheBitsInHostMemoryInRoundsAndOneStepStale) {
    for (const bool trainsBase : {false, true})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
            RigSpec spec;
            spec.trainsBase = trainsBase;
            spec.updates = updates;
            spec.microbatches = 3;
            spec.rounds = 2;
            spec.stepSize = 5;
            spec.numDevices = 2;
            spec.prefetchDepth = 1;
            expectSameInHostMemory(spec);
        }
}

TEST(BitwiseSaving, keepsTheBitsInHostMemoryOfFewAdaptersAndOfReplicas) {
    RigSpec few;
    few.tied = false;
    few.targets = {"model.layers.1.self_attn.q_proj", "model.layers.3.mlp.down_proj", "lm_head"};
    few.numDevices = 2;
    expectSameInHostMemory(few);
    RigSpec replicas;
    replicas.replicas = true;
    replicas.numDevices = 3;
    replicas.microbatches = 7;
    expectSameInHostMemory(replicas);
}

TEST(BitwiseSaving, keepsTheBitsInHostMemoryWithDelaysInAnyStream) {
    using trace::LaneRole;
    for (const LaneRole victim : {LaneRole::kCompute, LaneRole::kWeightsUp, LaneRole::kActivationsUp,
                                  LaneRole::kActivationsDown, LaneRole::kGradientsDown}) {
        RigSpec spec;
        spec.numDevices = 2;
        spec.microbatches = 3;
        spec.onSpan = [victim](const trace::Record& span) {
            if (span.lane == trace::laneOf(trace::deviceOf(span.lane), victim))
                std::this_thread::sleep_for(std::chrono::microseconds(400));
        };
        expectSameInHostMemory(spec);
    }
}

TEST(BitwiseSaving, keepsTheBitsWithDelaysInAnyStream) {
    using trace::LaneRole;
    for (const LaneRole victim : {LaneRole::kCompute, LaneRole::kWeightsUp, LaneRole::kActivationsUp,
                                  LaneRole::kActivationsDown, LaneRole::kGradientsDown}) {
        RigSpec spec;
        spec.numDevices = 3;
        spec.microbatches = 3;
        spec.prefetchDepth = 1;
        spec.onSpan = [victim](const trace::Record& span) {
            if (span.lane == trace::laneOf(trace::deviceOf(span.lane), victim))
                std::this_thread::sleep_for(std::chrono::microseconds(400));
        };
        expectSameWhateverIsSaved(spec, {kSavings[2]});
    }
}

// Weights are there or come: it may not show.
void expectSameWhereverWeightsAre(RigSpec spec) {
    spec.microbatches = 3;
    const Curve expected = train(spec);
    for (const int numDevices : {1, 3})
        for (const int32_t percent : {0, 50, 100})
            for (const int32_t depth : {0, 1, 2, 3})
                for (const Cut& cut : kCuts) {
                    spec.numDevices = numDevices;
                    spec.residentPercent = percent;
                    spec.prefetchDepth = depth;
                    spec.tableRestarts = depth == 2;
                    spec.forwardStages = cut.forward;
                    spec.backwardStages = cut.backward;
                    EXPECT_EQ(train(spec), expected)
                        << numDevices << " devices, " << percent << " % resident, " << depth << " layers ahead";
                }
}

TEST(BitwiseOthers, residencyAndPrefetchKeepTheBits) {
    expectSameWhereverWeightsAre({});
}

TEST(BitwiseOthers, residencyAndPrefetchKeepTheBitsOfTrainedWeights) {
    RigSpec spec;
    spec.trainsBase = true;
    expectSameWhereverWeightsAre(spec);
}

TEST(BitwiseOthers, residencyAndPrefetchKeepTheBitsOfWholeModules) {
    RigSpec spec;
    spec.modulesToSave = {"embed_tokens", "norm"};
    expectSameWhereverWeightsAre(spec);
}

// Each has the whole model and its part of a step: what one device does with as many rounds as there are parts. The
// first loss is the pipeline's, whose gradients are added in another order.
TEST(BitwiseOthers, replicasAreRoundsSideBySide) {
    for (const int numDevices : {2, 3, 5})
        for (const int32_t microbatches : {1, 2, 3, 7, 10})
            for (const auto& [updates, trainsBase] : {std::pair{Updates::kSynchronous, false},
                                                      {Updates::kOneStepStale, false},
                                                      {Updates::kSynchronous, true}}) {
                RigSpec spec;
                spec.trainsBase = trainsBase;
                spec.dropout = 0.1;
                spec.updates = updates;
                spec.microbatches = microbatches;
                const Curve pipelined = train(spec);
                spec.replicas = true;
                spec.numDevices = numDevices;
                const Curve replicas = train(spec);

                RigSpec rounds = spec;
                rounds.replicas = false;
                rounds.numDevices = 1;
                rounds.microbatches = (microbatches + numDevices - 1) / numDevices;
                rounds.rounds = (microbatches + rounds.microbatches - 1) / rounds.microbatches;
                rounds.stepSize = microbatches;
                EXPECT_EQ(replicas, train(rounds)) << numDevices << " devices, " << microbatches << " microbatches";
                EXPECT_EQ(replicas.losses.front(), pipelined.losses.front());

                spec.residentPercent = 50;
                spec.forwardStages = {3};
                spec.backwardStages = {3, 2};
                spec.onSpan = [](const trace::Record& span) {
                    if (trace::deviceOf(span.lane).value == 0) // the others are ahead, by more than a step's gradients
                        std::this_thread::sleep_for(std::chrono::microseconds(200));
                };
                EXPECT_EQ(train(spec), replicas) << "in several stages, with delays";
            }
}

// Delays in every stream, different in each run: whoever forgot to wait reads what is not there yet.
void expectSameWithDelays(RigSpec spec) {
    spec.microbatches = 3;
    spec.rounds = 2;
    const Curve expected = train(spec);
    using trace::LaneRole;
    for (const LaneRole victim : {LaneRole::kCompute, LaneRole::kWeightsUp, LaneRole::kActivationsUp,
                                  LaneRole::kActivationsDown, LaneRole::kGradientsDown})
        for (const Cut& cut : kCuts) {
            spec.numDevices = 3;
            spec.forwardStages = cut.forward;
            spec.backwardStages = cut.backward;
            spec.prefetchDepth = 1; // weight slots change hands all the time
            spec.onSpan = [victim](const trace::Record& span) {
                if (span.lane == trace::laneOf(trace::deviceOf(span.lane), victim))
                    std::this_thread::sleep_for(std::chrono::microseconds(400));
            };
            EXPECT_EQ(train(spec), expected) << "delays on streams of role " << static_cast<int>(victim);
        }
}

TEST(BitwiseOthers, delaysInAnyStreamDoNotShow) {
    RigSpec spec;
    spec.dropout = 0.1;
    expectSameWithDelays(spec);
}

TEST(BitwiseOthers, delaysInAnyStreamDoNotShowInTrainedWeights) {
    RigSpec spec;
    spec.trainsBase = true;
    expectSameWithDelays(spec);
}

} // namespace
} // namespace roundpipe::testing
