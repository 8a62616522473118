// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/token_cache.h"

#include "byte_tokenizer.h"
#include "data/store/dataset.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

std::string rowsText(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += R"({"messages":[{"role":"user","content":"question )" + std::to_string(i) +
                R"("},{"role":"assistant","content":"answer"}]})" + "\n";
    return text;
}

class CachedDataset : public ::testing::Test {
protected:
    CachedDataset() {
        fs::create_directories(m_model);
        m_options.modelFolder = m_model;
        m_options.cacheFolder = m_folder.path() / "cache" / "data";
        m_options.maxLength = 200;
        m_options.validationFraction = 0.1;
        m_options.files = {write("rows.jsonl", rowsText(50) + "not JSON\n")};
    }
    fs::path write(const std::string& name, const std::string& content) {
        std::ofstream(m_folder.path() / name, std::ios::binary) << content;
        return m_folder.path() / name;
    }
    // Whether the rows had to be encoded.
    bool isEncoded(const char* chatTemplate = kChatMl) {
        const Dataset dataset = Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(chatTemplate));
        m_last = dataset.stats().summary();
        EXPECT_TRUE(dataset.stats().numEncoded == 0 || dataset.stats().numEncoded == dataset.stats().numRows);
        return dataset.stats().numEncoded > 0;
    }
    std::vector<fs::path> stores() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(m_options.cacheFolder))
            if (entry.path().extension() == ".tokens") found.push_back(entry.path());
        return found;
    }

    testing::TemporaryFolder m_folder;
    fs::path m_model = m_folder.path() / "model";
    text::Tokenizer m_tokenizer = (fs::create_directories(m_model), makeByteTokenizer(m_model));
    DataOptions m_options;
    std::string m_last;
};

bool same(const ExampleSet& a, const ExampleSet& b) {
    if (a.size() != b.size()) return false;
    for (int64_t i = 0; i < a.size(); ++i)
        if (a[i].id != b[i].id || a[i].ids != b[i].ids || a[i].trained != b[i].trained) return false;
    return true;
}

TEST_F(CachedDataset, isTheSameAsTheOneThatWasEncoded) {
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    const Dataset first = Dataset::load(m_options, m_tokenizer, chatTemplate);
    const Dataset second = Dataset::load(m_options, m_tokenizer, chatTemplate);
    ASSERT_EQ(stores().size(), 1u);
    EXPECT_EQ(first.training().size(), 45);
    EXPECT_TRUE(same(first.training(), second.training()));
    EXPECT_TRUE(same(first.validation(), second.validation()));
    EXPECT_EQ(first.stats().summary(), second.stats().summary());
    ASSERT_EQ(second.dropped().size(), 1u);
    EXPECT_EQ(first.dropped()[0].text, second.dropped()[0].text);
    EXPECT_NE(second.dropped()[0].text.find("rows.jsonl', line 51"), std::string::npos);

    DataOptions without = m_options;
    without.cacheFolder.clear();
    EXPECT_TRUE(same(first.training(), Dataset::load(without, m_tokenizer, chatTemplate).training()));
}

TEST_F(CachedDataset, isMadeAnewForWhateverDecidesItsTokens) {
    EXPECT_TRUE(isEncoded());
    EXPECT_FALSE(isEncoded());
    const DataOptions before = m_options;
    const auto changes = {
        +[](DataOptions& options) { options.trainOn = TrainOn::kLastAssistant; },
        +[](DataOptions& options) { options.templateArguments = R"({"a": 1})"; },
        +[](DataOptions& options) {
            options.turnMarkers = {"assistant\n", "<|im_end|>"};
        },
        +[](DataOptions& options) { options.files.push_back(options.files[0]); },
        +[](DataOptions& options) { options.validationFiles = {options.files[0]}; },
    };
    for (const auto& change : changes) {
        m_options = before;
        change(m_options);
        EXPECT_TRUE(isEncoded());
        EXPECT_FALSE(isEncoded());
    }
    m_options = before;
    EXPECT_TRUE(isEncoded((std::string(kChatMl) + "x").c_str()));
    std::ofstream(m_model / "tokenizer_config.json", std::ios::app) << " ";
    EXPECT_TRUE(isEncoded());
    write("rows.jsonl", rowsText(49));
    EXPECT_TRUE(isEncoded());
    EXPECT_EQ(m_last, "49 of 49 rows are usable");
}

TEST_F(CachedDataset, isFoundWhateverTheLengthTheSplitTheNameAndTheDay) {
    EXPECT_TRUE(isEncoded());
    m_options.maxLength = 100;
    m_options.overLength = OverLength::kDrop;
    m_options.seed = 7;
    m_options.validationFraction = 0.5;
    m_options.now.day = 30;
    fs::rename(m_options.files[0], m_folder.path() / "other.jsonl");
    m_options.files = {m_folder.path() / "other.jsonl"};
    EXPECT_FALSE(isEncoded());
    const std::string withDate = std::string(kChatMl) + "{{ strftime_now('%d') }}";
    EXPECT_TRUE(isEncoded(withDate.c_str()));
    m_options.now.day = 31;
    EXPECT_TRUE(isEncoded(withDate.c_str()));
}

