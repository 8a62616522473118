// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/first_rows.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "data/store/tokens/row_coder.h"

#include <chrono>
#include <optional>

namespace roundpipe::data {
namespace {

constexpr std::size_t kRows = 256;
constexpr std::size_t kBytes = std::size_t{1} << 20;
constexpr std::chrono::milliseconds kTime{300}; // a template may take seconds for a row

// As many as that, and one at least.
void shorten(std::vector<RawRow>& rows) {
    std::size_t count = 0, bytes = 0;
    while (count < rows.size() && count < kRows && (count == 0 || bytes + rows[count].json.size() <= kBytes))
        bytes += rows[count++].json.size();
    rows.resize(count);
}

} // namespace

void showFirstRows(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                   RowVisitor& visitor) {
    std::vector<std::optional<CodedRow>> coded;
    try {
        RowStream stream(options.allFiles().at(0), options.format);
        std::vector<RawRow> rows = stream.nextChunk();
        shorten(rows);
        coded.resize(rows.size());
        const RowCoder coder(options, tokenizer, chatTemplate);
        const auto deadline = std::chrono::steady_clock::now() + kTime;
        ThreadTeam(options.numThreads).forEach(std::ssize(rows), [&](int64_t i) {
            const auto index = static_cast<std::size_t>(i);
            if (std::chrono::steady_clock::now() < deadline) coded[index] = coder.code(rows[index], stream.format(), 0);
        });
        visitor.beginFile(stream.source().unit());
    } catch (const Error&) {
        return;
    }
    int64_t id = 0;
    for (std::optional<CodedRow>& row : coded) {
        if (!row) return;
        row->row.example.id = id++;
        if (row->problem)
            visitor.visit(LostRow{row->row.example.place, *row->problem, row->textHash});
        else
            visitor.visit(row->row);
    }
}

} // namespace roundpipe::data
