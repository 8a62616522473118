// What the dataset's report wants to know of one row. Internal to this folder.
#pragma once

#include "data/encode/row_encoder.h"
#include "data/encode/special_tokens.h"
#include "data/options.h"
#include "data/report/fingerprint.h"

#include <array>
#include <optional>
#include <vector>

namespace roundpipe::data {

struct RowTrace;

// Length limits whose cost is told whatever the run's own limit is.
inline constexpr std::array<int64_t, 11> kLengthChoices = {128,  256,   512,   1024,  2048,  4096,
                                                           8192, 16384, 32768, 65536, 131072};

struct RowFacts {
    int64_t length = 0; // tokens before truncation
    int64_t trained = 0;
    int64_t kept = 0; // tokens after truncation
    int64_t trainedKept = 0;
    std::array<int64_t, kLengthChoices.size()> trainedWithin{};
    uint64_t tokenHash = 0;
    std::optional<Bands> bands; // absent without a word
    MaskSource maskedBy = MaskSource::kNone;
    bool hasEmptyTurn = false, isOneSided = false, isUnanswered = false, hasOpenTurn = false;
    bool lacksBos = false, doublesBos = false;
    std::vector<int32_t> specialTokens; // spelled out in its messages
};

// Any number of threads may call it at once.
class RowExaminer {
public:
    explicit RowExaminer(const text::Tokenizer& tokenizer);

    // Of a row that has its mask.
    RowFacts factsOf(const RowTrace& trace) const;
    const SpecialTokenFinder& finder() const { return m_finder; }

private:
    SpecialTokenFinder m_finder;
    std::optional<int32_t> m_bos; // where the tokenizer puts one before a text
};

// The token that the tokenizer puts before every text, if that is its BOS.
std::optional<int32_t> automaticBos(const text::Tokenizer& tokenizer);

} // namespace roundpipe::data
