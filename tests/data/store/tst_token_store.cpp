// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/token_store.h"

#include "example_sets.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

struct Row {
    std::vector<int32_t> ids;
    std::vector<uint8_t> trained;
};

// Lengths from 0 to 40, every third with ids that need four bytes.
std::vector<Row> randomRows(std::size_t count) {
    std::mt19937 random(5);
    std::vector<Row> rows(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t length = random() % 41; length > 0; --length) {
            rows[i].ids.push_back(static_cast<int32_t>(random() % (i % 3 == 0 ? 200000 : 65536)));
            rows[i].trained.push_back(random() % 2);
        }
    return rows;
}

class TokenStoreFile : public ::testing::Test {
protected:
    std::shared_ptr<const TokenStore> write(const std::vector<Row>& rows, const fs::path& target = {}) {
        TokenStoreWriter writer(m_folder.path());
        for (std::size_t i = 0; i < rows.size(); ++i)
            writer.add(
                {{static_cast<int64_t>(1000 + i), {7, static_cast<int64_t>(i + 1)}, rows[i].ids, rows[i].trained},
                 factsOf(i)});
        return writer.finish("notes", target);
    }
    // Every field with another value for most rows.
    static RowFacts factsOf(std::size_t i) {
        RowFacts facts;
        facts.tokenHash = i * 0x123456789ABCDEF;
        if (i % 3 != 0) facts.bands = Bands{1, 2, static_cast<uint32_t>(i)};
        facts.maskedBy = static_cast<MaskSource>(i % 6);
        facts.numTurnsWithoutEnd = static_cast<uint32_t>(i % 4);
        facts.hasEmptyTurn = (i & 1) != 0;
        facts.isOneSided = (i & 2) != 0;
        facts.isUnanswered = (i & 4) != 0;
        facts.lacksBos = (i & 8) != 0;
        facts.doublesBos = (i & 16) != 0;
        facts.hasForeignEnd = (i & 32) != 0;
        facts.spellsMarks = (i & 64) != 0;
        facts.splitsAnswer = (i & 128) != 0;
        facts.writesOutCalls = i % 3 == 1;
        facts.chatForm = static_cast<ChatForm>(i % 12);
        facts.specialTokens.assign(i % 5, static_cast<int32_t>(i));
        return facts;
    }
    static void expectRows(const TokenStore& store, const std::vector<Row>& rows) {
        ASSERT_EQ(store.size(), static_cast<int64_t>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto [example, facts] = store.read(static_cast<uint32_t>(i));
            ASSERT_EQ(facts, factsOf(i));
            ASSERT_EQ(example.ids, rows[i].ids);
            ASSERT_EQ(example.trained, rows[i].trained);
            ASSERT_EQ(example.id, static_cast<int64_t>(1000 + i));
            ASSERT_EQ(example.place.file, 7);
            ASSERT_EQ(example.place.number, static_cast<int64_t>(i + 1));
            ASSERT_EQ(store.entry(static_cast<uint32_t>(i)).numTrained, example.numTrained());
        }
    }
    std::size_t numFiles() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(m_folder.path()), fs::directory_iterator()));
    }

    testing::TemporaryFolder m_folder;
    fs::path m_file = m_folder.path() / "kept.tokens";
};

TEST_F(TokenStoreFile, givesBackWhatWasWritten) {
    const auto rows = randomRows(500);
    expectRows(*write(rows), rows);
    EXPECT_EQ(numFiles(), 0u); // it has no name, and goes with the store
    write(rows, m_file);
    const auto store = TokenStore::open(m_file);
    expectRows(*store, rows);
    EXPECT_EQ(store->notes(), "notes");
    EXPECT_EQ(write({})->size(), 0);
}

TEST_F(TokenStoreFile, keepsIdsInTwoBytesWhereTheyFit) {
    Row row{std::vector<int32_t>(10000, 65535), std::vector<uint8_t>(10000, 1)};
    write({row}, m_file);
    EXPECT_LT(fs::file_size(m_file), 10000u * 2 + 10000 / 8 + 200);
    row.ids.back() = 65536;
    expectRows(*write({row}, m_file), {row});
    EXPECT_GT(fs::file_size(m_file), 10000u * 4);
}

TEST_F(TokenStoreFile, writesMoreThanItsBuffer) {
    const auto rows = randomRows(60000); // over 3 MB
    write(rows, m_file);
    EXPECT_GT(fs::file_size(m_file), 3u << 20);
    expectRows(*TokenStore::open(m_file), rows);
}

