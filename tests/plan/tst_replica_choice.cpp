// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/explanation.h"
#include "plan/search/replicas.h"

#include "choice_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace roundpipe::plan {
namespace {

// With room for all of it nothing has to travel or to be computed twice.
TEST(ReplicaChoice, takesReplicasWhereTheModelFitsEachGpuAndThatIsFaster) {
    ModelRequest roomy = request("2xh200");
    roomy.rounds = 1;
    const ModelChoice replicas = chooseForModel(roomy);
    EXPECT_EQ(replicas.choice.plan.replicas, 2);
    EXPECT_TRUE(replicas.choice.plan.backward.empty()) << "nothing is computed twice";
    EXPECT_TRUE(misfitOf(replicas.choice, roomy.rig).empty());
    validate(replicas.choice.plan, replicas.costs.firstTrainable);
    EXPECT_NE(explain(replicas, roomy.rig, {})[2].find("replica"), std::string::npos);

    roomy.replicas = Replicas::kNever;
    const ModelChoice staged = chooseForModel(roomy);
    EXPECT_EQ(staged.choice.plan.replicas, 1);
    EXPECT_GT(replicas.tokensPerSecond, staged.tokensPerSecond);

    ModelRequest byHand = roomy;
    byHand.replicas = Replicas::kAuto;
    byHand.given = staged.choice.plan;
    byHand.given->forward.clear();
    byHand.given->backward.clear();
    byHand.given->saving.clear(); // which may lie in host memory for them
    byHand.given->fused = {0, byHand.given->numLayers};
    EXPECT_EQ(chooseForModel(byHand).choice.plan.replicas, 2) << "one stage on two GPUs";
    byHand.given = staged.choice.plan;
    ASSERT_GT(byHand.given->numStages(), 1);
    EXPECT_EQ(chooseForModel(byHand).choice.plan.replicas, 1);
    byHand.replicas = Replicas::kAlways;
    EXPECT_EQ(chooseForModel(byHand).choice.plan.replicas, 2) << "these stages on each";
}

// Larger than a card: each streams all stages for its part, where links allow. A slow link carries everything so often
// that stages in turn win.
TEST(ReplicaChoice, weighsReplicasThatStreamAgainstStagesInTurn) {
    for (const char* rig : {"4x4090", "4x4090@pcie3x4"}) {
        ModelRequest streamed = request(rig);
        streamed.rounds = 1;
        streamed.training.maxLength = 4096;
        const double chosen = chooseForModel(streamed).tokensPerSecond;
        double best = 0;
        for (const Replicas choice : {Replicas::kNever, Replicas::kAlways}) {
            streamed.replicas = choice;
            best = std::max(best, chooseForModel(streamed).tokensPerSecond);
        }
        EXPECT_EQ(chosen, best) << rig;
    }
}

// Where the stages that are best alone leave no room for what a replica keeps of all microbatches of the step, others
// do.
TEST(ReplicaChoice, takesReplicasWhateverTheSizeOfMicrobatches) {
    for (const int64_t size : {4, 8, 16}) {
        ModelRequest full = request("8x4090,ram=1000");
        full.model = arch::makeModelSpec(arch::parseModelConfig(R"({
            "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 2048,
            "intermediate_size": 6144, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8,
            "head_dim": 128, "vocab_size": 151936, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6,
            "rope_theta": 1000000, "hidden_act": "silu", "torch_dtype": "bfloat16", "tie_word_embeddings": true})",
                                                                "config.json"));
        full.training.trainsBase = true;
        full.training.sequences = size;
        full.sequencesPerStep = 512;
        full.rounds = 1;
        EXPECT_EQ(chooseForModel(full).choice.plan.replicas, 8) << size;
    }
}

// As a run that goes on asks for what it had.
TEST(ReplicaChoice, findsAPlanWhereASingleDeviceIsToBeAReplica) {
    ModelRequest alone = request("4090");
    const double rate = chooseForModel(alone).tokensPerSecond;
    alone.replicas = Replicas::kAlways;
    EXPECT_EQ(chooseForModel(alone).tokensPerSecond, rate);
    EXPECT_TRUE(fitsSurely(alone));
}

// They were planned for a device that is alone, whose copies nobody else's hold up: up to 12 % were lost.
TEST(ReplicaChoice, plansReplicasForWhatTheyShare) {
    ModelRequest asked = request("8x4090,ram=512,root=4");
    asked.training.trainsBase = true;
    asked.training.sequences = 2;
    asked.sequencesPerStep = 64;
    asked.rounds = 1;
    asked.replicas = Replicas::kAlways;
    const ModelChoice chosen = chooseForModel(asked);
    Rig apart = asked.rig; // as if each had its own
    apart.roots.clear();
    for (Link& link : apart.links)
        link.root = -1;
    apart.host.memoryBytesPerSecond *= apart.numDevices();
    const EvaluatedPlan alone = chooseReplicas(apart, chosen.costs, chosen.choice.shape, {});
    const EvaluatedPlan together = evaluatePlan(alone.plan, asked.rig, chosen.costs, chosen.choice.shape);
    EXPECT_LT(chosen.choice.step.stepSeconds, 0.97 * together.step.stepSeconds);
}

TEST(ReplicaChoice, saysWhyReplicasDoNotFit) {
    ModelRequest tight = request("2x4090");
    tight.rounds = 1;
    tight.training.sequences = 16;
    tight.training.maxLength = 8192;
    tight.replicas = Replicas::kAlways;
    try {
        chooseForModel(tight);
        ADD_FAILURE() << "a microbatch is too large for any card";
    } catch (const DoesNotFit& error) {
        EXPECT_TRUE(error.misfit().isOfDevices());
    }
}

} // namespace
} // namespace roundpipe::plan