TEST_F(CachedDataset, isMadeAnewWhenItsFileIsDamaged) {
    EXPECT_TRUE(isEncoded());
    const fs::path store = stores().at(0);
    fs::resize_file(store, fs::file_size(store) - 1);
    EXPECT_TRUE(isEncoded());
    std::fstream(store, std::ios::in | std::ios::out | std::ios::binary).seekp(100).put('\x7f');
    EXPECT_TRUE(isEncoded());
    EXPECT_FALSE(isEncoded());
}

TEST_F(CachedDataset, isForItsUserAlone) {
    isEncoded();
    struct stat status {};
    ASSERT_EQ(::stat(m_options.cacheFolder.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(CachedDataset, aFolderThatCannotBeMadeKeepsNobodyFromTraining) {
    m_options.cacheFolder = write("a file", "") / "data";
    EXPECT_TRUE(isEncoded());
    EXPECT_EQ(m_last, "50 of 51 rows are usable; dropped: 1 bad row");
}

TEST_F(CachedDataset, runsAtTheSameTimeDoNotDisturbEachOther) {
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    DataOptions without = m_options;
    without.cacheFolder.clear();
    const Dataset expected = Dataset::load(without, m_tokenizer, chatTemplate);
    std::vector<std::jthread> runs;
    std::atomic<int> numSame = 0;
    for (int i = 0; i < 6; ++i)
        runs.emplace_back([&] {
            for (int again = 0; again < 5; ++again)
                numSame += same(Dataset::load(m_options, m_tokenizer, chatTemplate).training(), expected.training());
        });
    runs.clear();
    EXPECT_EQ(numSame, 30);
    EXPECT_EQ(stores().size(), 1u);
    for (const auto& entry : fs::directory_iterator(m_options.cacheFolder))
        EXPECT_EQ(entry.path().string().find(".part."), std::string::npos);
}

TEST_F(CachedDataset, canBeCancelledWhileFilesAreCompared) {
    expectError(ErrorKind::kCancelled, {"cancelled"}, [&] {
        Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl),
                      [](const LoadProgress&) { return false; });
    });
    EXPECT_TRUE(stores().empty());
}

class CacheFolder : public ::testing::Test {
protected:
    void keep(const TokenCache& cache, const std::string& key, std::size_t numTokens, int hoursAgo) {
        TokenStoreWriter writer(cache.folder());
        writer.add({{1, {}, std::vector<int32_t>(numTokens, 70000), std::vector<uint8_t>(numTokens, 1)}, {}});
        writer.finish("", cache.pathOf(key));
        fs::last_write_time(cache.pathOf(key), fs::file_time_type::clock::now() - std::chrono::hours(hoursAgo));
    }
    testing::TemporaryFolder m_folder;
};

TEST_F(CacheFolder, losesWhatWasUsedLongestAgo) {
    const TokenCache cache(m_folder.path() / "data", 100000);
    keep(cache, "old", 10000, 3);
    keep(cache, "used", 10000, 2);
    keep(cache, "young", 10000, 1);
    ASSERT_NE(cache.find("old"), nullptr); // now it is the youngest
    const auto open = cache.find("used");
    fs::last_write_time(cache.pathOf("used"), fs::file_time_type::clock::now() - std::chrono::hours(2));
    cache.tidy("young");
    EXPECT_EQ(cache.find("used"), nullptr);
    EXPECT_EQ(open->read(0).example.ids.size(), 10000u); // for whoever has it open
    EXPECT_NE(cache.find("old"), nullptr);
    EXPECT_NE(cache.find("young"), nullptr);

    const TokenCache tiny(m_folder.path() / "data", 1);
    tiny.tidy("young");
    EXPECT_EQ(tiny.find("old"), nullptr);
    EXPECT_NE(tiny.find("young"), nullptr); // what was just written stays
}

TEST_F(CacheFolder, losesTheDraftsOfRunsThatDied) {
    const TokenCache cache(m_folder.path() / "data");
    const fs::path old = cache.folder() / "tokens.part.AAAAAA", young = cache.folder() / "tokens.part.BBBBBB";
    std::ofstream(old) << "x";
    std::ofstream(young) << "x";
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
    cache.tidy("");
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(young));
}

TEST_F(CacheFolder, readsAFileAgainUnlessNothingCanHaveChanged) {
    const TokenCache cache(m_folder.path() / "data");
    const fs::path file = m_folder.path() / "rows.jsonl";
    const auto hash = [&](bool& isRead) {
        isRead = false;
        return cache.hashOf(file, [&](int64_t) { isRead = true; });
    };
    bool isRead = false;
    std::ofstream(file) << "one";
    const std::string one = hash(isRead);
    EXPECT_EQ(hash(isRead), one);
    EXPECT_TRUE(isRead); // too young: a change in the same tick of the clock would not show
    // A little more, as the clock of the day may be slowed against the one that sleeps.
    std::this_thread::sleep_for(std::chrono::seconds(TokenCache::kSettledSeconds) + std::chrono::milliseconds(100));
    EXPECT_EQ(hash(isRead), one);
    EXPECT_TRUE(isRead);
    EXPECT_EQ(hash(isRead), one);
    EXPECT_FALSE(isRead);

    const auto time = fs::last_write_time(file);
    std::ofstream(file) << "two"; // the same size and the same time of writing
    fs::last_write_time(file, time);
    EXPECT_NE(hash(isRead), one);
    EXPECT_TRUE(isRead);
}

} // namespace
} // namespace roundpipe::data
