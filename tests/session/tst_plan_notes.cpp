// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/plan_notes.h"

#include "plan/rig/rig_notation.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace roundpipe::session {
namespace {

class PlanNotes : public ::testing::Test {
protected:
    // Of a small model, with so many experts in each block.
    PlanQuestion questionOf(int experts, const char* ofExperts = "Qwen3MoeForCausalLM") const {
        std::ofstream(m_folder.path() / "config.json")
            << R"({"architectures":[")" << (experts > 0 ? ofExperts : "Qwen3ForCausalLM")
            << R"("],"hidden_size":256,"intermediate_size":512,"moe_intermediate_size":128,"num_hidden_layers":4,)"
            << R"("num_attention_heads":4,"num_key_value_heads":2,"head_dim":64,"vocab_size":1000,)"
            << R"("max_position_embeddings":2048,"num_experts":)" << experts
            << R"(,"num_experts_per_tok":2,"norm_topk_prob":true,"decoder_sparse_step":1,"mlp_only_layers":[],)"
            << R"("tie_word_embeddings":true,"torch_dtype":"bfloat16"})";
        PlanQuestion question;
        question.spec.model.path = m_folder.path().string();
        question.spec.data.maxLength = 256;
        question.usesMeasured = false;
        return question;
    }
    static std::string notes(const PlanQuestion& question, const PlanAnswer& found) {
        std::string all;
        for (const std::string& note : notesOn(question, found))
            all += note + "\n";
        return all;
    }
    static std::string notes(const PlanQuestion& question, const char* rig) {
        return notes(question, answer(question, plan::parseRig(rig)));
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(PlanNotes, sayThatTheEngineCannotTrainAllWeightsOfStackedExperts) {
    const auto isRefused = [this](PlanQuestion question, Method method) {
        question.spec.method = method;
        return notes(question, "1xh200").find("can be planned, but not be trained yet") != std::string::npos;
    };
    EXPECT_TRUE(isRefused(questionOf(4, "GptOssForCausalLM"), Method::kFull));
    EXPECT_FALSE(isRefused(questionOf(4, "GptOssForCausalLM"), Method::kLora));
    EXPECT_FALSE(isRefused(questionOf(4), Method::kFull));
    EXPECT_EQ(notes(questionOf(0), "1xh200"), "");
}

TEST_F(PlanNotes, sayThatOfAModelWithPicturesTheTextPartIsTrained) {
    PlanQuestion question = questionOf(0);
    EXPECT_EQ(notes(question, "1xh200").find("text part"), std::string::npos);
    std::ofstream(m_folder.path() / "config.json")
        << R"({"architectures":["Gemma3ForConditionalGeneration"],"text_config":{"hidden_size":256,)"
        << R"("intermediate_size":512,"num_hidden_layers":4,"vocab_size":1000},"torch_dtype":"bfloat16"})";
    EXPECT_NE(notes(question, "1xh200").find("the text part alone is trained"), std::string::npos);
}

TEST_F(PlanNotes, giveABandWhereRatesAreAssumed) {
    const PlanQuestion question = questionOf(0);
    plan::Rig rig = plan::parseRig("2x4090");
    const PlanAnswer found = answer(question, rig);
    const auto band = rateBand(found);
    ASSERT_TRUE(band);
    EXPECT_LT(band->least, found.tokensPerSecond);
    EXPECT_GT(band->most, found.tokensPerSecond);
    EXPECT_NE(notes(question, found).find("Expect "), std::string::npos);
    PlanAnswer tooLarge = found; // what is on show then runs nowhere
    tooLarge.problem.obstacle = plan::Misfit::Obstacle::kSmallestPlan;
    EXPECT_EQ(notes(question, tooLarge).find("Expect "), std::string::npos);

    for (plan::DeviceSpec& device : rig.devices) // as somebody has measured them
        device.matrixFlops *= 1.01;
    EXPECT_FALSE(rateBand(answer(question, rig)));
    EXPECT_FALSE(rateBand(answer(question, plan::parseRig("2xh200"))));

    const PlanAnswer sparse = answer(questionOf(4), plan::parseRig("1x4090"));
    ASSERT_TRUE(rateBand(sparse));
    EXPECT_LT(rateBand(sparse)->least / sparse.tokensPerSecond, band->least / found.tokensPerSecond);
    EXPECT_NE(notes(questionOf(4), sparse).find("mixtures of experts took 0.9 to 1.4 times as long"),
              std::string::npos);
}

// What the comment on the band says of published runs over predicted ones, dense models first.
std::vector<double> saidOfPublished() {
    std::ifstream file(testing::sourceFolder() / "core/session/planning/plan_notes.cpp");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::regex pattern(
        R"((\d\.\d+), (\d\.\d+) and (\d\.\d+) of dense models, (\d\.\d+) and (\d\.\d+) of mixtures)");
    std::smatch found;
    std::vector<double> said;
    if (std::regex_search(text, found, pattern))
        for (std::size_t i = 1; i < found.size(); ++i)
            said.push_back(std::stod(found.str(i)));
    return said;
}

// Of the method's Python library on one RTX 4090, with as much host memory as they take.
TEST_F(PlanNotes, giveABandThatHoldsWhatWasPublished) {
    RP_REQUIRE_FIXTURES();
    struct Published {
        const char* model;
        Method method;
        double tokensPerSecond;
    };
    const std::vector<double> said = saidOfPublished();
    ASSERT_EQ(said.size(), 5U) << "the comment on the band is worded otherwise than this test reads it";
    std::size_t numAsked = 0;
    for (const Published& run : {Published{"Qwen3-1.7B", Method::kFull, 8'881},
                                 {"Llama-3.1-8B", Method::kFull, 3'142},
                                 {"Qwen3-32B", Method::kFull, 740},
                                 {"gpt-oss-20b", Method::kFull, 3'022},
                                 {"Qwen3-235B-A22B", Method::kLora, 480}}) {
        PlanQuestion question;
        question.spec.model.path = (testing::fixtures() / "configs" / (std::string(run.model) + ".json")).string();
        question.spec.method = run.method;
        question.spec.optimizer.updates = Updates::kOneStepStale;
        question.spec.data.maxLength = 2048;
        question.spec.batch.microbatches = 16;
        question.spec.batch.microbatchSize = 4;
        question.usesMeasured = false;
        const PlanAnswer found = answer(question, plan::parseRig("1x4090,ram=1024"));
        const auto band = rateBand(found);
        ASSERT_TRUE(band) << run.model;
        EXPECT_NEAR(run.tokensPerSecond / found.tokensPerSecond, said[numAsked++], 0.015)
            << run.model << ": the comment is of other rates";
        EXPECT_LE(band->least, run.tokensPerSecond) << run.model;
        EXPECT_GE(band->most, run.tokensPerSecond) << run.model;
    }
}

TEST_F(PlanNotes, sayWhyAPublishedSpeedLiesBelowTheBand) {
    const PlanQuestion question = questionOf(4);
    PlanAnswer found = answer(question, plan::parseRig("8x4090"));
    found.model.numParameters = 235'093'634'560;
    found.training.trainsBase = false;
    const auto isSaid = [&](double tokensPerSecond) {
        found.tokensPerSecond = tokensPerSecond;
        return notes(question, found).find("1820 tokens/s are published") != std::string::npos;
    };
    EXPECT_TRUE(isSaid(5'610));
    EXPECT_FALSE(isSaid(2'500)); // the band holds it
    found.rig = plan::parseRig("4x4090");
    EXPECT_FALSE(isSaid(5'610));
}

TEST_F(PlanNotes, tellWherePublishedLengthsAreOthers) {
    const PlanQuestion question = questionOf(0);
    PlanAnswer found = answer(question, plan::parseRig("8x4090"));
    found.model.numParameters = 8'030'000'000;
    found.training.trainsBase = true;
    const auto note = [&](int64_t length, bool fits) {
        found.training.maxLength = length;
        found.problem.obstacle = fits ? plan::Misfit{}.obstacle : plan::Misfit::Obstacle::kSmallestPlan;
        return notes(question, found).find("50176 tokens are published") != std::string::npos;
    };
    EXPECT_FALSE(note(50'176, true));
    EXPECT_FALSE(note(50'177, false));
    EXPECT_TRUE(note(50'177, true));
    found.training.sequences = 1;
    EXPECT_TRUE(note(50'176, false));
    EXPECT_NE(notes(question, found).find("here 50176 do not fit. Ours"), std::string::npos);
    found.training.sequences = 2;
    EXPECT_TRUE(note(50'176, false));
    EXPECT_NE(notes(question, found).find("do not fit with 2 a microbatch. Ours"), std::string::npos);
    found.training.trainsBase = false; // was not tried
    EXPECT_FALSE(note(50'176, false));
}

} // namespace
} // namespace roundpipe::session
