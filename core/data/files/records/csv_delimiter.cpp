// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/csv_delimiter.h"

#include "data/files/records/csv_records.h"

#include <string_view>
#include <tuple>
#include <utility>

namespace roundpipe::data {
namespace {

constexpr int kRecordsTried = 20;
constexpr std::size_t kLongestHeader = 64 << 10; // a longer one was not cut by the right delimiter

// How well a delimiter fits: the records with as many cells as the header, none of which goes on behind its quotes (as
// in "a, b";"c, d" by commas), then the cells.
using Fit = std::pair<int, std::size_t>;

Fit fitOf(const std::filesystem::path& path, Compression compression, char delimiter) {
    ByteStream bytes(path, compression);
    bytes.skipIf(kByteOrderMark);
    CsvRecords records(bytes, delimiter, 0);
    FileRecord record;
    if (!records.next(record) || !record.problem.empty() || record.text.size() > kLongestHeader) return {};
    const CsvCells first = cellsOf(record.text, delimiter);
    const std::size_t numColumns = first.texts.size();
    if (numColumns < 2 || first.goesOn) return {};
    int numFitting = 1;
    for (int i = 0; i < kRecordsTried && records.next(record); ++i) {
        if (!record.problem.empty()) continue;
        const CsvCells cells = cellsOf(record.text, delimiter);
        numFitting += !cells.goesOn && cells.texts.size() == numColumns;
    }
    return {numFitting, numColumns};
}

} // namespace

char takeNamedDelimiter(ByteStream& bytes) {
    constexpr std::string_view kMark = "sep=";
    const std::string_view head = bytes.peek();
    const std::size_t end = head.find_first_of("\r\n", kMark.size() + 1);
    if (!head.starts_with(kMark) || end != kMark.size() + 1) return '\0';
    const char delimiter = head[kMark.size()];
    bytes.consume(head.find('\n') + 1);
    return delimiter;
}

char sniffDelimiter(const std::filesystem::path& path, Compression compression, char usual) {
    char best = usual;
    Fit bestFit = fitOf(path, compression, usual);
    for (const char delimiter : {',', '\t', ';', '|'}) {
        const Fit fit = delimiter == usual ? Fit() : fitOf(path, compression, delimiter);
        if (fit > bestFit) std::tie(best, bestFit) = std::pair(delimiter, fit);
    }
    return best;
}

} // namespace roundpipe::data
