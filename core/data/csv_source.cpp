#include "data/csv_source.h"

#include "base/error.h"
#include "data/columnar/columnar.h"
#include "data/utf8.h"

#include <array>
#include <dlfcn.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

struct Columnar {
    decltype(&rpCsvOpen) open;
    decltype(&rpCsvNumColumns) numColumns;
    decltype(&rpCsvColumnName) columnName;
    decltype(&rpCsvNext) next;
    decltype(&rpCsvBytesRead) bytesRead;
    decltype(&rpCsvClose) close;
};

void* openLibrary() {
    constexpr const char* kName = "libroundpipe_columnar.so";
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::string problem;
    // Beside the program and in its lib folder (an installation), where it was built (a checkout), or LD_LIBRARY_PATH.
    for (const std::string& candidate : {(beside / kName).string(), (beside / ".." / "lib" / kName).string(),
                                         std::string(ROUNDPIPE_COLUMNAR_BUILT), std::string(kName)}) {
        if (void* library = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
        // The reason that helps is the one of a library that is there but cannot be loaded.
        const std::string reason = ::dlerror();
        if (problem.empty() || fs::exists(candidate, ignored)) problem = reason;
    }
    throw unsupported(fmt::format("CSV cannot be read here: {}.", problem),
                      "Run packaging/setup, which fetches Arrow, or convert the file to JSONL.");
}

template <class Function>
void bind(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr)
        throw unsupported(fmt::format("libroundpipe_columnar.so lacks {}.", name), "Build RoundPipe Studio again.");
}

const Columnar& columnar() {
    static const Columnar functions = [] { // stays loaded; a failure is tried again by the next file
        void* library = openLibrary();
        Columnar bound{};
        bind(library, "rpCsvOpen", bound.open);
        bind(library, "rpCsvNumColumns", bound.numColumns);
        bind(library, "rpCsvColumnName", bound.columnName);
        bind(library, "rpCsvNext", bound.next);
        bind(library, "rpCsvBytesRead", bound.bytesRead);
        bind(library, "rpCsvClose", bound.close);
        return bound;
    }();
    return functions;
}

std::string_view viewOf(const RpCell& cell) {
    return {cell.data, static_cast<std::size_t>(cell.size)};
}

class CsvSource final : public RowSource {
public:
    CsvSource(const fs::path& path, char delimiter) : m_csv(nullptr, columnar().close) {
        std::array<char, 512> problem{};
        m_csv.reset(columnar().open(path.c_str(), delimiter, problem.data(), problem.size()));
        if (m_csv == nullptr)
            throw invalidInput(fmt::format("'{}' cannot be read as CSV: {}.", path.string(), problem.data()));
        for (int64_t column = 0; column < columnar().numColumns(m_csv.get()); ++column) {
            const std::string_view name = viewOf(columnar().columnName(m_csv.get(), column));
            if (firstInvalidUtf8(name))
                throw invalidInput(
                    fmt::format("'{}': the name of column {} is not valid UTF-8.", path.string(), column + 1),
                    "Save the file as UTF-8.");
            m_names.emplace_back(name);
        }
        m_cells.resize(m_names.size());
    }

    std::optional<RawRow> next() override {
        if (m_damaged) return std::nullopt;
        RawRow row;
        std::array<char, 512> problem{};
        const int32_t result =
            columnar().next(m_csv.get(), &row.number, m_cells.data(), problem.data(), problem.size());
        if (result == 0) return std::nullopt;
        if (result == 1) {
            fill(row);
        } else if (result == 2) {
            row.problem = fmt::format("does not have {} columns, as the header does", m_names.size());
        } else {
            m_damaged = true;
            row.number = m_last + 1;
            row.problem = fmt::format("and all after it cannot be read: {}", problem.data());
        }
        m_last = row.number;
        return row;
    }

    const char* unit() const override { return "record"; }
    int64_t bytesRead() const override { return columnar().bytesRead(m_csv.get()); }

private:
    void fill(RawRow& row) const {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (std::size_t column = 0; column < m_names.size(); ++column) {
            const std::string_view cell = viewOf(m_cells[column]);
            if (const auto invalid = firstInvalidUtf8(cell)) {
                row.problem = fmt::format("is not valid UTF-8: byte 0x{:02x} at position {} of column '{}'",
                                          static_cast<unsigned char>(cell[*invalid]), *invalid + 1, m_names[column]);
                return;
            }
            object[m_names[column]] = cell;
        }
        row.json = object.dump();
    }

    std::unique_ptr<RpCsv, decltype(&rpCsvClose)> m_csv;
    std::vector<std::string> m_names;
    std::vector<RpCell> m_cells;
    int64_t m_last = 0;
    bool m_damaged = false;
};

} // namespace

std::unique_ptr<RowSource> openCsv(const fs::path& path, char delimiter) {
    return std::make_unique<CsvSource>(path, delimiter);
}

} // namespace roundpipe::data
