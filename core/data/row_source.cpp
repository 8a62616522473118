#include "data/row_source.h"

#include "base/error.h"
#include "data/csv_source.h"
#include "data/json_sources.h"

#include <cctype>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr const char* kReadable = "JSONL, a JSON array and CSV can be read; convert the file to one of them.";

std::string lowerExtension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

// Skips the byte order mark and blanks; the lines that it passes are blank, so a JSONL file is not opened by it.
char firstCharacter(ByteStream& bytes) {
    for (std::string_view chunk = bytes.peek(); !chunk.empty(); chunk = bytes.peek()) {
        const std::size_t found = chunk.find_first_not_of(" \t\r\n");
        bytes.consume(found == std::string_view::npos ? chunk.size() : found);
        if (found != std::string_view::npos) return bytes.peek().front();
    }
    return '\0';
}

} // namespace

std::unique_ptr<RowSource> openRows(const std::filesystem::path& path) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::string extension = lowerExtension(path);
    ByteStream bytes(path);
    if (bytes.peek().starts_with("\xFF\xFE") || bytes.peek().starts_with("\xFE\xFF"))
        throw invalidInput(fmt::format("'{}' is UTF-16, not UTF-8.", path.string()), "Save it as UTF-8.");
    if (extension == ".csv" || extension == ".tsv") return openCsv(path, extension == ".csv" ? ',' : '\t');

    bytes.skipIf(kByteOrderMark);
    const char first = firstCharacter(bytes);
    if (first == '\0') throw invalidInput(fmt::format("'{}' has no rows: it is empty.", path.string()));
    if (first == '[') return std::make_unique<JsonArray>(std::move(bytes));
    const bool namedJson = extension == ".jsonl" || extension == ".ndjson" || extension == ".json";
    if (!namedJson && first != '{')
        throw unsupported(fmt::format("'{}' is no kind of file that we know.", path.string()), kReadable);
    ByteStream fromTheStart(path); // so that lines are counted from the first
    fromTheStart.skipIf(kByteOrderMark);
    return std::make_unique<JsonLines>(std::move(fromTheStart));
}

} // namespace roundpipe::data
