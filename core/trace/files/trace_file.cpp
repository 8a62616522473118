// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/trace_file.h"

#include "base/error.h"
#include "base/json_problem.h"
#include "base/secrets.h"
#include "base/user_folders.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <type_traits>
#include <unistd.h>

namespace roundpipe::trace {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kUnit = sizeof(Record);
constexpr std::array<char, 16> kMark = {'R', 'o', 'u', 'n', 'd', 'P', 'i', 'p',
                                        'e', ' ', 't', 'r', 'a', 'c', 'e', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxHeaderBytes = 16U << 20;
constexpr std::size_t kBlock = 4096; // records
constexpr std::chrono::milliseconds kPeriod(250);
constexpr int64_t kLatestNs = int64_t{1} << 62; // of an origin, so that no sum of times overflows

struct FileHead {
    std::array<char, 16> mark = kMark;
    uint32_t version = kVersion;
    uint32_t recordBytes = kUnit;
    uint32_t headerBytes = 0; // of the JSON with its padding
    std::array<std::byte, 36> reserved{};
};
struct FileEnd {
    std::array<char, 16> mark = {'e', 'n', 'd', ' ', 'o', 'f', ' ', 't', 'h', 'e', ' ', 't', 'r', 'a', 'c', 'e'};
    int64_t unitsBefore = 0; // of 64 bytes
    uint64_t numLost = 0;
    std::array<std::byte, 32> reserved{};
};
static_assert(sizeof(FileHead) == kUnit && sizeof(FileEnd) == kUnit);
static_assert(std::endian::native == std::endian::little && std::is_trivially_copyable_v<Record>);

template <class Value>
std::span<const std::byte> bytesOf(const Value& value) {
    return std::as_bytes(std::span(&value, 1));
}

// A device driver's name may hold anything; invalid UTF-8 is replaced.
std::string beginning(const std::vector<Lane>& lanes, int64_t originNs, const TraceAbout& about) {
    ordered_json facts = ordered_json::array();
    for (const Fact& fact : about.facts)
        facts.push_back({fact.name, fact.value});
    const ordered_json header = {{"devices", deviceNamesOf(lanes)},
                                 {"origin_ns", originNs},
                                 {"layers", about.layerNames},
                                 {"facts", std::move(facts)}};
    std::string text = header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    text.append(kUnit - text.size() % kUnit - 1, ' ');
    text += '\n';
    FileHead head;
    head.headerBytes = static_cast<uint32_t>(text.size());
    return std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
}

bool isNothing(const Record& record) {
    static constexpr std::array<char, kUnit> kNothing{};
    return std::memcmp(&record, kNothing.data(), kUnit) == 0;
}

const char* whatIsWrong(const Record& record, std::size_t numLanes, int64_t originNs) {
    constexpr int64_t kLongestNs = int64_t{400} * 24 * 3600 * 1'000'000'000;
    std::byte flag{};
    std::memcpy(&flag, reinterpret_cast<const std::byte*>(&record) + offsetof(Record, isGradient), 1);
    if (!record.lane.valid() || record.lane.index() >= numLanes) return "its lane is none of the trace's";
    if (static_cast<int>(record.kind) >= kNumKinds) return "its kind is unknown";
    if (static_cast<int>(record.reason) >= kNumIdleReasons) return "its reason to wait is unknown";
    if (flag > std::byte{1}) return "it carries neither an activation nor a gradient";
    if (record.startNs < originNs - kLongestNs || record.endNs > originNs + kLongestNs)
        return "it lies over a year away from the trace's beginning";
    if (record.endNs < record.startNs) return "it ends before it starts";
    return nullptr;
}

} // namespace

TraceFileWriter::TraceFileWriter(const std::filesystem::path& path, const std::vector<Lane>& lanes, int64_t originNs,
                                 const TraceAbout& about)
    : m_path(path) {
    requireReplaceable(path);
    ::unlink(path.c_str()); // not written over: it may have another name, too
    m_descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (m_descriptor < 0) throw ioError("write", path, errno);
    try {
        const std::string head = beginning(lanes, originNs, about);
        write(std::as_bytes(std::span(head)));
    } catch (...) {
        ::close(m_descriptor);
        throw;
    }
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

TraceFileWriter::~TraceFileWriter() {
    m_thread = {}; // its last act is to write the rest
    if (m_descriptor >= 0) ::close(m_descriptor);
}

void TraceFileWriter::append(std::span<const Record> records) {
    const std::scoped_lock lock(m_mutex);
    if (m_failure || m_pending.size() + records.size() > kMaxPending)
        m_numLeftOut += std::ssize(records);
    else
        m_pending.insert(m_pending.end(), records.begin(), records.end());
}

int64_t TraceFileWriter::numLeftOut() const {
    const std::scoped_lock lock(m_mutex);
    return m_numLeftOut;
}

void TraceFileWriter::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, stop, kPeriod, [] { return false; });
        }
        writeOut();
    }
    writeOut();
}

