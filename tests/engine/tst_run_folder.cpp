#include "engine/run_folder.h"

#include <gtest/gtest.h>

namespace roundpipe::engine {
namespace {

TEST(Metrics, lineHasStableKeys) {
    session::StepMetrics metrics;
    metrics.step = 3;
    metrics.loss = 2;
    metrics.tokens = 100;
    metrics.seconds = 0.5;
    EXPECT_EQ(toJsonLine(metrics), "{\"step\":3,\"loss\":2.0,\"validation_loss\":null,\"lr\":0.0,\"grad_norm\":0.0,"
                                   "\"tokens\":100,\"trained_tokens\":0,\"seconds\":0.5}\n");
    metrics.validationLoss = 1.5;
    EXPECT_NE(toJsonLine(metrics).find("\"validation_loss\":1.5"), std::string::npos);
}

} // namespace
} // namespace roundpipe::engine
