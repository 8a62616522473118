// Browses a dataset: any row of its files, found by the file's index, and what training makes of it.
#pragma once

#include "data/options.h"
#include "data/report/lens.h"
#include "session/workbench.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace roundpipe::data {

// Used by one thread. Files are opened, and indexed in the background, once one of their rows is asked for. Calls throw
// kInvalidInput for a file that the dataset has not, and what opening it throws.
class RowBrowser {
public:
    // Holds references to all three.
    RowBrowser(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);
    ~RowBrowser();

    // Up to `count` rows from that number on. A stop ends it early.
    session::RowsResult rows(session::RowPlace first, int64_t count, const std::stop_token& stop = {});

    // Throws kInvalidInput where there is no row of that number, kUnsupported for a format that we do not know.
    session::TokenLens lens(session::RowPlace place, const std::stop_token& stop = {});
    // Of all rows whose numbers lie in [first, last], as they are read. Throws as lens() does.
    void lenses(session::RowPlace first, int64_t last, const std::function<void(session::TokenLens)>& take,
                const std::stop_token& stop = {});

private:
    struct OpenFile;
    OpenFile& opened(int32_t file);

    const DataOptions& m_options;
    LensMaker m_lensMaker;
    std::vector<std::unique_ptr<OpenFile>> m_files; // null: not opened yet
};

} // namespace roundpipe::data