void TraceFileWriter::writeOut() {
    m_batch.clear();
    {
        const std::scoped_lock lock(m_mutex);
        m_batch.swap(m_pending);
        if (m_failure) return;
    }
    try {
        write(std::as_bytes(std::span(m_batch)));
    } catch (const Error&) {
        const std::scoped_lock lock(m_mutex);
        m_failure = std::current_exception();
        m_numLeftOut += std::ssize(m_batch); // some of it may stand there
    }
}

void TraceFileWriter::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(m_descriptor, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) throw ioError("write", m_path, errno);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
}

void TraceFileWriter::finish(uint64_t numLost) {
    m_thread = {};
    if (m_failure) std::rethrow_exception(m_failure);
    FileEnd end;
    end.unitsBefore = ::lseek(m_descriptor, 0, SEEK_CUR) / static_cast<int64_t>(kUnit);
    end.numLost = numLost + static_cast<uint64_t>(m_numLeftOut);
    write(bytesOf(end));
    if (::fsync(m_descriptor) != 0) throw ioError("write", m_path, errno);
}

TraceFile::TraceFile(const std::filesystem::path& path) : m_file(path) {
    FileHead head;
    if (m_file.sizeBytes() < static_cast<int64_t>(kUnit)) refuse(0, "it is too short to be one");
    m_file.readAt(0, std::as_writable_bytes(std::span(&head, 1)));
    if (head.mark != kMark) refuse(0, "it does not begin like one");
    if (head.version != kVersion || head.recordBytes != kUnit)
        refuse(16, fmt::format("it has version {}, this program knows version {}", head.version, kVersion));
    const auto at = static_cast<int64_t>(kUnit);
    if (head.headerBytes % kUnit != 0 || head.headerBytes > kMaxHeaderBytes ||
        head.headerBytes > m_file.sizeBytes() - at)
        refuse(24, "its header is said to be longer than the file");
    std::string header(head.headerBytes, '\0');
    m_file.readAt(at, std::as_writable_bytes(std::span(header)));
    readHeader(header);
    m_recordsAt = at + head.headerBytes;
    m_numRecords = (m_file.sizeBytes() - m_recordsAt) / static_cast<int64_t>(kUnit); // a torn last one is none
    readEnd();
}

void TraceFile::refuse(int64_t offset, const std::string& why) const {
    throw invalidInput(
        fmt::format("'{}' is no trace that can be read: at byte {}, {}.", m_file.path().string(), offset, why),
        "Traces are the trace.rptrace files of run folders, and what `roundpipe plan --trace FILE.rptrace` writes.");
}

