// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/program_file.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

TEST(ProgramFile, liesBesideTheProgram) {
    EXPECT_EQ(programFile("tst_base"), programFolder() / "tst_base");
    EXPECT_EQ(programFile("no such file"), std::filesystem::path());
}

} // namespace
} // namespace roundpipe
