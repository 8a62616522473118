// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/expect_error.h"
#include "testing/fixtures.h"
#include "text/tokenizer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::text {
namespace {

using roundpipe::testing::expectError;
using roundpipe::testing::TemporaryFolder;

// Characters and bytes as tokens, one merge: enough to see offsets, fallback bytes and specials.
constexpr const char* kTokenizerJson = R"({
  "version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [
    {"id": 0, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
    {"id": 1, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
  "normalizer": null, "pre_tokenizer": null, "post_processor": null,
  "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
  "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>", "continuing_subword_prefix": null,
    "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": true,
    "vocab": {"<s>": 0, "<unk>": 1, "h": 2, "i": 3, "hi": 4, " ": 5, "<0xC3>": 6, "<0xA9>": 7, "<end>": 8},
    "merges": ["h i"]}})";

class TokenizerTest : public ::testing::Test {
protected:
    void write(const char* name, const std::string& text) { std::ofstream(m_folder.path() / name) << text; }
    Tokenizer open() { return Tokenizer::open(m_folder.path()); }

    TemporaryFolder m_folder;
};

using Ids = std::vector<int32_t>;

TEST_F(TokenizerTest, givesIdsAndByteOffsets) {
    write("tokenizer.json", kTokenizerJson);
    const Encoding encoding = open().encode("hi hé<s>", false);
    EXPECT_EQ(encoding.ids, (Ids{4, 5, 2, 6, 7, 0}));
    EXPECT_EQ(encoding.offsets.front(), (TokenSpan{0, 2}));
    EXPECT_EQ(encoding.offsets.back(), (TokenSpan{6, 9}));
    EXPECT_EQ(encoding.isSpecial, (std::vector<bool>{false, false, false, false, false, true}));
}

TEST_F(TokenizerTest, givesEachTokenOfASplitCharacterTheWholeCharacter) {
    write("tokenizer.json", kTokenizerJson);
    const Encoding encoding = open().encode("hé", false);
    ASSERT_EQ(encoding.ids, (Ids{2, 6, 7}));
    EXPECT_EQ(encoding.offsets[1], (TokenSpan{1, 3}));
    EXPECT_EQ(encoding.offsets[2], (TokenSpan{1, 3}));
}

// Unknown characters in a row are one token here, so no part of a text says what its tokens are.
TEST_F(TokenizerTest, refusesWhatItWouldTakeAsAWholeAndTakesTooMuch) {
    write("tokenizer.json", kTokenizerJson);
    const std::string text(std::size_t{9} << 20, 'h');
    EXPECT_THROW(open().encode(text, false), TextTooLong);
    EXPECT_EQ(open().encode(text.substr(0, 1000), false).ids, Ids(1000, 2));
}

TEST_F(TokenizerTest, decodesAndSkipsSpecialTokensOnRequest) {
    write("tokenizer.json", kTokenizerJson);
    const Ids ids{0, 4, 5, 6, 7};
    EXPECT_EQ(open().decode(ids, false), "<s>hi é");
    EXPECT_EQ(open().decode(ids, true), "hi é");
    EXPECT_EQ(open().decode({}, true), "");
}

TEST_F(TokenizerTest, streamHoldsBytesBackUntilTheirCharacterIsWhole) {
    write("tokenizer.json", kTokenizerJson);
    DecodeStream stream = open().stream(true); // outlives its tokenizer
    EXPECT_EQ(stream.push(4), "hi");
    EXPECT_EQ(stream.push(6), "");
    EXPECT_EQ(stream.push(7), "é");
    EXPECT_EQ(stream.push(0), "");
    EXPECT_EQ(stream.push(2), "h");
    EXPECT_EQ(stream.push(6), "");
    EXPECT_EQ(stream.finish(), "\xEF\xBF\xBD");
    EXPECT_EQ(stream.push(3), "i");
}

// Models have more rows than their tokenizer has tokens.
TEST_F(TokenizerTest, aRowOfTheModelWithoutATokenHasNoText) {
    write("tokenizer.json", kTokenizerJson);
    DecodeStream stream = open().stream(true);
    EXPECT_EQ(stream.push(4), "hi");
    EXPECT_EQ(stream.push(6), "");
    EXPECT_EQ(stream.push(999), "");
    EXPECT_EQ(stream.push(7), "é"); // what was held back before is not lost
    EXPECT_EQ(stream.finish(), "");
}

TEST_F(TokenizerTest, knowsItsVocabulary) {
    write("tokenizer.json", kTokenizerJson);
    const Tokenizer tokenizer = open();
    EXPECT_EQ(tokenizer.vocabSize(), 9);
    EXPECT_EQ(tokenizer.idToToken(4), "hi");
    EXPECT_TRUE(tokenizer.isSpecial(0));
    EXPECT_FALSE(tokenizer.isSpecial(4));
    EXPECT_FALSE(tokenizer.isSpecial(-1));
    expectError(ErrorKind::kInvalidInput, {"-1", "9 tokens"}, [&] { tokenizer.idToToken(-1); });
    expectError(ErrorKind::kInvalidInput, {"vocabulary"}, [&] { tokenizer.decode(Ids{4, 77}, true); });
}

