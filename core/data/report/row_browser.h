// SPDX-License-Identifier: GPL-3.0-or-later
// Browses a dataset: any row of its files, found by the file's index, and what training makes of it.
#pragma once

#include "data/options.h"
#include "data/report/lens.h"
#include "data/report/row_search.h"
#include "session/workbench.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace roundpipe::data {

// Used by one thread. Files are opened, and indexed in the background, once one of their rows is asked for. Calls throw
// kInvalidInput for a file that the dataset has not, and what opening it throws.
class RowBrowser {
public:
    // Of one dataset. Holds references to what it is given.
    RowBrowser(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);
    // Of all datasets, without a model, for files and rows; what training makes of them can be asked once there is one.
    explicit RowBrowser(std::span<const DataOptions> datasets);
    void useModel(const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);
    ~RowBrowser();

    session::FilesResult files() const; // reads the first rows of each; one that cannot be read says so

    // Up to `count` rows from that number on. A stop ends it early.
    session::RowsResult rows(session::RowPlace first, int64_t count, const std::stop_token& stop = {});
    session::VerdictsResult verdicts(session::RowPlace first, int64_t count, const std::stop_token& stop = {});

    // The next piece of a search, which begins anew for another text. Throws kInvalidInput for an empty one.
    session::SearchResult search(const std::string& text, bool anew, const std::stop_token& stop = {});

    // Throws kInvalidInput where there is no row of that number, kUnsupported for a format that we do not know.
    session::TokenLens lens(session::RowPlace place, const std::stop_token& stop = {});
    // Of all rows whose numbers lie in [first, last], as they are read. Throws as lens() does.
    void lenses(session::RowPlace first, int64_t last, const std::function<void(session::TokenLens)>& take,
                const std::stop_token& stop = {});

private:
    struct OpenFile;
    OpenFile& opened(int32_t file);
    const LensMaker& lensMaker(int32_t file) const; // throws kInvalidInput without a model

    struct NamedFile {
        std::filesystem::path path;
        std::size_t dataset = 0;
    };
    std::vector<SearchedFile> searchedFiles() const;

    std::span<const DataOptions> m_datasets;
    std::vector<NamedFile> m_named;                       // of all datasets
    std::vector<std::unique_ptr<LensMaker>> m_lensMakers; // of each dataset, once there is a model
    std::vector<std::unique_ptr<OpenFile>> m_files;       // null: not opened yet
    std::optional<RowSearch> m_search;                    // the last one
};

} // namespace roundpipe::data