TEST_F(TokenStoreFile, leavesNothingWhenItIsGivenUp) {
    { TokenStoreWriter(m_folder.path()).add({{1, {}, {1}, {1}}, {}}); }
    EXPECT_EQ(numFiles(), 0u);
    expectError(ErrorKind::kIo, {"nowhere"}, [&] { TokenStoreWriter(m_folder.path() / "nowhere"); });
}

// Every single byte counts, and so does the end.
TEST_F(TokenStoreFile, refusesADamagedFile) {
    write(randomRows(6), m_file);
    std::string content(fs::file_size(m_file), '\0');
    std::ifstream(m_file, std::ios::binary).read(content.data(), static_cast<std::streamsize>(content.size()));
    const auto refused = [&](const std::string& changed) {
        std::ofstream(m_file, std::ios::binary | std::ios::trunc) << changed;
        expectError(ErrorKind::kInvalidInput, {"kept.tokens"}, [&] { TokenStore::open(m_file); });
    };
    for (std::size_t i = 0; i < content.size(); ++i) {
        SCOPED_TRACE(i);
        std::string changed = content;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        refused(changed);
    }
    for (const std::size_t length : {std::size_t{0}, std::size_t{63}, std::size_t{64}, content.size() - 1})
        refused(content.substr(0, length));
    refused(content + "x");
}

TEST_F(TokenStoreFile, isReadByManyThreadsAtOnce) {
    const auto rows = randomRows(2000);
    const auto store = write(rows);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] { expectRows(*store, rows); });
}

TEST_F(TokenStoreFile, givesTheFirstTokensOfARowAndWhatALimitLeavesOfIt) {
    const auto rows = randomRows(200);
    const auto store = write(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t count = 0; count <= rows[i].ids.size(); ++count) {
            const Example example = store->read(static_cast<uint32_t>(i), 0, static_cast<int64_t>(count));
            const std::vector<uint8_t> trained(rows[i].trained.begin(),
                                               rows[i].trained.begin() + std::ssize(example.ids));
            ASSERT_EQ(example.ids, std::vector(rows[i].ids.begin(), rows[i].ids.begin() + static_cast<int64_t>(count)));
            ASSERT_EQ(example.trained, trained);
            DataOptions options;
            options.maxLength = static_cast<int64_t>(count);
            const RowLengths lengths = store->lengthsOf(static_cast<uint32_t>(i), options);
            const RowLengths expected = lengthsOf(rows[i].trained, options);
            ASSERT_EQ(lengths.length, expected.length);
            ASSERT_EQ(lengths.trained, expected.trained);
            ASSERT_EQ(lengths.kept, static_cast<int64_t>(count));
            ASSERT_EQ(lengths.trainedKept, example.numTrained());
        }
}

TEST_F(TokenStoreFile, givesAnyPieceOfARow) {
    const auto rows = randomRows(60);
    const auto store = write(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t begin = 0; begin < rows[i].ids.size(); ++begin) {
            const std::size_t count = (rows[i].ids.size() - begin + 1) / 2;
            const Example piece =
                store->read(static_cast<uint32_t>(i), static_cast<int64_t>(begin), static_cast<int64_t>(count));
            const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(begin + count);
            ASSERT_EQ(piece.ids, std::vector(rows[i].ids.begin() + from, rows[i].ids.begin() + to));
            ASSERT_EQ(piece.trained, std::vector(rows[i].trained.begin() + from, rows[i].trained.begin() + to));
            ASSERT_EQ(piece.place.number, static_cast<int64_t>(i + 1));
        }
}

TEST_F(TokenStoreFile, aSetIsAChoiceOfItsExamples) {
    const auto rows = randomRows(20);
    const auto store = write(rows);
    batch::ExampleLengths lengths;
    for (const std::size_t row : {3, 17, 4}) {
        const Example cut = store->read(static_cast<uint32_t>(row), 0, static_cast<int64_t>(rows[row].ids.size() / 2));
        lengths.add(std::ssize(cut.ids), cut.numTrained());
    }
    const ExampleSet set(store, {3, 17, 4}, lengths);
    ASSERT_EQ(set.size(), 3);
    EXPECT_EQ(set[1].ids, store->read(17, 0, lengths.lengthOf(1)).ids);
    EXPECT_EQ(set[1].ids.size(), rows[17].ids.size() / 2);
    EXPECT_EQ(set.idOf(1), 1017);
    EXPECT_EQ(set.numTrained(), set[0].numTrained() + set[1].numTrained() + set[2].numTrained());
    EXPECT_EQ(ExampleSet(store).size(), 20);
    EXPECT_EQ(ExampleSet(store)[17].ids, rows[17].ids);
    EXPECT_EQ(ExampleSet().size(), 0);
}

} // namespace
} // namespace roundpipe::data
