// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/local_hub.h"
#include "stand_in.h"

#include <gtest/gtest.h>

#include <thread>

namespace roundpipe::hub {
namespace {

template <class Result>
Result resultOf(session::Hub& hub) {
    for (int i = 0; i < 1000; ++i) {
        for (session::HubResult& result : hub.takeResults()) {
            EXPECT_TRUE(std::holds_alternative<Result>(result));
            if (std::holds_alternative<Result>(result)) return std::get<Result>(std::move(result));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "nothing came";
    return {};
}

TEST(LocalHub, answersOneQuestionAfterAnother) {
    const StandIn server;
    writeTinyModel(server);
    server.write("found.json", R"([{"id": "org/tiny"}])");
    const auto hub = makeLocalHub([&] { return server.settings(); });
    EXPECT_FALSE(hub->isBusy());
    EXPECT_TRUE(server.asked().empty()) << "nothing is asked by itself";
    EXPECT_EQ(hub->about().host, server.settings().host());

    hub->search(HubKind::kModel, "tiny");
    const auto hits = resultOf<session::HubHits>(*hub);
    ASSERT_EQ(hits.hits.size(), 1u);
    EXPECT_FALSE(hub->isBusy());
    hub->fetch(HubKind::kModel, hits.hits[0].repository);
    EXPECT_EQ(resultOf<session::HubFetched>(*hub).files.size(), 5u);
    hub->fetch(HubKind::kModel, "hf:org/none");
    EXPECT_NE(resultOf<session::HubFailed>(*hub).problem.find("org/none"), std::string::npos);
    hub->fetch(HubKind::kModel, "no name");
    EXPECT_EQ(resultOf<session::HubFailed>(*hub).problemKind, ErrorKind::kInvalidInput);
}

TEST(LocalHub, givesUpWhatIsNoLongerWanted) {
    const StandIn server;
    writeTinyModel(server);
    server.write("found.json", R"([{"id": "org/tiny"}])");
    server.order("bytes:/large/", "slow", 10, "0.05"); // 10 s each
    const auto hub = makeLocalHub([&] { return server.settings(); });
    hub->fetch(HubKind::kModel, "hf:org/tiny");
    while (hub->progress().bytesDone < 5000)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto begin = std::chrono::steady_clock::now();
    hub->search(HubKind::kModel, "tiny"); // another question
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
    EXPECT_EQ(resultOf<session::HubHits>(*hub).hits.size(), 1u) << "and no word of the fetch";
    hub->fetch(HubKind::kModel, "hf:org/tiny");
    hub->cancel();
    EXPECT_FALSE(hub->isBusy());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(hub->takeResults().empty());
    hub->fetch(HubKind::kModel, "hf:org/tiny"); // and goes with it
}

} // namespace
} // namespace roundpipe::hub
