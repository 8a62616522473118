// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "hub/fetch.h"
#include "stand_in.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

class Fetching : public ::testing::Test {
protected:
    StandIn hub;
    session::HubFetched model(const std::string& name = "hf:org/tiny") const {
        return fetch(hub.settings(), parseHubName(name, HubKind::kModel));
    }
    session::HubFetched rows(const std::string& name = "hf:org/rows") const {
        return fetch(hub.settings(), parseHubName(name, HubKind::kDataset));
    }
};
using HubFetch = Fetching;

TEST_F(HubFetch, putsAModelIntoTheSharedCache) {
    writeTinyModel(hub);
    const session::HubFetched got = model();
    const std::string commit = fs::path(got.folder).filename();
    EXPECT_EQ(got.folder, (hub.cache() / "models--org--tiny/snapshots" / commit).string());
    EXPECT_EQ(got.name, "hf:org/tiny@" + commit);
    EXPECT_EQ(readTextFile(hub.cache() / "models--org--tiny/refs/main"), commit);
    EXPECT_EQ(readTextFile(fs::path(got.folder) / "model.safetensors"), bytesOfLength(200'000));
    EXPECT_EQ(got.bytes, got.bytesFetched);
    for (const char* const refused : {"pytorch_model.bin", "modeling_tiny.py", "original"})
        EXPECT_FALSE(fs::exists(fs::path(got.folder) / refused)) << refused;
    for (const auto& entry : fs::recursive_directory_iterator(hub.cache() / "models--org--tiny"))
        EXPECT_NE(entry.path().extension(), ".incomplete") << entry.path();
}

TEST_F(HubFetch, fetchesNothingTwice) {
    writeTinyModel(hub);
    const session::HubFetched first = model();
    const auto numAsked = hub.asked().size();
    EXPECT_EQ(model().bytesFetched, 0);
    for (const StandIn::Asked& one : hub.asked())
        EXPECT_TRUE(one.path.starts_with("/api/") || numAsked > 0);
    const auto before = hub.asked().size();
    EXPECT_EQ(model(first.name).folder, first.folder);
    EXPECT_EQ(hub.asked().size(), before) << "of a whole commit the Hub is not asked";
}

TEST_F(HubFetch, fetchesOnlyWhatChanged) {
    writeTinyModel(hub);
    const session::HubFetched first = model();
    hub.write("models/org/tiny/config.json", R"({"model_type": "qwen3"})");
    const session::HubFetched second = model();
    EXPECT_NE(second.folder, first.folder);
    EXPECT_LT(second.bytesFetched, 1000);
    EXPECT_EQ(readTextFile(fs::path(second.folder) / "config.json"), R"({"model_type": "qwen3"})");
    EXPECT_EQ(readTextFile(fs::path(first.folder) / "config.json"), R"({"model_type": "llama"})") << "stays as it was";
}

TEST_F(HubFetch, bringsTheFilesOfASplit) {
    writeTinyDataset(hub);
    const session::HubFetched train = rows();
    EXPECT_TRUE(train.name.ends_with(":train")) << train.name;
    ASSERT_EQ(train.files.size(), 2u);
    EXPECT_EQ(readTextFile(train.files[0]), bytesOfLength(3'000));
    EXPECT_EQ(readTextFile(train.files[1]), bytesOfLength(4'000));
    EXPECT_EQ(train.otherSplits, std::vector<std::string>{"test"});
    EXPECT_FALSE(fs::exists(fs::path(train.folder) / "data/test-00000-of-00001.parquet")) << "not asked for";
    ASSERT_EQ(rows("hf:org/rows:test").files.size(), 1u);
    expectError(ErrorKind::kInvalidInput, {"no split 'dev'", "test, train"}, [&] { rows("hf:org/rows:dev"); });
}

TEST_F(HubFetch, bringsTheFileWhosePageWasCopied) {
    writeTinyDataset(hub);
    const session::HubFetched one =
        rows("https://huggingface.co/datasets/org/rows/blob/main/data/test-00000-of-00001.parquet");
    ASSERT_EQ(one.files.size(), 1u);
    EXPECT_TRUE(one.files[0].ends_with("data/test-00000-of-00001.parquet")) << one.files[0];
    EXPECT_TRUE(one.name.ends_with("#data/test-00000-of-00001.parquet")) << one.name;
    EXPECT_EQ(rows(one.name).files, one.files);
    EXPECT_FALSE(fs::exists(fs::path(one.folder) / "data/train-00000-of-00002.parquet")) << "not asked for";
    expectError(ErrorKind::kInvalidInput, {"has no file 'data/none.parquet'", "/tree/"},
                [&] { rows("hf:org/rows#data/none.parquet"); });
}

TEST_F(HubFetch, readsTheCardForSubsets) {
    hub.write("datasets/org/rows/one.jsonl", "1\n");
    hub.write("datasets/org/rows/two.jsonl", "2\n");
    hub.write("datasets/org/rows/README.md", "---\nconfigs:\n- config_name: a\n  data_files: one.jsonl\n"
                                             "- config_name: b\n  data_files: two.jsonl\n---\n");
    EXPECT_EQ(readTextFile(rows("hf:org/rows/b").files.at(0)), "2\n");
    expectError(ErrorKind::kInvalidInput, {"a, b"}, [&] { rows(); });
}

TEST_F(HubFetch, offlineUsesTheCacheAndSaysWhatItLacks) {
    writeTinyModel(hub);
    writeTinyDataset(hub);
    const session::HubFetched got = model();
    rows();
    const auto numAsked = hub.asked().size();
    hub.settings().offline = true;
    hub.settings().offlineFrom = "HF_HUB_OFFLINE";
    EXPECT_EQ(model().folder, got.folder);
    EXPECT_EQ(model(got.name).folder, got.folder);
    EXPECT_EQ(rows().files.size(), 2u);
    expectError(ErrorKind::kInvalidInput, {"data/test-00000-of-00001.parquet", "HF_HUB_OFFLINE"},
                [&] { rows("hf:org/rows:test"); });
    expectError(ErrorKind::kInvalidInput, {"hf:org/unknown", "is not in the cache"}, [&] { model("hf:org/unknown"); });
    fs::remove(fs::canonical(fs::path(got.folder) / "model.safetensors"));
    expectError(ErrorKind::kInvalidInput, {"1 of its files is missing (model.safetensors)"}, [&] { model(); });
    EXPECT_EQ(hub.asked().size(), numAsked);
}

TEST_F(HubFetch, offlineTakesWhatOtherToolsFetched) {
    const std::string commit(40, 'c');
    const fs::path repository = hub.cache() / "models--org--theirs";
    fs::create_directories(repository / "snapshots" / commit);
    fs::create_directories(repository / "refs");
    writeFileAtomically(repository / "refs/main", commit);
    for (const char* const file : {"config.json", "model.safetensors", "tokenizer.json"})
        writeFileAtomically(repository / "snapshots" / commit / file, "{}");
    hub.settings().offline = true;
    EXPECT_EQ(model("hf:org/theirs").files.size(), 3u);
}

TEST_F(HubFetch, explainsGatesAndPrivateRepositories) {
    writeTinyModel(hub, "org/gated");
    hub.write("models/org/gated/.hub.json", R"({"gated": "manual"})");
    writeTinyModel(hub, "org/private");
    hub.write("models/org/private/.hub.json", R"({"private": true})");
    const std::string page = hub.settings().endpoint + "/org/gated";
    expectError(ErrorKind::kInvalidInput, {"gated", page}, [&] { model("hf:org/gated"); });
    expectError(ErrorKind::kInvalidInput, {"has no model 'org/private'"}, [&] { model("hf:org/private"); });
    hub.settings().token = Token("stranger", "HF_TOKEN");
    expectError(ErrorKind::kInvalidInput, {"gated", page, "(token)"}, [&] { model("hf:org/gated"); });
    hub.settings().token = Token("revoked", "HF_TOKEN");
    expectError(ErrorKind::kInvalidInput, {"does not know the token"}, [&] { model("hf:org/private"); });
    hub.settings().token = Token("good", "HF_TOKEN");
    EXPECT_EQ(model("hf:org/gated").files.size(), 5u);
    EXPECT_EQ(model("hf:org/private").files.size(), 5u);
}

TEST_F(HubFetch, saysWhatIsNotThere) {
    writeTinyModel(hub);
    expectError(ErrorKind::kInvalidInput, {"has no model 'org/none'"}, [&] { model("hf:org/none"); });
    expectError(ErrorKind::kInvalidInput, {"no revision 'v9'"}, [&] { model("hf:org/tiny@v9"); });
    EXPECT_EQ(model("hf:org/tiny@refs/pr/1").files.size(), 5u);
    HubSettings nowhere = hub.settings();
    nowhere.endpoint = "http://127.0.0.1:9";
    nowhere.numTries = 2;
    expectError(ErrorKind::kIo, {"127.0.0.1", "takes no connection"},
                [&] { fetch(nowhere, parseHubName("org/tiny", HubKind::kModel)); });
}

TEST_F(HubFetch, needsRoomBeforeAnythingIsFetched) {
    writeTinyModel(hub);
    hub.write("models/org/tiny/.hub.json",
              R"({"entries": [{"type": "file", "path": "model-2.safetensors", "size": 1, "oid": ")" +
                  std::string(40, 'e') + R"(", "lfs": {"oid": ")" + std::string(64, 'e') +
                  R"(", "size": 1000000000000000}}]})");
    expectError(ErrorKind::kNoSpace, {"'org/tiny'", "909 TiB", "HF_HUB_CACHE"}, [&] { model(); });
    for (const StandIn::Asked& one : hub.asked())
        EXPECT_TRUE(one.path.starts_with("/api/")) << one.path;
}

TEST_F(HubFetch, takesNothingOfAPoisonedList) {
    const std::string git(40, 'e');
    for (const std::string& entry :
         {R"({"type": "file", "path": "../../../x.json", "size": 1, "oid": ")" + git + "\"}",
          R"({"type": "file", "path": "/etc/x.json", "size": 1, "oid": ")" + git + "\"}",
          R"({"type": "file", "path": "a\u0000.json", "size": 1, "oid": ")" + git + "\"}",
          R"({"type": "file", "path": "x.json", "size": -1, "oid": ")" + git + "\"}",
          std::string(R"({"type": "file", "path": "x.json", "size": 1, "oid": "../../x"})"),
          R"({"type": "file", "path": "x.json", "size": 1, "oid": ")" + git + R"(", "lfs": {"oid": "x/y", "size": 1}})",
          R"({"type": "file", "path": ["x"], "size": 1, "oid": ")" + git + "\"}", std::string("[]"),
          std::string("7")}) {
        writeTinyModel(hub);
        hub.write("models/org/tiny/.hub.json", R"({"entries": [)" + entry + "]}");
        expectError(ErrorKind::kInvalidInput, {"HF_ENDPOINT"}, [&] { model(); });
    }
    hub.write("models/org/tiny/.hub.json", R"({"sha": "../../../elsewhere"})");
    expectError(ErrorKind::kInvalidInput, {"does not answer as the Hub does"}, [&] { model(); });
    hub.order("/api/", "body", 1, "<html>Log in</html>");
    expectError(ErrorKind::kInvalidInput, {"log-in page"}, [&] { model(); });
    EXPECT_FALSE(fs::exists(hub.cache())) << "nothing was written";
}

TEST_F(HubFetch, tellsHowFarItIs) {
    writeTinyModel(hub);
    hub.order("bytes:/large/", "slow", 1, "0.01"); // 2 s in all
    session::HubProgress last;
    bool saidWhen = false;
    fetch(hub.settings(), parseHubName("org/tiny", HubKind::kModel), {}, [&](const session::HubProgress& now) {
        EXPECT_GE(now.bytesDone, last.bytesDone);
        EXPECT_LE(now.bytesDone, now.bytes);
        saidWhen = saidWhen || (now.secondsLeft && *now.secondsLeft < 10 && now.bytesPerSecond > 10'000);
        last = now;
    });
    EXPECT_TRUE(saidWhen);
    EXPECT_EQ(last.numFiles, 5);
    EXPECT_GE(last.numFilesDone, 4);
    EXPECT_EQ(last.repository, "org/tiny");
}

} // namespace
} // namespace roundpipe::hub
