// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up set-ups: libraries are found under whatever Python they were fetched for, and opened by their whole path.
#include "base/set_up_libraries.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

namespace roundpipe {
namespace {

namespace fs = std::filesystem;

class SetUpLibraries : public ::testing::Test {
protected:
    void SetUp() override { ::setenv("ROUNDPIPE_CACHE", m_folder.path().c_str(), 1); }
    void TearDown() override { ::unsetenv("ROUNDPIPE_CACHE"); }
    fs::path site() const { return m_folder.path() / "python" / "lib" / "python3.13" / "site-packages"; }

private:
    testing::TemporaryFolder m_folder;
};

TEST_F(SetUpLibraries, thereAreNoneWhereNothingWasSetUp) {
    EXPECT_EQ(setUpLibraries(), fs::path());
    fs::create_directories(site().parent_path()); // an environment that was cut short
    EXPECT_EQ(setUpLibraries(), fs::path());
    fs::create_directories(site());
    EXPECT_EQ(setUpLibraries(), site());
}

TEST_F(SetUpLibraries, oneIsOpenedByItsWholePathAndWhatIsNoneIsPassedOver) {
    const fs::path folder = site() / "wheel" / "lib";
    openSetUpLibrary("wheel/lib", "libz.so"); // no such folder
    fs::create_directories(folder);
    std::ofstream(folder / "libtext.so") << "no library";
    openSetUpLibrary("wheel/lib", "libtext.so");
    EXPECT_EQ(::dlopen((folder / "libtext.so").c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
    // A real one: this system's, as the wheel's.
    void* const own = ::dlopen("libz.so.1", RTLD_NOW);
    Dl_info info{};
    ASSERT_NE(own, nullptr);
    ASSERT_NE(::dladdr(::dlsym(own, "zlibVersion"), &info), 0);
    fs::copy_file(fs::canonical(info.dli_fname), folder / "libz.so.1.2");
    EXPECT_EQ(::dlopen((folder / "libz.so.1.2").c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
    openSetUpLibrary("wheel/lib", "libz.so.");
    EXPECT_NE(::dlopen((folder / "libz.so.1.2").c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
}

} // namespace
} // namespace roundpipe
