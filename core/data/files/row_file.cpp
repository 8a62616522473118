// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_file.h"

#include "base/error.h"
#include "data/files/json_layout.h"
#include "data/files/records/byte_stream.h"
#include "data/files/records/json_records.h"
#include "data/files/table_header.h"
#include "session/spec/run_spec.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kParquetMagic = "PAR1";
constexpr std::string_view kArrowMagic = "ARROW1";             // of a file
constexpr std::string_view kArrowMessage = "\xFF\xFF\xFF\xFF"; // with which a stream begins
constexpr const char* kReadable = "JSONL, a JSON array, CSV, TSV, Parquet, Arrow, .txt and .md can be read, all but "
                                  "Parquet and Arrow also as .gz and .zst; convert the file to one of them.";

std::string lowered(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// ".jsonl" of "rows.jsonl.gz".
std::string innerEnding(const fs::path& path) {
    const std::string ending = lowered(path.extension().string());
    const bool compressed = ending == ".gz" || ending == ".zst" || ending == ".zstd";
    return compressed ? lowered(path.stem().extension().string()) : ending;
}

bool isOneOf(const std::string& ending, std::initializer_list<const char*> endings) {
    return std::ranges::find(endings, ending) != endings.end();
}

// A workbook of today is a ZIP archive that begins with its list of parts; one of before 2007 has the mark of its time.
void refuseWorkbook(const fs::path& path, std::string_view bytes) {
    const bool isArchive = bytes.starts_with("PK\x03\x04");
    const bool hasParts = bytes.substr(0, 64).find("[Content_Types].xml") != std::string_view::npos;
    const bool isOld = bytes.starts_with("\xD0\xCF\x11\xE0");
    if (isOld || (isArchive && (hasParts || lowered(path.extension().string()) == ".xlsx")))
        throw unsupported(fmt::format("'{}' is a workbook of a spreadsheet.", path.string()),
                          "Save the sheet with the rows as CSV in UTF-8.");
}

void refuseOtherFormats(const fs::path& path, std::string_view bytes) {
    refuseWorkbook(path, bytes);
    static constexpr std::pair<std::string_view, const char*> kOthers[] = {
        {"PK\x03\x04", "a ZIP archive"}, {"BZh", "bzip2"},    {"\xFD\x37zXZ", "xz"}, {"FEA1", "an old Feather file"},
        {"7z\xBC\xAF", "7-Zip"},         {"\x89HDF", "HDF5"}, {"%PDF", "a PDF"},     {"SQLite format 3", "SQLite"}};
    for (const auto& [magic, name] : kOthers)
        if (bytes.starts_with(magic)) throw unsupported(fmt::format("'{}' is {}.", path.string(), name), kReadable);
}

// What a clone without git-lfs has in the place of its large files.
void refuseLfsPointer(const fs::path& path, std::string_view bytes) {
    if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
        throw invalidInput(fmt::format("'{}' is a pointer of Git LFS, not the file itself.", path.string()),
                           "Fetch the file: git lfs pull, in its folder.");
}

// Marks of UTF-16 and UTF-32, or ASCII characters with zeros between them.
void refuseUtf16(const fs::path& path, std::string_view bytes) {
    const auto isZero = [&](std::size_t i) { return i < bytes.size() && bytes[i] == '\0'; };
    const bool marked = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    if (marked || (bytes.size() >= 4 && isZero(0) != isZero(1) && isZero(2) != isZero(3) && isZero(0) == isZero(2)))
        throw invalidInput(fmt::format("'{}' is UTF-16, not UTF-8.", path.string()), "Save it as UTF-8.");
}

// A text has next to no control characters; what programs, pictures and archives hold has one byte in ten.
bool isBinary(std::string_view bytes) {
    constexpr std::ptrdiff_t kFewest = 16;
    constexpr std::ptrdiff_t kOneIn = 50;
    const auto controls = std::ranges::count_if(bytes, [](char c) {
        constexpr std::string_view kOfTexts = "\t\n\v\f\r\x1B"; // escapes: as terminals write colours
        return static_cast<unsigned char>(c) < 0x20 && kOfTexts.find(c) == std::string_view::npos;
    });
    return controls >= kFewest && controls * kOneIn >= std::ssize(bytes);
}

void refuseBinary(const fs::path& path, std::string_view bytes) {
    if (!isBinary(bytes)) return;
    const std::string ending = lowered(path.extension().string());
    const bool isNamedCompressed = ending == ".gz" || ending == ".zst" || ending == ".zstd";
    throw invalidInput(fmt::format("'{}' holds no text{}.", path.string(),
                                   isNamedCompressed ? ", compressed or not, but other bytes" : ", but other bytes"),
                       isNamedCompressed ? "It may be damaged; fetch it again."
                                         : "Is it another kind of file? " + std::string(kReadable));
}

constexpr const char* kOtherEnding = "Give it the ending of what it holds, such as .jsonl or .csv.";

// What comes in the place of a file where a page asks for an account or says that there is none.
void refuseWebPage(const fs::path& path, std::string_view bytes) {
    const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    const std::string first = lowered(std::string(bytes.substr(begin, 16)));
    if ((first.starts_with("<!doctype html") || first.starts_with("<html")) && !hasTextEnding(path))
        throw invalidInput(fmt::format("'{}' is a web page, not the file itself.", path.string()),
                           "Open the page to see what it says, and fetch the file again.");
}

// Cells with quotes in them stand in quotes, so no table begins like that.
bool beginsWithJson(std::string_view bytes) {
    const auto after = [&](std::size_t at) { return std::min(bytes.find_first_not_of(" \t\r\n", at), bytes.size()); };
    const std::size_t begin = after(0);
    const std::string_view second = bytes.substr(begin == bytes.size() ? begin : after(begin + 1), 1);
    return (bytes.substr(begin, 1) == "{" && second == "\"") || (bytes.substr(begin, 1) == "[" && second == "{");
}

// What its first bytes say, or else its name, which must not say something else.
std::optional<FileKind> columnarKindOf(const fs::path& path, const std::string& ending, std::string_view bytes) {
    if (bytes.starts_with(kParquetMagic)) return FileKind::kParquet;
    if (bytes.starts_with(kArrowMagic) || bytes.starts_with(kArrowMessage)) return FileKind::kArrow;
    if (ending != ".parquet" && ending != ".arrow") return std::nullopt;
    if (bytes.empty()) throw invalidInput(fmt::format("'{}' has no rows: it is empty.", path.string()));
    throw invalidInput(fmt::format("'{}' is no {} file, though its name says so.", path.string(),
                                   toString(ending == ".parquet" ? FileKind::kParquet : FileKind::kArrow)),
                       isBinary(bytes) ? "It may be damaged; fetch it again." : kOtherEnding);
}

// The first character that is no blank, which stays where it is; '\0' at the end of the file.
char firstCharacter(ByteStream& bytes) {
    for (std::string_view chunk = bytes.peek(); !chunk.empty(); chunk = bytes.peek()) {
        const std::size_t found = chunk.find_first_not_of(" \t\r\n");
        bytes.consume(found == std::string_view::npos ? chunk.size() : found);
        if (found != std::string_view::npos) return bytes.peek().front();
    }
    return '\0';
}

// Such as settings; a row that is written over several lines has a field of some format.
bool holdsOneObjectThatIsNoRow(const RowFile& file) {
    ByteStream bytes(file.path, file.compression);
    bytes.skipIf(kByteOrderMark);
    JsonObjects objects(bytes, 0);
    FileRecord object, another;
    if (!objects.next(object) || objects.next(another)) return false;
    const auto row = nlohmann::json::parse(object.text, nullptr, false);
    if (row.is_discarded()) return false; // whoever reads it says where it is none
    return std::ranges::none_of(session::columnFieldsOf(DataFormat::kAuto),
                                [&](const std::string& field) { return row.contains(field); });
}

void lookAtJson(const std::string& ending, ByteStream& bytes, RowFile& file) {
    const std::string path = file.path.string();
    const int64_t start = bytes.offset();
    const char first = firstCharacter(bytes);
    if (first == '\0') {
        if (!bytes.problem().empty()) throw invalidInput(fmt::format("'{}': {}.", path, bytes.problem()));
        throw invalidInput(fmt::format("'{}' has no rows: it is empty.", path));
    }
    if (first != '{' && first != '[') {
        if (!isOneOf(ending, {".jsonl", ".ndjson", ".json"}))
            throw unsupported(fmt::format("'{}' is no kind of file that we know.", path), kReadable);
        return; // lines, the first of which is none
    }
    JsonLayout layout = layoutOf(bytes.peek());
    file.kind = layout.kind;
    file.listKey = std::move(layout.listKey);
    file.hasListBefore = layout.hasListBefore;
    // Lines are counted from the first; an array's elements start behind its bracket.
    file.firstRowOffset =
        file.kind == FileKind::kJsonLines ? start : bytes.offset() + static_cast<int64_t>(layout.firstRow);
    if (file.kind == FileKind::kJsonObjects && ending == ".json" && holdsOneObjectThatIsNoRow(file))
        throw invalidInput(fmt::format("'{}' is one JSON object, not rows.", path),
                           "Rows are a list of objects (by itself or as the object's 'data'), or one object on each "
                           "line.");
}

} // namespace

