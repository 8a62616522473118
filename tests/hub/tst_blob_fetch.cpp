// SPDX-License-Identifier: GPL-3.0-or-later
// What may go wrong between the Hub and a file's end, each fault on its own.
#include "base/file.h"
#include "hub/fetch.h"
#include "stand_in.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

constexpr std::size_t kWeightBytes = 200'000; // of writeTinyModel()
constexpr const char* kWeights = "model.safetensors";

class Faulty : public ::testing::Test {
protected:
    StandIn hub;
    const HubName name = parseHubName("hf:org/tiny", HubKind::kModel);
    Faulty() { writeTinyModel(hub); }

    session::HubFetched fetched() const { return fetch(hub.settings(), name); }
    void expectWhole(const session::HubFetched& got) const {
        EXPECT_EQ(readTextFile(fs::path(got.folder) / kWeights), bytesOfLength(kWeightBytes));
    }
    // Questions for the weights on the other host, by the range they asked for.
    std::vector<std::string> rangesOfWeights() const {
        std::vector<std::string> ranges;
        for (const StandIn::Asked& one : hub.asked())
            if (one.port == hub.otherPort()) ranges.push_back(one.range);
        return ranges;
    }
};
using HubBlobFetch = Faulty;
using Ranges = std::vector<std::string>;

TEST_F(HubBlobFetch, goesOnWhereAConnectionWasCut) {
    hub.order("bytes:/large/", "cut", 3, "50000");
    expectWhole(fetched());
    EXPECT_EQ(rangesOfWeights(), (Ranges{"", "bytes=50000-", "bytes=100000-", "bytes=150000-"}));
}

