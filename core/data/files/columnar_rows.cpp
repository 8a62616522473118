// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar_rows.h"

#include "base/error.h"
#include "base/file.h"
#include "base/library_function.h"
#include "base/program_file.h"
#include "base/set_up_libraries.h"
#include "data/files/columnar/columnar.h"
#include "data/files/records/record_reader.h"

#include <array>
#include <dlfcn.h>
#include <span>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using session::RowRemark;

struct Columnar {
    decltype(&rpParquetOpen) openParquet;
    decltype(&rpArrowOpen) openArrow;
    decltype(&rpTableNumRows) numRows;
    decltype(&rpTableSeek) seek;
    decltype(&rpTableNext) next;
    decltype(&rpTableBytesRead) bytesRead;
    decltype(&rpTableClose) close;
};

void* openLibrary() {
    constexpr const char* kName = "libroundpipe_columnar.so";
    std::error_code ignored;
    std::string problem;
    openSetUpLibrary("pyarrow", "libparquet.so.");
    // The program's own (an installation), where it was built (a checkout), or LD_LIBRARY_PATH.
    for (const std::string& candidate :
         {programFile(kName).string(), std::string(ROUNDPIPE_COLUMNAR_BUILT), std::string(kName)}) {
        if (candidate.empty()) continue;
        if (void* library = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
        // The reason that helps is the one of a library that is there but cannot be loaded.
        const std::string reason = ::dlerror();
        if (problem.empty() || fs::exists(candidate, ignored)) problem = reason;
    }
    throw unsupported(fmt::format("Parquet and Arrow files cannot be read here: {}.", problem),
                      "Run packaging/setup (where the program is installed: roundpipe-setup), which fetches Arrow, or "
                      "convert the file to JSONL.");
}

template <class Function>
void bind(void* library, const char* name, Function*& function) {
    if (!bindFunction(library, name, function))
        throw unsupported(fmt::format("libroundpipe_columnar.so lacks {}.", name), "Build RoundPipe Studio again.");
}

const Columnar& columnar() {
    static const Columnar functions = [] { // stays loaded; a failure is tried again by the next file
        void* library = openLibrary();
        Columnar bound{};
        bind(library, "rpParquetOpen", bound.openParquet);
        bind(library, "rpArrowOpen", bound.openArrow);
        bind(library, "rpTableNumRows", bound.numRows);
        bind(library, "rpTableSeek", bound.seek);
        bind(library, "rpTableNext", bound.next);
        bind(library, "rpTableBytesRead", bound.bytesRead);
        bind(library, "rpTableClose", bound.close);
        return bound;
    }();
    return functions;
}

// A Parquet file ends as it begins; one that was fetched in part does not.
void requireEnd(const fs::path& path) {
    constexpr std::array<char, 4> kMagic{'P', 'A', 'R', '1'};
    std::array<char, 4> end{};
    const FileReader file(path); // throws, naming the path
    if (file.sizeBytes() >= std::ssize(end))
        file.readAt(file.sizeBytes() - std::ssize(end), std::as_writable_bytes(std::span(end)));
    if (end != kMagic)
        throw invalidInput(fmt::format("'{}' is cut off: it does not end as a Parquet file does.", path.string()),
                           "Fetch it again.");
}

} // namespace

ColumnarRows::ColumnarRows(const fs::path& path, FileKind kind) : m_kind(kind), m_file(nullptr, columnar().close) {
    const bool isParquet = kind == FileKind::kParquet;
    if (isParquet) requireEnd(path);
    std::array<char, 512> problem{};
    m_file.reset(
        (isParquet ? columnar().openParquet : columnar().openArrow)(path.c_str(), problem.data(), problem.size()));
    if (m_file == nullptr)
        throw invalidInput(fmt::format("'{}' cannot be read as {}: {}.", path.string(), toString(kind), problem.data()),
                           "It may be cut off or damaged; fetch it again.");
}

int64_t ColumnarRows::numRows() const {
    return columnar().numRows(m_file.get());
}

void ColumnarRows::seek(int64_t row) {
    columnar().seek(m_file.get(), row);
}

std::optional<RawRow> ColumnarRows::next() {
    RpTableRow found{};
    const int32_t result = columnar().next(m_file.get(), &found);
    if (result == 0) return std::nullopt;
    RawRow row{found.number, {}, {}};
    std::string text(found.json.data, static_cast<std::size_t>(found.json.size));
    if (result == 3)
        row.problem = found.numLost == 1
                          ? session::Remark(RowRemark::kUnreadableFromHere, text)
                          : session::Remark(RowRemark::kUnreadableWithThoseAfter, found.numLost - 1, text);
    else if (result == 2)
        row.problem = session::Remark(RowRemark::kAsSaid, std::move(text));
    else if (text.size() > kMaxRowBytes)
        row.problem = session::Remark(RowRemark::kTooManyBytes);
    else
        row.json = std::move(text);
    return row;
}

int64_t ColumnarRows::bytesRead() const {
    return columnar().bytesRead(m_file.get());
}

} // namespace roundpipe::data
