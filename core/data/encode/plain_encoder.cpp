// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/plain_encoder.h"

#include "data/encode/spans/token_mask.h"

namespace roundpipe::data {
namespace {

// Unless the tokenizer has put it there itself. Whether the text has an end now.
bool appendEos(const text::Tokenizer& tokenizer, EncodedRow& row) {
    const auto& eos = tokenizer.special().eos;
    if (!eos || !eos->id) return false;
    if (row.ids.empty() || row.ids.back() != *eos->id) {
        row.ids.push_back(*eos->id);
        const auto end = static_cast<uint32_t>(row.text.size());
        row.offsets.push_back({end, end});
        row.isSpecial.push_back(true);
        row.trained.push_back(0);
    }
    row.trained.back() = 1;
    return true;
}

// The tokenizer puts its BOS before every text, also before one that spells it out itself.
void removeDoubledBos(const text::Tokenizer& tokenizer, text::Encoding& encoding) {
    const auto& bos = tokenizer.special().bos;
    if (!bos || !bos->id || encoding.ids.size() < 2) return;
    if (encoding.ids[0] != *bos->id || encoding.ids[1] != *bos->id) return;
    encoding.ids.erase(encoding.ids.begin());
    encoding.offsets.erase(encoding.offsets.begin());
    encoding.isSpecial.erase(encoding.isSpecial.begin());
}

} // namespace

void encodePlain(PlainText plain, const text::Tokenizer& tokenizer, TrainOn trainOn, EncodedRow& row) {
    std::vector<Span> spans;
    for (PlainText::PlainPiece& piece : plain.pieces) {
        const Span span{row.text.size(), row.text.size() + piece.text.size()};
        if (row.text.empty())
            row.text = std::move(piece.text);
        else
            row.text += piece.text;
        if (!piece.isTrained || span.begin == span.end) continue;
        if (!spans.empty() && spans.back().end == span.begin)
            spans.back().end = span.end;
        else
            spans.push_back(span);
    }
    text::Encoding encoding = tokenizer.encode(row.text, plain.takesBos);
    if (plain.takesBos) removeDoubledBos(tokenizer, encoding);
    row.ids = std::move(encoding.ids);
    row.offsets = std::move(encoding.offsets);
    row.isSpecial = std::move(encoding.isSpecial);
    row.trained = trainedTokens(row.offsets, spans);
    if (plain.isWhole && !appendEos(tokenizer, row)) row.numTurnsWithoutEnd = 1;
    row.maskedBy = MaskSource::kRow;
    if (trainOn != TrainOn::kAll) return;
    row.maskedBy = MaskSource::kEverything;
    row.trained.assign(row.ids.size(), 1);
}

} // namespace roundpipe::data