void TraceFile::readHeader(std::string_view json) {
    try {
        const ordered_json header = ordered_json::parse(json);
        m_lanes = makeLanes(header.at("devices").get<std::vector<std::string>>());
        const ordered_json& origin = header.at("origin_ns"); // of a fraction beyond all integers get() is undefined
        m_originNs = origin.is_number_integer() ? origin.get<int64_t>() : -1;
        if (m_originNs < 0 || m_originNs > kLatestNs) refuse(static_cast<int64_t>(kUnit), "its origin makes no sense");
        m_about.layerNames = header.at("layers").get<std::vector<std::string>>();
        for (const ordered_json& fact : header.at("facts"))
            m_about.facts.push_back({fact.at(0).get<std::string>(), withoutSecrets(fact.at(1).get<std::string>())});
    } catch (const nlohmann::json::exception& error) {
        refuse(static_cast<int64_t>(kUnit),
               fmt::format("its header is wrong ({})", wordsForJsonError(error.id, error.what(), json)));
    }
}

void TraceFile::readEnd() {
    if (m_numRecords == 0) return;
    FileEnd end;
    const int64_t at = m_recordsAt + (m_numRecords - 1) * static_cast<int64_t>(kUnit);
    m_file.readAt(at, std::as_writable_bytes(std::span(&end, 1)));
    m_complete = end.mark == FileEnd().mark;
    if (!m_complete) return;
    --m_numRecords;
    m_numLost = end.numLost;
    if (at % static_cast<int64_t>(kUnit) != 0 || end.unitsBefore != at / static_cast<int64_t>(kUnit))
        refuse(at, "records before its end are missing");
}

void TraceFile::read(const std::function<bool(std::span<const Record>)>& take) const {
    std::vector<Record> block(kBlock);
    for (int64_t first = 0; first < m_numRecords; first += std::ssize(block)) {
        const int64_t offset = m_recordsAt + first * static_cast<int64_t>(kUnit);
        block.resize(static_cast<std::size_t>(std::min<int64_t>(kBlock, m_numRecords - first)));
        m_file.readAt(offset, std::as_writable_bytes(std::span(block)));
        for (std::size_t i = 0; i < block.size(); ++i) {
            // A machine that went down may leave a tail that was never written.
            if (!m_complete && isNothing(block[i])) {
                take(std::span(block).first(i));
                return;
            }
            if (const char* wrong = whatIsWrong(block[i], m_lanes.size(), m_originNs))
                refuse(offset + static_cast<int64_t>(i * kUnit),
                       fmt::format("record {} makes no sense: {}", first + static_cast<int64_t>(i) + 1, wrong));
        }
        if (!take(block)) return;
    }
}

LaneStore readTrace(const TraceFile& file, const ProgressCallback& goOn, int64_t budgetBytes) {
    LaneStore store(file.lanes(), file.originNs(), file.about());
    if (budgetBytes > 0) store.setBudget(budgetBytes, userCacheFolder());
    int64_t numRead = 0;
    file.read([&](std::span<const Record> records) {
        store.append(records);
        numRead += std::ssize(records);
        if (goOn && !goOn(static_cast<double>(numRead) / static_cast<double>(file.numRecords())))
            throw Error(ErrorKind::kCancelled, "The trace was not opened to its end.");
        return true;
    });
    return store;
}

void writeTraceFile(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& goOn) {
    std::size_t total = 0;
    for (const SliceList& slices : trace.slices)
        total += slices.size();
    writeFileAtomically(to, [&](const auto& put) {
        std::string head = beginning(trace.lanes, trace.originNs, trace.about);
        put(std::as_bytes(std::span(head)));
        std::vector<Record> block;
        std::size_t written = 0;
        const auto flush = [&] {
            put(std::as_bytes(std::span(block)));
            written += block.size();
            block.clear();
            if (goOn && !goOn(static_cast<double>(written) / static_cast<double>(total)))
                throw Error(ErrorKind::kCancelled, "The trace was not written.");
        };
        for (const SliceList& slices : trace.slices)
            for (std::size_t i = 0; i < slices.size(); ++i) {
                block.push_back(slices[i]);
                if (block.size() == kBlock) flush();
            }
        flush();
        FileEnd end;
        end.unitsBefore = static_cast<int64_t>(head.size() / kUnit + total);
        put(bytesOf(end));
    });
}

} // namespace roundpipe::trace
