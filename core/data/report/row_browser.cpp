// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/row_browser.h"

#include "base/error.h"
#include "data/files/row_index.h"
#include "data/in_part.h"
#include "data/report/inspect.h"
#include "data/rows/columns/format_sniffer.h"
#include "data/rows/columns/row_format.h"
#include "data/rows/conversation.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kSummaryBytes = 400;

// What somebody looks for who reads a list of rows: the first thing that a user says.
std::string previewOf(const RawRow& raw, const RowFormat& format) {
    if (!raw.problem.empty() || format.kind == DataFormat::kAuto) return {};
    try {
        const Json row = mappedRow(parseRow(raw.json), format);
        if (const auto plain = plainTextOf(row, format))
            return plain->pieces.empty() ? std::string() : inPartOnOneLine(plain->pieces.front().text, kSummaryBytes);
        const Json messages = conversationOf(row, format).messages;
        const auto isUsers = [](const Json& message) { return message["role"] == "user"; };
        auto message = std::ranges::find_if(messages, isUsers);
        if (message == messages.end()) message = messages.begin();
        if (message == messages.end() || !message->value("content", Json()).is_string()) return {};
        return inPartOnOneLine((*message)["content"].get<std::string>(), kSummaryBytes);
    } catch (const RowProblem&) {
        return {};
    }
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

session::DataFile described(const std::filesystem::path& path, const RowFormat& wanted) {
    constexpr int64_t kRowsToRead = 100;
    session::DataFile file;
    file.path = path.string();
    std::error_code unknown; // of a file that can't be read at all: why, stands in its problem
    const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
    file.bytes = unknown ? 0 : static_cast<int64_t>(bytes);
    try {
        const FileReport found = inspectFile(path, wanted, {kRowsToRead, 0, 0});
        file.kind = toString(found.file.kind);
        file.unit = unitOf(found.file.kind);
        file.format = found.format.kind;
        file.reason = found.formatReason;
        file.wanted = found.formatProblem;
        file.suggested = found.suggested;
        for (const ColumnReport& column : found.columns)
            file.columns.push_back({column.name, joined(column.types), column.example});
        for (const session::ColumnChoice& mapping : found.format.columns)
            file.readFrom.push_back({mapping.field, mapping.column});
    } catch (const Error& error) {
        file.problem = error.message();
    }
    return file;
}

} // namespace

struct RowBrowser::OpenFile {
    OpenFile(const std::filesystem::path& path, const RowFormat& format)
        : index(path, format.table), sniffer(format, index.file()) {
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
    : RowBrowser(std::span(&options, 1)) {
    useModel(tokenizer, chatTemplate);
}

RowBrowser::RowBrowser(std::span<const DataOptions> datasets) : m_datasets(datasets) {
    for (std::size_t i = 0; i < datasets.size(); ++i)
        for (std::filesystem::path& path : datasets[i].allFiles())
            m_named.push_back({std::move(path), i});
    m_files.resize(m_named.size());
}

RowBrowser::~RowBrowser() = default;

void RowBrowser::useModel(const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate) {
    m_lensMakers.clear();
    for (const DataOptions& options : m_datasets)
        m_lensMakers.push_back(std::make_unique<LensMaker>(options, tokenizer, chatTemplate));
}

// Of an opened file.
const LensMaker& RowBrowser::lensMaker(int32_t file) const {
    if (m_lensMakers.empty()) throw invalidInput("Tokens need a model's tokenizer.", "Choose a model first.");
    return *m_lensMakers[m_named[static_cast<std::size_t>(file)].dataset];
}

std::vector<SearchedFile> RowBrowser::searchedFiles() const {
    std::vector<SearchedFile> files;
    for (const NamedFile& file : m_named)
        files.push_back({file.path, m_datasets[file.dataset].format.table});
    return files;
}

RowBrowser::OpenFile& RowBrowser::opened(int32_t file) {
    if (file < 0 || file >= std::ssize(m_files))
        throw invalidInput(fmt::format("There is no file {} in this dataset.", file));
    auto& slot = m_files[static_cast<std::size_t>(file)];
    const auto& [path, dataset] = m_named[static_cast<std::size_t>(file)];
    if (!slot) slot = std::make_unique<OpenFile>(path, m_datasets[dataset].format);
    return *slot;
}

session::RowsResult RowBrowser::rows(session::RowPlace first, int64_t count, const std::stop_token& stop) {
    OpenFile& file = opened(first.file);
    session::RowsResult result;
    for (const RawRow& row : file.index.rows(first.number, count, stop))
        result.rows.push_back({{first.file, row.number},
                               row.problem.empty() ? inPart(row.json, kSummaryBytes) : row.problem.text(),
                               previewOf(row, file.sniffer.format())});
    const IndexProgress progress = file.index.progress();
    result.lastNumber = progress.lastNumber;
    result.isCounted = progress.isDone;
    return result;
}

session::VerdictsResult RowBrowser::verdicts(session::RowPlace first, int64_t count, const std::stop_token& stop) {
    OpenFile& file = opened(first.file);
    const LensMaker& maker = lensMaker(first.file);
    session::VerdictsResult result;
    for (const RawRow& row : file.index.rows(first.number, count, stop)) {
        if (stop.stop_requested()) break;
        file.sniffer.look({&row, 1}); // where the first rows did not tell
        file.sniffer.requireKnown(file.path());
        result.rows.push_back(maker.verdictOf(row, file.sniffer.format(), {first.file, row.number}));
    }
    return result;
}

session::SearchResult RowBrowser::search(const std::string& text, bool anew, const std::stop_token& stop) {
    if (anew || !m_search || m_search->text() != text) m_search.emplace(searchedFiles(), text);
    return m_search->next(stop);
}

session::FilesResult RowBrowser::files() const {
    session::FilesResult result;
    for (std::size_t i = 0; i < m_datasets.size(); ++i) {
        const DataOptions& options = m_datasets[i];
        for (const std::filesystem::path& path : options.allFiles()) {
            result.files.push_back(described(path, options.format));
            result.files.back().dataset = static_cast<int32_t>(i);
        }
        for (auto file = result.files.end() - std::ssize(options.validationFiles); file != result.files.end(); ++file)
            file->isValidation = true;
        for (const SkippedFile& file : options.skippedFiles)
            result.leftOut.push_back({file.path.string(), file.reason});
    }
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
    const LensMaker& maker = lensMaker(first.file);
    const auto next = [&](int64_t number) { return file.index.rows(number, 1, stop); };
    auto rows = next(first.number);
    if (rows.empty() || rows.front().number > last)
        throw invalidInput(fmt::format("'{}' has no {} {}.", file.path().string(), file.unit(), first.number));
    for (; !rows.empty() && rows.front().number <= last; rows = next(rows.front().number + 1)) {
        const RawRow& row = rows.front();
        file.sniffer.look(rows); // where the first rows did not tell
        file.sniffer.requireKnown(file.path());
        const std::string name = fmt::format("'{}', {} {}", file.path().string(), file.unit(), row.number);
        session::TokenLens lens = maker.lensOf(row, file.sniffer.format(), {first.file, row.number}, name);
        for (const session::RowRemark idle : idleSettingsOf(file.sniffer.format().table, file.index.file().kind))
            lens.notes.emplace_back(idle == session::RowRemark::kHeaderIdle ? session::RowRemark::kHeaderIdleOf
                                                                            : session::RowRemark::kDelimiterIdleOf);
        take(std::move(lens));
    }
}

} // namespace roundpipe::data