TEST_F(HubBlobFetch, goesOnInAnotherProcessToo) {
    hub.settings().numTries = 1;
    hub.order("bytes:/large/", "cut", 1, "70000");
    expectError(ErrorKind::kIo, {"127.0.0.1", "cut", "kept"}, [&] { fetched(); });
    hub.settings().numTries = 4;
    const session::HubFetched got = fetched();
    expectWhole(got);
    EXPECT_EQ(rangesOfWeights().back(), "bytes=70000-");
    EXPECT_LT(got.bytesFetched, 140'000);
}

TEST_F(HubBlobFetch, startsAgainWhereNoRangesAreGiven) {
    hub.order("bytes:/large/", "cut", 1, "50000");
    hub.order("bytes:/large/", "no-range");
    expectWhole(fetched());
    EXPECT_EQ(rangesOfWeights(), (Ranges{"", "bytes=50000-"}));
}

TEST_F(HubBlobFetch, startsAgainWhereARangeIsRefusedOrAnother) {
    for (const char* const fault : {"unsatisfiable", "shifted"}) {
        const StandIn other;
        writeTinyModel(other);
        other.order("bytes:/large/", "cut", 1, "50000");
        other.order("bytes:/large/", fault);
        if (std::string(fault) == "shifted")
            expectError(ErrorKind::kIo, {"another part"}, [&] { fetch(other.settings(), name); });
        expectWhole(fetch(other.settings(), name));
    }
}

TEST_F(HubBlobFetch, asksAgainForWhatIsWrongAndTakesItNeverTwice) {
    hub.order("bytes:/large/", "wrong");
    expectWhole(fetched());

    writeTinyModel(hub, "org/other");
    hub.order("bytes:/large/models/org/other/", "wrong", 2);
    const HubName other = parseHubName("org/other", HubKind::kModel);
    HubSettings settings = hub.settings();
    settings.cache = hub.cache().parent_path() / "other";
    expectError(ErrorKind::kIo, {kWeights, "checksum", "Nothing of it was kept"}, [&] { fetch(settings, other); });
    for (const auto& entry : fs::directory_iterator(settings.cache / "models--org--other/blobs")) {
        const bool isWeights = entry.path().stem().string().size() == 64; // its SHA-256; others are called by git's
        EXPECT_TRUE(!isWeights || entry.file_size() == 0) << entry.path();
    }
}

TEST_F(HubBlobFetch, checksSmallFilesToo) {
    hub.order("bytes:/org/tiny/resolve/", "wrong", 100);
    expectError(ErrorKind::kIo, {"checksum"}, [&] { fetched(); });
}

TEST_F(HubBlobFetch, waitsAndAsksAgainAfterErrorsOfTheServer) {
    hub.order("/api/", "status", 2, "500");
    hub.order("/large/", "status", 1, "503");
    hub.order("/large/", "hang-up");
    hub.order("/resolve/", "status", 1, "502");
    expectWhole(fetched());
}

TEST_F(HubBlobFetch, waitsAsLongAsItIsAskedTo) {
    hub.order("/api/", "status", 1, "429,Retry-After=1");
    const auto begin = std::chrono::steady_clock::now();
    double told = 0;
    expectWhole(fetch(hub.settings(), name, {},
                      [&](const session::HubProgress& now) { told = std::max(told, now.retryInSeconds); }));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(told, 1);
}

TEST_F(HubBlobFetch, givesUpInWordsAfterEnoughTries) {
    hub.order("/api/", "status", 100, "429");
    expectError(ErrorKind::kIo, {"429", "Wait a few minutes"}, [&] { fetched(); });
    EXPECT_EQ(hub.asked().size(), 4u) << "numTries";
}

TEST_F(HubBlobFetch, doesNotWaitForHours) {
    hub.order("/api/", "status", 1, "429,Retry-After=7200");
    const auto begin = std::chrono::steady_clock::now();
    expectError(ErrorKind::kIo, {"429"}, [&] { fetched(); });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(HubBlobFetch, takesSilenceForACut) {
    hub.settings().silence = std::chrono::seconds(1);
    hub.order("/large/", "silence", 1, "8");
    const auto begin = std::chrono::steady_clock::now();
    expectWhole(fetched());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(7));
}

TEST_F(HubBlobFetch, doesNotSayTheTokenToOthers) {
    hub.settings().token = Token("good", "HF_TOKEN");
    expectWhole(fetched());
    int numOthers = 0;
    for (const StandIn::Asked& one : hub.asked()) {
        const bool isOther = one.port == hub.otherPort();
        numOthers += isOther;
        EXPECT_EQ(one.authorization, isOther ? "" : "Bearer good") << one.path;
    }
    EXPECT_EQ(numOthers, 1);
}

// A proxy of the environment, as it would see everything that is not encrypted.
TEST_F(HubBlobFetch, asksThisMachineWithoutAProxy) {
    hub.settings().token = Token("good", "HF_TOKEN");
    ::setenv("http_proxy", "http://127.0.0.1:1", 1); // where nobody is
    const session::HubFetched got = fetched();
    ::unsetenv("http_proxy");
    expectWhole(got);
}

TEST_F(HubBlobFetch, followsNoOddRedirections) {
    hub.order("/resolve/", "redirect", 1, "file:///etc/passwd");
    expectError(ErrorKind::kInvalidInput, {"leads to an address that is not followed"}, [&] { fetched(); });
    hub.order("/api/", "redirect", 100, "/api/models/org/tiny");
    expectError(ErrorKind::kInvalidInput, {"without an end"}, [&] { fetched(); });
}

TEST_F(HubBlobFetch, isStoppedAtOnceAndKeepsWhatCame) {
    hub.order("bytes:/large/", "slow", 1, "0.02"); // 4 s in all
    std::stop_source stop;
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point stopped;
    expectError(ErrorKind::kCancelled, {}, [&] {
        fetch(hub.settings(), name, stop.get_token(), [&](const session::HubProgress& now) {
            if (now.bytesDone < 20'000 || stop.stop_requested()) return;
            stopped = std::chrono::steady_clock::now();
            stop.request_stop();
        });
    });
    EXPECT_LT(std::chrono::steady_clock::now() - stopped, std::chrono::milliseconds(1500));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
    expectWhole(fetched());
    EXPECT_NE(rangesOfWeights().back(), "") << "it went on";
}

TEST_F(HubBlobFetch, isStoppedWhileItWaits) {
    hub.order("/api/", "status", 1, "503,Retry-After=60");
    std::stop_source stop;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    expectError(ErrorKind::kCancelled, {}, [&] { fetch(hub.settings(), name, stop.get_token()); });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(HubBlobFetch, saysThatTheDiskIsFull) {
    const session::HubFetched got = fetched();
    const fs::path blob = fs::canonical(fs::path(got.folder) / kWeights);
    fs::remove(blob);
    fs::create_symlink("/dev/full", blob.string() + ".incomplete");
    expectError(ErrorKind::kNoSpace, {"incomplete"}, [&] { fetched(); });
}

TEST_F(HubBlobFetch, sharesTheWorkWithWhoFetchesTheSame) {
    hub.order("bytes:/large/", "slow", 1, "0.002");
    session::HubFetched first, second;
    {
        const std::jthread a([&] { first = fetched(); });
        const std::jthread b([&] { second = fetched(); });
    }
    expectWhole(first);
    expectWhole(second);
    EXPECT_EQ(rangesOfWeights(), (Ranges{""})) << "the weights came once";
}

} // namespace
} // namespace roundpipe::hub
