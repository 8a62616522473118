// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/search.h"
#include "stand_in.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

namespace roundpipe::hub {
namespace {

using testing::expectError;

TEST(HubSearch, readsWhatIsFound) {
    const StandIn hub;
    hub.write("found.json", R"([
        {"id": "Qwen/Qwen3-8B", "downloads": 12, "likes": 3, "gated": false, "lastModified": "2025-04-27T03:42:21.000Z",
         "tags": ["x", "license:apache-2.0"], "safetensors": {"total": 8190735360}, "config": {"model_type": "qwen3"}},
        {"id": "org/gated", "gated": "manual", "tags": null, "safetensors": null, "config": {}},
        {"id": "../../etc", "downloads": 1}, {"downloads": 2}, 7])");
    const auto hits = search(hub.settings(), HubKind::kModel, "qwen 3&x", 10);
    ASSERT_EQ(hits.size(), 2u) << "what cannot be fetched is not shown";
    EXPECT_EQ(hits[0].repository, "Qwen/Qwen3-8B");
    EXPECT_EQ(hits[0].modelType, "qwen3");
    EXPECT_EQ(hits[0].licence, "apache-2.0");
    EXPECT_EQ(hits[0].changed, "2025-04-27");
    EXPECT_EQ(hits[0].numParameters, 8190735360);
    EXPECT_EQ(hits[0].numDownloads, 12);
    EXPECT_EQ(hits[0].numLikes, 3);
    EXPECT_FALSE(hits[0].isGated);
    EXPECT_TRUE(hits[1].isGated);
    const std::string asked = hub.asked().at(0).path;
    EXPECT_TRUE(asked.starts_with("/api/models?search=qwen%203%26x&sort=downloads&limit=10")) << asked;
    EXPECT_NE(asked.find("filter=safetensors"), std::string::npos);
}

TEST(HubSearch, saysWhyItFindsNothing) {
    StandIn hub;
    hub.write("found.json", R"({"error": "x"})");
    expectError(ErrorKind::kInvalidInput, {"does not answer as the Hub does"},
                [&] { search(hub.settings(), HubKind::kDataset, "x", 5); });
    expectError(ErrorKind::kInvalidInput, {"a word"}, [&] { search(hub.settings(), HubKind::kDataset, "", 5); });
    hub.settings().offline = true;
    hub.settings().offlineFrom = "HF_HUB_OFFLINE";
    expectError(ErrorKind::kInvalidInput, {"HF_HUB_OFFLINE"},
                [&] { search(hub.settings(), HubKind::kDataset, "x", 5); });
}

} // namespace
} // namespace roundpipe::hub
