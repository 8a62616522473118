// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "hub/store/cached_repositories.h"
#include "hub/store/file_lock.h"
#include "hub/store/partial_blob.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace roundpipe::hub {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

const std::string kCommit(40, 'a');

// `content` as git knows it.
HubFile fileOf(const std::string& path, const std::string& content) {
    Digest digest(DigestKind::kGitBlob, static_cast<int64_t>(content.size()));
    digest.add(content);
    return {.path = path, .sizeBytes = static_cast<int64_t>(content.size()), .gitName = digest.hex()};
}

class Cached : public ::testing::Test {
protected:
    testing::TemporaryFolder home;
    RepositoryCache cache{home.path(), HubKind::kDataset, "org/rows"};
    void store(const HubFile& file, const std::string& content) const {
        cache.prepare(kCommit, {});
        PartialBlob partial(cache, file, {});
        partial.append(content);
        EXPECT_TRUE(partial.finish());
        cache.link(kCommit, file);
    }
};
using HubRepositoryCache = Cached;

TEST_F(HubRepositoryCache, isLaidOutAsHuggingFacesToolsExpectIt) {
    const HubFile file = fileOf("data/a.jsonl", "rows\n");
    store(file, "rows\n");
    const fs::path link = home.path() / "datasets--org--rows/snapshots" / kCommit / "data/a.jsonl";
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(fs::read_symlink(link), "../../../blobs/" + file.gitName);
    EXPECT_EQ(readTextFile(link), "rows\n");
    EXPECT_TRUE(cache.has(kCommit, file));
    EXPECT_EQ(cache.lockOf(file), home.path() / ".locks/datasets--org--rows" / (file.gitName + ".lock"));
    EXPECT_TRUE(readTextFile(home.path() / "CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55"));

    cache.keepCommit("refs/pr/1", kCommit, {});
    EXPECT_EQ(readTextFile(home.path() / "datasets--org--rows/refs/refs/pr/1"), kCommit);
    EXPECT_EQ(cache.commitOf("refs/pr/1"), kCommit);
    EXPECT_EQ(cache.commitOf(kCommit), kCommit);
    EXPECT_EQ(cache.commitOf("main"), std::nullopt);
    store(file, "rows\n"); // again: over the old link
    EXPECT_EQ(readTextFile(link), "rows\n");
}

TEST_F(HubRepositoryCache, keepsTheListOfACommitsFiles) {
    const Listing listing{
        .commit = kCommit,
        .files = {{"a.json", 5, std::string(40, '1'), "", ""},
                  {"b.parquet", 7, std::string(40, '2'), std::string(64, '3'), std::string(64, '4')}}};
    cache.prepare(kCommit, {});
    EXPECT_FALSE(cache.listing(kCommit).has_value());
    cache.keepListing(listing, {});
    const auto kept = cache.listing(kCommit);
    ASSERT_TRUE(kept && kept->files.size() == 2);
    EXPECT_EQ(kept->find("b.parquet")->sha256, std::string(64, '3'));
    EXPECT_EQ(kept->find("b.parquet")->xetHash, std::string(64, '4'));
    EXPECT_EQ(kept->find("a.json")->blobName(), std::string(40, '1'));
    EXPECT_EQ(kept->find("a.json")->sizeBytes, 5);

    const fs::path tree = cache.folder() / "trees" / (kCommit + ".json");
    writeFileAtomically(tree, R"({"format_version": 2, "files": {}})");
    EXPECT_FALSE(cache.listing(kCommit).has_value()) << "of another format";
    writeFileAtomically(tree, "{");
    EXPECT_FALSE(cache.listing(kCommit).has_value());
    writeFileAtomically(
        tree,
        R"({"format_version": 1, "files": {"../x": {"size": 1, "blob_id": "1111111111111111111111111111111111111111"}}})");
    expectError(ErrorKind::kInvalidInput, {"out of its folder"}, [&] { cache.listing(kCommit); });
}

TEST_F(HubRepositoryCache, goesOnWithWhatCameBefore) {
    const HubFile file = fileOf("a", "one, two");
    cache.prepare(kCommit, {});
    {
        PartialBlob partial(cache, file, {});
        partial.append("one,");
        EXPECT_FALSE(partial.isWhole());
    }
    EXPECT_EQ(cache.bytesThere(file), 4);
    EXPECT_FALSE(fs::exists(cache.blob(file)));
    PartialBlob partial(cache, file, {});
    EXPECT_EQ(partial.sizeBytes(), 4);
    partial.append(" two");
    EXPECT_TRUE(partial.finish());
    EXPECT_EQ(readTextFile(cache.blob(file)), "one, two");
    EXPECT_FALSE(fs::exists(cache.incomplete(file)));
}

TEST_F(HubRepositoryCache, takesNothingThatIsNotTheFile) {
    const HubFile file = fileOf("a", "right");
    cache.prepare(kCommit, {});
    {
        PartialBlob partial(cache, file, {});
        partial.append("wrong");
        EXPECT_FALSE(partial.finish());
        EXPECT_EQ(partial.sizeBytes(), 0);
        expectError(ErrorKind::kInvalidInput, {"'a'", "5 bytes"}, [&] { partial.append("longer"); });
    }
    EXPECT_FALSE(fs::exists(cache.blob(file)));
    writeFileAtomically(cache.incomplete(file), "longer than it is");
    EXPECT_EQ(PartialBlob(cache, file, {}).sizeBytes(), 0);
}

TEST_F(HubRepositoryCache, saysThatTheDiskIsFull) {
    const HubFile file = fileOf("a", std::string(100'000, 'x'));
    cache.prepare(kCommit, {});
    fs::create_symlink("/dev/full", cache.incomplete(file)); // a disk on which nothing has room
    PartialBlob partial(cache, file, {});
    expectError(ErrorKind::kNoSpace, {}, [&] { partial.append(std::string(100'000, 'x')); });
}

TEST_F(HubRepositoryCache, isListed) {
    EXPECT_TRUE(cachedRepositories(home.path() / "none").empty());
    store(fileOf("a", "12345"), "12345");
    PartialBlob(cache, fileOf("b", "1234"), {}).append("12");
    fs::create_directories(home.path() / "models--alone/snapshots/c1");
    fs::create_directories(home.path() / "spaces--x--y");
    const auto found = cachedRepositories(home.path());
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].repository, "alone");
    EXPECT_EQ(found[1].repository, "org/rows");
    EXPECT_EQ(found[1].kind, HubKind::kDataset);
    EXPECT_EQ(found[1].commits, std::vector<std::string>{kCommit});
    EXPECT_EQ(found[1].bytes, 5);
    EXPECT_EQ(found[1].incompleteBytes, 2);
}

TEST(HubFileLock, letsInOneAtATimeAndIsGivenUp) {
    const testing::TemporaryFolder home;
    const fs::path path = home.path() / "locks/x.lock";
    std::atomic<int> inside = 0, most = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                const FileLock lock(path, {});
                most = std::max<int>(most, ++inside);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                --inside;
            });
    }
    EXPECT_EQ(most, 1);
    const FileLock held(path, {});
    std::stop_source stop;
    stop.request_stop();
    expectError(ErrorKind::kCancelled, {}, [&] { const FileLock second(path, stop.get_token()); });
}

} // namespace
} // namespace roundpipe::hub
