// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_tokenizer.h"

#include "base/error.h"
#include "base/file.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <unordered_map>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int64_t kMostBytes = int64_t{1} << 28; // of tokenizer.json

// The kinds of tokens, by the numbers of the format.
enum class TokenKind : int32_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

constexpr const char* kBlank = "\u2581"; // SentencePiece's

// Expressions by which models cut text before they look for tokens, and what llama.cpp calls them.
struct Cutting {
    const char* expression;
    const char* name;
};
constexpr Cutting kCuttings[] = {
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     "qwen2"},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     "llama-bpe"},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     "tekken"}};

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
    throw unsupported("'" + file.string() + "' has " + what + ", which a GGUF file can't say.",
                      "Export the merged model (--to merged), and convert that with llama.cpp's own "
                      "convert_hf_to_gguf.py if it knows the tokenizer.");
}

// The steps of a normalizer or a pre_tokenizer, a sequence taken apart.
std::vector<Json> stepsOf(const Json& part, const char* listKey) {
    if (!part.is_object()) return {};
    if (part.value("type", "") == "Sequence") return part.at(listKey).get<std::vector<Json>>();
    return {part};
}

std::string nameOfCutting(const Json& tokenizer, const fs::path& file) {
    const std::vector<Json> steps = stepsOf(tokenizer.value("pre_tokenizer", Json()), "pretokenizers");
    if (!steps.empty() && steps.back().value("type", "") == "ByteLevel") {
        if (steps.back().value("add_prefix_space", false)) refuse(file, "a blank before every text");
        const bool cutsItself = steps.back().value("use_regex", true);
        const std::string first = steps.front().value("type", "");
        if (steps.size() == 1 && cutsItself) return "gpt-2";
        if (steps.size() == 2 && cutsItself && first == "Digits" && steps.front().value("individual_digits", false))
            return "smollm";
        if (steps.size() == 2 && !cutsItself && first == "Split") {
            const Json pattern = steps.front().value("pattern", Json::object());
            for (const Cutting& cutting : kCuttings)
                if (pattern.value("Regex", "") == cutting.expression) return cutting.name;
        }
    }
    refuse(file, "a way of cutting text ('pre_tokenizer') that llama.cpp has no known name for");
}

struct Vocabulary {
    std::vector<std::string> tokens;
    std::vector<TokenKind> kinds;
};

Vocabulary vocabularyOf(const Json& tokenizer, const arch::ModelConfig& config, const fs::path& file) {
    Vocabulary vocabulary;
    const auto size = static_cast<std::size_t>(config.vocabSize);
    vocabulary.tokens.resize(size);
    vocabulary.kinds.resize(size, TokenKind::kUnused);
    const auto put = [&](int64_t id, const std::string& token, TokenKind kind) {
        if (id < 0 || id >= config.vocabSize)
            throw unsupported("'" + file.string() + "' has the token " + std::to_string(id) +
                                  ", but the model has only " + std::to_string(config.vocabSize) + ".",
                              "Llama.cpp takes no token without a row in the embedding: enlarge the embedding with "
                              "transformers (resize_token_embeddings), or take the tokenizer of the base.");
        vocabulary.tokens[static_cast<std::size_t>(id)] = token;
        vocabulary.kinds[static_cast<std::size_t>(id)] = kind;
    };
    for (const auto& [token, id] : tokenizer.at("model").at("vocab").items())
        put(id.get<int64_t>(), token, TokenKind::kNormal);
    for (const Json& added : tokenizer.value("added_tokens", Json::array()))
        put(added.at("id").get<int64_t>(), added.at("content").get<std::string>(),
            added.value("special", false) ? TokenKind::kControl : TokenKind::kUserDefined);
    for (std::size_t i = 0; i < size; ++i) // rows of the embedding that no token has
        if (vocabulary.kinds[i] == TokenKind::kUnused) vocabulary.tokens[i] = "[PAD" + std::to_string(i) + "]";
    return vocabulary;
}

struct TokenPair {
    std::string left, right;
};
TokenPair pairOf(const Json& merge) {
    if (merge.is_array()) return {merge.at(0).get<std::string>(), merge.at(1).get<std::string>()};
    const std::string text = merge.get<std::string>();
    const std::size_t blank = text.find(' ');
    return {text.substr(0, blank), text.substr(blank + 1)};
}

void addByteLevel(GgufHeader& header, const Json& tokenizer, const fs::path& file) {
    header.set("tokenizer.ggml.model", std::string("gpt2"));
    header.set("tokenizer.ggml.pre", nameOfCutting(tokenizer, file));
    std::vector<std::string> merges;
    for (const Json& merge : tokenizer.at("model").at("merges")) {
        const TokenPair pair = pairOf(merge);
        merges.push_back(pair.left + " " + pair.right);
    }
    header.set("tokenizer.ggml.merges", std::move(merges));
}

// SentencePiece joins the pair whose token has the highest score; here that is the order of the merges that make it.
std::vector<float> scoresOf(const Json& merges, const Vocabulary& vocabulary) {
    std::unordered_map<std::string, int64_t> rank;
    for (const Json& merge : merges) {
        const TokenPair pair = pairOf(merge);
        rank.emplace(pair.left + pair.right, static_cast<int64_t>(rank.size()));
    }
    std::vector<float> scores;
    for (std::size_t i = 0; i < vocabulary.tokens.size(); ++i) {
        const auto found = rank.find(vocabulary.tokens[i]);
        const bool isNormal = vocabulary.kinds[i] == TokenKind::kNormal;
        const int64_t place = found != rank.end() ? found->second : static_cast<int64_t>(rank.size() + i);
        scores.push_back(isNormal ? -static_cast<float>(place) : 0.0f);
    }
    return scores;
}