TEST_F(TokenizerTest, readsSpecialTokensWrittenAsTextsAndAsObjects) {
    write("tokenizer.json", kTokenizerJson);
    write("tokenizer_config.json", R"({"bos_token": "<s>", "eos_token": {"__type": "AddedToken", "content": "<end>"},
        "unk_token": null, "pad_token": "<pad>"})");
    const Tokenizer tokenizer = open();
    const SpecialTokens& special = tokenizer.special();
    ASSERT_TRUE(special.bos && special.eos && special.pad);
    EXPECT_EQ(special.bos->id, 0);
    EXPECT_EQ(special.eos->text, "<end>");
    EXPECT_EQ(special.eos->id, 8);
    EXPECT_EQ(special.pad->id, 9); // not in the vocabulary: added behind it, as transformers does
    EXPECT_FALSE(special.unk);
    EXPECT_TRUE(tokenizer.isSpecial(8));
    EXPECT_EQ(tokenizer.encode("hi<end>", false).ids, (Ids{4, 8}));
}

TEST_F(TokenizerTest, readsSpecialTokensMapOnlyWhereTheConfigIsOlderThanItsDecoder) {
    write("tokenizer.json", kTokenizerJson);
    write("special_tokens_map.json", R"({"eos_token": {"content": "<end>"}})");
    EXPECT_EQ(open().special().eos->id, 8);
    write("tokenizer_config.json", R"({"eos_token": "<s>", "added_tokens_decoder": {}})");
    EXPECT_EQ(open().special().eos->id, 0);
}

TEST_F(TokenizerTest, addsBosAndEosAsTheConfigSays) {
    write("tokenizer.json", kTokenizerJson);
    write("tokenizer_config.json",
          R"({"bos_token": "<s>", "eos_token": "<end>", "add_bos_token": true, "add_eos_token": true})");
    const Tokenizer tokenizer = open();
    EXPECT_EQ(tokenizer.encode("hi", true).ids, (Ids{0, 4, 8}));
    EXPECT_EQ(tokenizer.encode("hi", true).offsets[2], (TokenSpan{0, 0}));
    EXPECT_EQ(tokenizer.encode("hi", false).ids, (Ids{4}));
}

TEST_F(TokenizerTest, addsTheTokensThatOnlyTheConfigKnows) {
    write("tokenizer.json", kTokenizerJson);
    write("tokenizer_config.json",
          R"({"added_tokens_decoder": {"9": {"content": "<tool>", "special": false, "normalized": false}}})");
    const Tokenizer tokenizer = open();
    EXPECT_EQ(tokenizer.encode("hi<tool>", false).ids, (Ids{4, 9}));
    EXPECT_FALSE(tokenizer.isSpecial(9));
}

TEST_F(TokenizerTest, refusesAFolderWithAnotherFormOfTokenizerAndSaysHowToConvertIt) {
    write("tokenizer.model", "\x0a\x05");
    expectError(ErrorKind::kUnsupported, {"tokenizer.model", "tokenizer.json", "save_pretrained"}, [&] { open(); });
}

TEST_F(TokenizerTest, namesAMissingTokenizer) {
    expectError(ErrorKind::kInvalidInput, {"missing", (m_folder.path() / "tokenizer.json").string()}, [&] { open(); });
}

TEST_F(TokenizerTest, namesABrokenFile) {
    write("tokenizer.json", std::string(kTokenizerJson).substr(0, 300));
    expectError(ErrorKind::kInvalidInput, {"tokenizer.json"}, [&] { open(); });
    write("tokenizer.json", kTokenizerJson);
    write("tokenizer_config.json", R"({"bos_token": )");
    expectError(ErrorKind::kInvalidInput, {"tokenizer_config.json", "byte"}, [&] { open(); });
}

TEST_F(TokenizerTest, refusesTextThatIsNotUtf8) {
    write("tokenizer.json", kTokenizerJson);
    expectError(ErrorKind::kInvalidInput, {"UTF-8", "byte 2"}, [&] { open().encode("hi\xff", false); });
}

TEST_F(TokenizerTest, servesSeveralThreads) {
    write("tokenizer.json", kTokenizerJson);
    const Tokenizer tokenizer = open();
    const Ids expected = tokenizer.encode("hi hé hi", true).ids;
    std::vector<int> numEqual(4);
    {
        std::vector<std::jthread> threads;
        for (int& count : numEqual)
            threads.emplace_back([&] {
                for (int round = 0; round < 200; ++round)
                    count += tokenizer.encode("hi hé hi", true).ids == expected;
            });
    }
    EXPECT_EQ(numEqual, (std::vector<int>{200, 200, 200, 200}));
}

TEST(TokenizerFixtures, refusesTheSentencePieceFolder) {
    RP_REQUIRE_FIXTURES();
    expectError(ErrorKind::kUnsupported, {"tokenizer.model", "save_pretrained"},
                [] { Tokenizer::open(roundpipe::testing::fixtures() / "tokenizers" / "mistral-v1"); });
}

TEST(TokenizerFixtures, readsQwen3) {
    RP_REQUIRE_FIXTURES();
    const Tokenizer tokenizer = Tokenizer::open(roundpipe::testing::fixtures() / "tokenizers" / "qwen3");
    EXPECT_EQ(tokenizer.vocabSize(), 151669);
    EXPECT_EQ(tokenizer.special().eos->id, 151645);
    EXPECT_FALSE(tokenizer.special().bos);
    EXPECT_EQ(tokenizer.encode("<|im_start|>user\nHello 世界", true).ids, (Ids{151644, 872, 198, 9707, 220, 99489}));
}

} // namespace
} // namespace roundpipe::text
