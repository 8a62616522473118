// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/whole_number.h"

#include "runs/answers_file.h"
#include "runs/exports_file.h"
#include "runs/metrics_file.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <gtest/gtest.h>

namespace roundpipe::runs {
namespace {

TEST(WholeNumber, isTakenOrRefused) {
    const auto json = nlohmann::json::parse(R"({"a":-7,"b":9000000000,"c":3.0,"d":1.8e62,"e":"4","f":true})");
    EXPECT_EQ(wholeNumberAt(json, "a"), -7);
    EXPECT_EQ(wholeNumberAt(json, "b"), 9'000'000'000);
    EXPECT_EQ(wholeNumberAt(json, "none", 5), 5);
    for (const char* key : {"c", "d", "e", "f", "none"})
        EXPECT_THROW(wholeNumberAt(json, key), nlohmann::json::exception) << key;
    EXPECT_THROW(wholeNumberAt(json, "d", 5), nlohmann::json::exception);
}

// A number beyond all integers is refused by file and line; what it was read as was undefined.
TEST(WholeNumber, isAskedForWhereFilesOfARunAreRead) {
    const testing::TemporaryFolder home;
    const std::filesystem::path file = home.path() / "lines.jsonl";
    const auto refuses = [&](const std::string& line, const std::function<void()>& read) {
        std::ofstream(file) << line << "\n";
        testing::expectError(ErrorKind::kInvalidInput, {"lines.jsonl", "line 1"}, read);
    };
    refuses(R"({"when":177777777777777777777777777778,"kind":"merged","type":"","folder":"x","bytes":1,)"
            R"("weights_file":"","sha256":"","proof":null})",
            [&] { readExports(file); });
    refuses(R"({"step":1e30,"tuned":true,"prompt":"p","text":"t"})", [&] { readAnswers(file); });
    refuses(R"({"step":1,"loss":1,"validation_loss":null,"lr":1,"grad_norm":1,"tokens":1e30,"trained_tokens":1,)"
            R"("seconds":1})",
            [&] { readMetrics(file); });
}

} // namespace
} // namespace roundpipe::runs
