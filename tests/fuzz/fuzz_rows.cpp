// SPDX-License-Identifier: GPL-3.0-or-later
// One reader, fed with a file of any bytes: no crash, no wrong number, no row that is not UTF-8. FUZZ_ENDING (".jsonl",
// ".csv.gz", …) says which reader it is.
#include "base/error.h"
#include "data/files/row_index.h"
#include "data/files/row_source.h"
#include "fuzz_target.h"
#include "scratch_file.h"
#include "text/utf8.h"

#include <filesystem>
#include <string>
#include <vector>

using namespace roundpipe;

namespace {

void readRows(const std::filesystem::path& path) {
    const auto source = data::openRows(path);
    int64_t last = 0, count = 0;
    std::vector<data::RawRow> first;
    constexpr int64_t kMostRows = 20000; // a column of nulls has millions in a few bytes
    while (auto row = source->next()) {
        if (count >= kMostRows) break;
        require(row->number > last, "numbers ascend");
        require(row->json.empty() != row->problem.empty() || row->json.empty(), "a row or a problem");
        require(!text::firstInvalidUtf8(row->json), "a row is UTF-8");
        last = row->number;
        if (++count <= 50) first.push_back(std::move(*row));
    }
    if (count > 200) return; // the index has its own limits
    const data::RowIndex index(path);
    const auto again = index.rows(1, 50);
    require(again.size() == first.size(), "the index gives the reader's rows");
    for (std::size_t i = 0; i < first.size(); ++i)
        require(again[i].json == first[i].json && again[i].number == first[i].number,
                "the index agrees with the reader");
    for (const data::RawRow& row : first) {
        const auto alone = index.rows(row.number, 1);
        require(alone.size() == 1 && alone[0].number == row.number && alone[0].json == row.json,
                "the index finds every row");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    try {
        readRows(writtenFile(data, size, FUZZ_ENDING));
    } catch (const Error& error) { // refused in words
        require(error.kind() != ErrorKind::kInternal, error.what());
        require(error.message().find("files cannot be read here") == std::string::npos, error.what()); // no Arrow
    }
    return 0;
}
