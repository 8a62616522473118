// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/dtype.h"
#include "base/units.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

TEST(Units, bytesCarryThreeDigits) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(1023), "1023 B");
    EXPECT_EQ(formatBytes(1536), "1.50 KiB");
    EXPECT_EQ(formatBytes(24 * kGiB), "24.0 GiB");
    EXPECT_EQ(formatBytes(999 * kMiB), "999 MiB");
}

TEST(Units, countsUseThousands) {
    EXPECT_EQ(formatCount(950), "950");
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(0.834), "0.83") << "tokens a second of a large model on a CPU worker";
    EXPECT_EQ(formatCount(0.999), "1");
    EXPECT_EQ(formatCount(24600), "24.6 k");
    EXPECT_EQ(formatCount(1.72e9), "1.72 B");
}

TEST(Units, durationsReadAsPeopleSayThem) {
    EXPECT_EQ(formatDuration(0), "0 s");
    EXPECT_EQ(formatDuration(2e-5), "0.02 ms");
    EXPECT_EQ(formatDuration(0.0069), "6.9 ms");
    EXPECT_EQ(formatDuration(0.0994), "99 ms");
    EXPECT_EQ(formatDuration(0.0996), "0.10 s");
    EXPECT_EQ(formatDuration(0.35), "0.35 s");
    EXPECT_EQ(formatDuration(0.996), "1.0 s");
    EXPECT_EQ(formatDuration(4), "4.0 s");
    EXPECT_EQ(formatDuration(9.96), "10 s");
    EXPECT_EQ(formatDuration(42), "42 s");
    EXPECT_EQ(formatDuration(200), "3 min 20 s");
    EXPECT_EQ(formatDuration(5 * 3600 + 120), "5 h 02 min");
    EXPECT_EQ(formatDuration(-1), "unknown");
}

TEST(DType, namesOfAllSpellingsAgree) {
    for (const auto dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16, DType::kI64, DType::kU8})
        EXPECT_EQ(dtypeFromSafetensors(toString(dtype)), dtype);
    EXPECT_EQ(dtypeFromTorchName("torch.bfloat16"), DType::kBF16);
    EXPECT_EQ(dtypeFromTorchName("fp32"), DType::kF32);
    EXPECT_EQ(dtypeFromTorchName("float8"), std::nullopt);
}

} // namespace
} // namespace roundpipe