// Whether a blank is put before the text: by the normalizer of older files, by Metaspace of newer ones.
bool addsBlank(const Json& tokenizer, const fs::path& file) {
    bool adds = false, replaces = false;
    for (const Json& step : stepsOf(tokenizer.value("normalizer", Json()), "normalizers")) {
        const std::string type = step.value("type", "");
        if (type == "Prepend" && step.value("prepend", "") == kBlank)
            adds = true;
        else if (type == "Replace" && step.value("content", "") == kBlank)
            replaces = true;
        else
            refuse(file, "the normalizer '" + type + "'");
    }
    for (const Json& step : stepsOf(tokenizer.value("pre_tokenizer", Json()), "pretokenizers")) {
        if (step.value("type", "") != "Metaspace") refuse(file, "the pre_tokenizer '" + step.value("type", "") + "'");
        replaces = true;
        adds |= step.value("prepend_scheme", step.value("add_prefix_space", true) ? "always" : "never") != "never";
    }
    if (!replaces) refuse(file, "no step that makes blanks of SentencePiece's");
    return adds;
}

void addSentencePiece(GgufHeader& header, const Json& tokenizer, Vocabulary& vocabulary, const fs::path& file) {
    header.set("tokenizer.ggml.model", std::string("llama"));
    header.set("tokenizer.ggml.pre", std::string("default"));
    const std::string unknown = tokenizer.at("model").value("unk_token", Json()).is_string()
                                    ? tokenizer.at("model").at("unk_token").get<std::string>()
                                    : std::string();
    for (std::size_t i = 0; i < vocabulary.tokens.size(); ++i) {
        const std::string& token = vocabulary.tokens[i];
        if (token == unknown && !unknown.empty()) vocabulary.kinds[i] = TokenKind::kUnknown;
        if (token.size() == 6 && token.starts_with("<0x") && token.ends_with(">"))
            vocabulary.kinds[i] = TokenKind::kByte;
    }
    header.set("tokenizer.ggml.scores", scoresOf(tokenizer.at("model").at("merges"), vocabulary));
    header.set("tokenizer.ggml.add_space_prefix", addsBlank(tokenizer, file));
}

void addVocabulary(GgufHeader& header, const fs::path& file, const arch::ModelConfig& config) {
    const Json tokenizer = Json::parse(readTextFile(file, kMostBytes));
    const Json& model = tokenizer.at("model");
    if (model.value("type", "") != "BPE") refuse(file, "a tokenizer of type '" + model.value("type", "") + "'");
    Vocabulary vocabulary = vocabularyOf(tokenizer, config, file);
    if (model.value("byte_fallback", false))
        addSentencePiece(header, tokenizer, vocabulary, file);
    else
        addByteLevel(header, tokenizer, file);
    std::vector<int32_t> kinds;
    for (const TokenKind kind : vocabulary.kinds)
        kinds.push_back(static_cast<int32_t>(kind));
    header.set("tokenizer.ggml.tokens", std::move(vocabulary.tokens));
    header.set("tokenizer.ggml.token_type", std::move(kinds));
}

void addSpecialTokens(GgufHeader& header, const text::Tokenizer& tokenizer, const arch::ModelConfig& config) {
    const text::SpecialTokens& special = tokenizer.special();
    const auto idOf = [](const std::optional<text::SpecialToken>& token) {
        return token ? token->id : std::optional<int32_t>();
    };
    const auto set = [&](const std::string& key, std::optional<int32_t> id) {
        if (id && *id >= 0 && *id < config.vocabSize) header.set("tokenizer.ggml." + key, static_cast<uint32_t>(*id));
    };
    std::optional<int32_t> eos = idOf(special.eos);
    if (!eos && !config.eosIds.empty()) eos = config.eosIds.front();
    const std::optional<int32_t> bos = idOf(special.bos) ? idOf(special.bos) : config.bosId;
    set("bos_token_id", bos);
    set("eos_token_id", eos);
    for (const int32_t id : config.eosIds) // a second one ends a turn where the first ends a text
        if (id != eos) {
            set("eot_token_id", id);
            break;
        }
    set("padding_token_id", idOf(special.pad) ? idOf(special.pad) : config.padId);
    set("unknown_token_id", idOf(special.unk));
    const std::vector<int32_t> ids = tokenizer.encode("a", true).ids;
    header.set("tokenizer.ggml.add_bos_token", bos && !ids.empty() && ids.front() == *bos);
    header.set("tokenizer.ggml.add_eos_token", eos && !ids.empty() && ids.back() == *eos);
}

} // namespace

std::string withoutGenerationBlocks(const std::string& chatTemplate) {
    static const std::regex begin(R"(\{%([-+]?)\s*generation\s*([-+]?)%\})"),
        end(R"(\{%([-+]?)\s*endgeneration\s*([-+]?)%\})");
    return std::regex_replace(std::regex_replace(chatTemplate, begin, "{%$1 if true $2%}"), end, "{%$1 endif $2%}");
}

void addTokenizer(GgufHeader& header, const fs::path& textFolder, const arch::ModelConfig& config) {
    const text::Tokenizer tokenizer = text::Tokenizer::open(textFolder); // says what is wrong with the files
    const fs::path file = textFolder / "tokenizer.json";
    try {
        addVocabulary(header, file, config);
    } catch (const Json::exception& error) {
        throw invalidInput("'" + file.string() + "' is no tokenizer that can be read: " + error.what() + ".",
                           "Save the tokenizer again with transformers.");
    }
    addSpecialTokens(header, tokenizer, config);
    const std::string source = text::ChatTemplate::fromModelFolder(textFolder).source(false);
    if (!source.empty()) header.set("tokenizer.chat_template", withoutGenerationBlocks(source));
}

} // namespace roundpipe::artifact
