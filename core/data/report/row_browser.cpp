#include "data/report/row_browser.h"

#include "base/error.h"
#include "data/files/row_index.h"
#include "data/rows/format_sniffer.h"

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kSummaryBytes = 400;

// At most so many bytes, and no character cut in two.
std::string shortened(const std::string& text) {
    if (text.size() <= kSummaryBytes) return text;
    std::size_t end = kSummaryBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

} // namespace

struct RowBrowser::OpenFile {
    OpenFile(const std::filesystem::path& path, const RowFormat& format) : index(path), sniffer(format) {
        constexpr int kRowsToTry = 1000;
        int64_t number = 0;
        for (int i = 0; i < kRowsToTry && sniffer.format().kind == DataFormat::kAuto; ++i) {
            const auto rows = index.rows(number + 1, 1);
            if (rows.empty()) break;
            number = rows.front().number;
            sniffer.look(rows);
        }
    }
    const std::filesystem::path& path() const { return index.file().path; }
    const char* unit() const { return unitOf(index.file().kind); }

    RowIndex index;
    FormatSniffer sniffer;
};

RowBrowser::RowBrowser(const DataOptions& options, const text::Tokenizer& tokenizer,
                       const text::ChatTemplate& chatTemplate)
    : m_options(options), m_lensMaker(options, tokenizer, chatTemplate) {
    m_files.resize(options.allFiles().size());
}

RowBrowser::~RowBrowser() = default;

RowBrowser::OpenFile& RowBrowser::opened(int32_t file) {
    if (file < 0 || file >= std::ssize(m_files))
        throw invalidInput(fmt::format("There is no file {} in this dataset.", file));
    auto& slot = m_files[static_cast<std::size_t>(file)];
    if (!slot)
        slot = std::make_unique<OpenFile>(m_options.allFiles()[static_cast<std::size_t>(file)], m_options.format);
    return *slot;
}

session::RowsResult RowBrowser::rows(session::RowPlace first, int64_t count, const std::stop_token& stop) {
    const RowIndex& index = opened(first.file).index;
    session::RowsResult result;
    for (const RawRow& row : index.rows(first.number, count, stop))
        result.rows.push_back({{first.file, row.number}, row.problem.empty() ? shortened(row.json) : row.problem});
    const IndexProgress progress = index.progress();
    result.lastNumber = progress.lastNumber;
    result.isCounted = progress.isDone;
    return result;
}

session::TokenLens RowBrowser::lens(session::RowPlace place, const std::stop_token& stop) {
    session::TokenLens lens;
    lenses(
        place, place.number, [&](session::TokenLens found) { lens = std::move(found); }, stop);
    return lens;
}

void RowBrowser::lenses(session::RowPlace first, int64_t last, const std::function<void(session::TokenLens)>& take,
                        const std::stop_token& stop) {
    OpenFile& file = opened(first.file);
    const auto next = [&](int64_t number) { return file.index.rows(number, 1, stop); };
    auto rows = next(first.number);
    if (rows.empty() || rows.front().number > last)
        throw invalidInput(fmt::format("'{}' has no {} {}.", file.path().string(), file.unit(), first.number));
    for (; !rows.empty() && rows.front().number <= last; rows = next(rows.front().number + 1)) {
        const RawRow& row = rows.front();
        file.sniffer.look(rows); // where the first rows did not tell
        file.sniffer.requireKnown(file.path());
        const std::string name = fmt::format("'{}', {} {}", file.path().string(), file.unit(), row.number);
        take(m_lensMaker.lensOf(row, file.sniffer.format(), {first.file, row.number}, name));
    }
}

} // namespace roundpipe::data