const char* toString(FileKind kind) {
    static constexpr const char* kNames[] = {"JSONL", "JSON array", "JSON objects", "CSV",
                                             "TSV",   "Parquet",    "Arrow",        "text"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* unitOf(FileKind kind) {
    static constexpr const char* kUnits[] = {"line", "element", "object", "record", "record", "row", "row", "passage"};
    return kUnits[static_cast<std::size_t>(kind)];
}

bool isColumnar(FileKind kind) {
    return kind == FileKind::kParquet || kind == FileKind::kArrow;
}

bool hasRowEnding(const fs::path& path) {
    return isOneOf(innerEnding(path), {".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow"});
}

bool hasTextEnding(const fs::path& path) {
    return isOneOf(innerEnding(path), {".txt", ".md"});
}

RowFile examineFile(const fs::path& path, const TableLayout& table) {
    RowFile file;
    file.path = path;
    const std::string ending = innerEnding(path);
    {
        ByteStream raw(path);
        refuseLfsPointer(path, raw.peek());
        if (const auto kind = columnarKindOf(path, ending, raw.peek())) {
            file.kind = *kind;
            return file;
        }
        refuseOtherFormats(path, raw.peek());
        file.compression = compressionOf(raw.peek());
    }
    ByteStream bytes(path, file.compression);
    refuseUtf16(path, bytes.peek().substr(0, 4));
    refuseBinary(path, bytes.peek());
    bytes.skipIf(kByteOrderMark);
    refuseWebPage(path, bytes.peek());
    file.firstRowOffset = bytes.offset();
    if (isOneOf(ending, {".csv", ".tsv"})) {
        file.kind = ending == ".csv" ? FileKind::kCsv : FileKind::kTsv;
        if (beginsWithJson(bytes.peek()))
            throw invalidInput(
                fmt::format("'{}' holds JSON, though its name says {}.", path.string(), toString(file.kind)),
                kOtherEnding);
        readTableHeader(bytes, table, file);
    } else if (hasTextEnding(path)) {
        file.kind = FileKind::kText;
        if (firstCharacter(bytes) == '\0')
            throw invalidInput(fmt::format("'{}' has no rows: it is empty.", path.string()));
    } else {
        lookAtJson(ending, bytes, file);
    }
    return file;
}

} // namespace roundpipe::data
