// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec_remark.h"

#include <gtest/gtest.h>

namespace roundpipe::session {
namespace {

RunSpec specOf(Method method, double rate) {
    RunSpec spec;
    spec.method = method;
    spec.optimizer.learningRate = rate;
    return spec;
}

LengthsSource lengthsOf(int64_t all) {
    LengthsSource lengths;
    lengths.averageLength = static_cast<double>(all);
    lengths.longest = all;
    return lengths;
}

TEST(SpecRemark, aRateOfAdaptersIsRemarkedOnWhereAllWeightsAreTrained) {
    const auto remark = remarkOnLearningRate(specOf(Method::kFull, RunSpec().optimizer.learningRate));
    ASSERT_TRUE(remark);
    EXPECT_EQ(remark->field, "optimizer.learning_rate");
    EXPECT_NE(remark->text.text().find("0.0002"), std::string::npos) << remark->text.text();
    EXPECT_EQ(remark->text.arguments.back(), "0.00002");
    RunSpec better = specOf(Method::kFull, 1);
    fieldByKey(remark->field).set(better, remark->better);
    EXPECT_FALSE(remarkOnLearningRate(better));
    EXPECT_FALSE(remarkOnLearningRate(specOf(Method::kFull, 5e-5)));
    EXPECT_TRUE(remarkOnLearningRate(specOf(Method::kFull, 6e-5)));
}

TEST(SpecRemark, aRateOfWeightsIsRemarkedOnWhereAnAdapterIsTrained) {
    EXPECT_FALSE(remarkOnLearningRate(RunSpec()));
    const auto remark = remarkOnLearningRate(specOf(Method::kLora, 1e-5));
    ASSERT_TRUE(remark);
    RunSpec better = specOf(Method::kLora, 1);
    fieldByKey(remark->field).set(better, remark->better);
    EXPECT_FALSE(remarkOnLearningRate(better));
    EXPECT_FALSE(remarkOnLearningRate(specOf(Method::kLora, 0)));
}

TEST(SpecRemark, aRateOfAdaptersIsRemarkedOnWhereATableIsTrainedWhole) {
    RunSpec spec = specOf(Method::kLora, 2e-4);
    spec.lora.modulesToSave = {"norm", "input_layernorm"};
    EXPECT_FALSE(remarkOnLearningRate(spec));
    spec.lora.modulesToSave.emplace_back("embed_tokens");
    const auto remark = remarkOnLearningRate(spec);
    ASSERT_TRUE(remark);
    EXPECT_EQ(remark->text.arguments, (std::vector<std::string>{"0.0002", "0.00005"}));
    fieldByKey(remark->field).set(spec, remark->better);
    EXPECT_FALSE(remarkOnLearningRate(spec));
    spec.optimizer.learningRate = 1e-4;
    EXPECT_FALSE(remarkOnLearningRate(spec));
}

TEST(SpecRemark, examplesBeyondTheModelsPositionsAreRemarkedOn) {
    const auto remark = remarkOnPositions(512, 1399);
    ASSERT_TRUE(remark);
    EXPECT_EQ(remark->field, "data.max_length");
    EXPECT_EQ(remark->better, FieldValue(int64_t{512}));
    EXPECT_EQ(remark->text.text(), "The longest example has 1399 tokens, the model 512 positions: it has never learned "
                                   "what stands beyond them, and learns it badly. Set data.max_length to 512.");
    EXPECT_FALSE(remarkOnPositions(512, 512));
    EXPECT_FALSE(remarkOnPositions(0, 1399)); // not known
    EXPECT_FALSE(remarkOnPositions(512, 0));
}

// 50,000 tokens of examples of 40,960 were said to be 1.2 examples a step, as if there were such steps.
TEST(SpecRemark, stepsThatHoldNoWholeExamplesAreRemarkedOn) {
    RunSpec spec;
    spec.batch.tokensPerStep = 50'000;
    const auto remark = remarkOnStep(spec, lengthsOf(40'960));
    ASSERT_TRUE(remark);
    EXPECT_EQ(remark->text.text(),
              "A step holds whole examples, of 40960 tokens each: 50000 tokens are what steps have "
              "on average, some more and some less. Set batch.tokens_per_step to 81920.");
    const std::vector<SpecRemark> all = remarksOn(spec, 0, lengthsOf(40'960));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front(), *remark);
    EXPECT_FALSE(remarkOnStep(spec, lengthsOf(12'500))) << "four of them";
    EXPECT_FALSE(remarkOnStep(spec, {})) << "not known";
    LengthsSource mixed = lengthsOf(40'960);
    mixed.averageLength = 10'000;
    EXPECT_FALSE(remarkOnStep(spec, mixed)) << "no number of tokens is of whole examples";
    EXPECT_FALSE(remarkOnStep(RunSpec(), lengthsOf(40'960))) << "a step in examples";
    fieldByKey(remark->field).set(spec, remark->better);
    EXPECT_FALSE(remarkOnStep(spec, lengthsOf(40'960)));
}

// Each says which setting and why, and its better value leaves nothing to say; what has an effect is not named.
TEST(SpecRemark, settingsOfDataWithoutEffectAreNamed) {
    struct Case {
        void (*set)(RunSpec&);
        void (*use)(RunSpec&); // gives it its effect
        const char *field, *because;
    };
    const Case cases[] = {
        {[](RunSpec& s) { s.data.overlap = 16; }, [](RunSpec& s) { s.data.overLength = OverLength::kSplit; },
         "data.overlap", "because longer rows are not split: data.over_length is 'truncate'"},
        {[](RunSpec& s) { s.data.datasets[0].subset = Subset::kFirst; },
         [](RunSpec& s) { s.data.datasets[0].maxRows = 5; }, "data.subset", "because all rows are taken"},
        {[](RunSpec& s) { s.data.datasets[0].systemPromptUse = SystemPromptUse::kOverride; },
         [](RunSpec& s) { s.data.datasets[0].systemPrompt = "Be brief."; }, "data.system_prompt_use",
         "data.system_prompt is empty"},
        {[](RunSpec& s) {
             s.data.datasets[0].turnBegin = s.data.datasets[0].turnEnd = "x";
             s.data.datasets[0].trainOn = TrainOn::kAll;
         },
         [](RunSpec& s) { s.data.datasets[0].trainOn = TrainOn::kLastAssistant; }, "data.train_on",
         "because everything is trained"},
        {[](RunSpec& s) { s.data.validationFile = "v.jsonl", s.data.validationFraction = 0.1; },
         [](RunSpec& s) { s.data.validationFile.clear(); }, "data.validation_fraction",
         "because data.validation_file has the rows"},
        {[](RunSpec& s) { s.data.validationFraction = 0, s.data.maxValidationRows = 7; },
         [](RunSpec& s) { s.data.validationFraction = 0.1; }, "data.max_validation_rows",
         "because no rows are split off"},
        {[](RunSpec& s) { s.data.datasets[0].share = ShareKind::kWeight, s.data.datasets[0].shareAmount = 2; },
         [](RunSpec& s) { s.data.datasets.push_back(s.data.datasets[0]); }, "data.share_amount",
         "because no other dataset has a weight"}};
    EXPECT_TRUE(remarksOnIdleData(RunSpec()).empty());
    for (const Case& one : cases) {
        RunSpec spec;
        one.set(spec);
        RunSpec used = spec;
        const auto remarks = remarksOnIdleData(spec);
        ASSERT_EQ(remarks.size(), 1U) << one.field;
        EXPECT_EQ(remarks[0].field, one.field);
        const std::string said = remarks[0].text.text();
        EXPECT_NE(said.find("no effect because"), std::string::npos) << said;
        EXPECT_NE(said.find(one.because), std::string::npos) << said;
        EXPECT_EQ(remarksOn(spec, 0, {}).size(), 1U);
        fieldByKey(remarks[0].field).set(spec, remarks[0].better, remarks[0].dataset);
        EXPECT_TRUE(remarksOnIdleData(spec).empty()) << said;
        one.use(used);
        EXPECT_TRUE(remarksOnIdleData(used).empty()) << one.field;
    }
    RunSpec second; // of several datasets it is said whose it is
    second.data.datasets.resize(2);
    second.data.datasets[1].subset = Subset::kFirst;
    EXPECT_EQ(remarksOnIdleData(second).at(0).dataset, 1U);
}

TEST(SpecRemark, settingsOfAdaptersAreNamedWhereAllWeightsAreTrained) {
    RunSpec spec = specOf(Method::kFull, 1e-5);
    EXPECT_TRUE(remarksOn(spec, 0, {}).empty());
    spec.lora.rank = 8;
    spec.lora.rsLora = true;
    spec.lora.targets = {"q_proj"};
    spec.lora.modulesToSave = {"lm_head"};
    const auto remarks = remarksOn(spec, 0, {});
    ASSERT_EQ(remarks.size(), 4U);
    EXPECT_EQ(remarks[0].text.text(), "lora.rank has no effect because no adapter is trained, but all weights: method "
                                      "is 'full'. Set method to 'lora', or lora.rank to '16'.");
    const std::string ofOneThatGoesOn = remarksOn(spec, 0, {}, true).at(0).text.text(); // its method is not to be set
    EXPECT_NE(ofOneThatGoesOn.find("begun with method 'full'"), std::string::npos) << ofOneThatGoesOn;
    EXPECT_EQ(ofOneThatGoesOn.find("Set method"), std::string::npos) << ofOneThatGoesOn;
    for (const SpecRemark& remark : remarks)
        fieldByKey(remark.field).set(spec, remark.better);
    EXPECT_TRUE(remarksOn(spec, 0, {}).empty());
    RunSpec adapter = specOf(Method::kLora, 2e-4);
    adapter.lora.rank = 8;
    EXPECT_TRUE(remarksOn(adapter, 0, {}).empty());
}

TEST(SpecRemark, roundsAreRemarkedOnWhereAStepIsSaidInTokens) {
    RunSpec spec;
    spec.batch.rounds = 3;
    EXPECT_TRUE(remarksOn(spec, 0, {}).empty());
    spec.batch.tokensPerStep = 16'384;
    const auto remarks = remarksOn(spec, 0, {});
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks[0].field, "batch.rounds");
    fieldByKey(remarks[0].field).set(spec, remarks[0].better);
    EXPECT_TRUE(remarksOn(spec, 0, {}).empty());
}

TEST(SpecRemark, allOfThemAreFound) {
    EXPECT_EQ(remarksOn(specOf(Method::kFull, 2e-4), 512, lengthsOf(513)).size(), 2U);
    EXPECT_TRUE(remarksOn(RunSpec(), 512, lengthsOf(512)).empty());
}

} // namespace
} // namespace roundpipe::session
