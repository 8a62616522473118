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

TEST(SpecRemark, allOfThemAreFound) {
    EXPECT_EQ(remarksOn(specOf(Method::kFull, 2e-4), 512, 513).size(), 2U);
    EXPECT_TRUE(remarksOn(RunSpec(), 512, 512).empty());
}

} // namespace
} // namespace roundpipe::session
