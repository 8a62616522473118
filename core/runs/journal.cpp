// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/journal.h"

#include "base/content_hash.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/secrets.h"
#include "base/units.h"
#include "runs/checkpoint_manifest.h"
#include "runs/json_lines.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool endsInALine(const fs::path& file) {
    std::error_code none;
    if (!fs::exists(file, none)) return true;
    const FileReader reader(file);
    if (reader.sizeBytes() == 0) return true;
    std::byte last{};
    reader.readAt(reader.sizeBytes() - 1, std::span(&last, 1));
    return last == std::byte{'\n'};
}

std::optional<JournalEntry> entryIn(const std::string& line) {
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    try {
        const auto event = fromSpelling<JournalEvent>(json.at("event").get<std::string>());
        if (!event) return std::nullopt;
        return JournalEntry{wholeNumberAt(json, "time"),
                            json.at("elapsed").get<double>(),
                            *event,
                            wholeNumberAt(json, "step"),
                            json.at("what").get<std::string>(),
                            withoutSecrets(json.at("text").get<std::string>()),
                            json.value("run", "")};
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

} // namespace

Journal::Journal(fs::path file, fs::path shownAs)
    : m_file(std::move(file)), m_shownAs(std::move(shownAs)), m_beginNs(steadyNowNs()) {
    try {
        if (!endsInALine(m_file)) appendLine(m_file, "\n");
    } catch (const Error& error) {
        warn(error.message());
    }
}

void Journal::warn(const std::string& words) const {
    std::string shown = words;
    if (const std::size_t at = shown.find(m_file.native()); !m_shownAs.empty() && at != std::string::npos)
        shown.replace(at, m_file.native().size(), m_shownAs.native());
    log::warning(shown);
}

bool Journal::isAnother() const {
    if (!m_stamp || stampOf(m_file) == *m_stamp) return false;
    return std::ranges::none_of(readJournal(m_file), [this](const JournalEntry& entry) { return entry.run == m_run; });
}

void Journal::goOnIn(fs::path file, fs::path shownAs) {
    const std::scoped_lock lock(m_mutex);
    m_file = std::move(file);
    m_shownAs = std::move(shownAs);
}

void Journal::add(JournalEvent event, int64_t step, const std::string& what, const std::string& text,
                  const std::string& run) {
    using namespace std::chrono;
    Json json = {{"time", duration_cast<seconds>(system_clock::now().time_since_epoch()).count()},
                 {"elapsed", static_cast<double>(steadyNowNs() - m_beginNs) * 1e-9},
                 {"event", spellingOf(event)},
                 {"step", step},
                 {"what", what},
                 {"text", withoutSecrets(text)}};
    if (!run.empty()) json["run"] = run;
    const std::scoped_lock lock(m_mutex);
    const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (event == JournalEvent::kBegun) {
        m_begun = line;
        m_run = run;
    }
    m_unwritten += line;
    try {
        const std::string before = isAnother() ? (endsInALine(m_file) ? "" : "\n") + m_begun : std::string();
        appendLine(m_file, before + m_unwritten);
        m_stamp = stampOf(m_file);
        m_unwritten.clear();
        flushToDisk(m_file);
        m_isWarnedOf = false;
    } catch (const Error& error) {
        if (!std::exchange(m_isWarnedOf, true)) warn(error.message());
    }
}

std::vector<JournalEntry> readJournal(const fs::path& file) {
    std::vector<JournalEntry> entries;
    std::error_code none;
    if (!fs::exists(file, none)) return entries;
    std::istringstream lines(readTextFile(file, kMostOfLines));
    for (std::string line; std::getline(lines, line) && !lines.eof();) // the last one may be under way
        if (auto entry = entryIn(line)) entries.push_back(std::move(*entry));
    return entries;
}

std::string lookOf(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->is_regular_file(failed) && entry->path().filename() != kManifestFile) files.push_back(entry->path());
    if (files.empty()) return {};
    std::ranges::sort(files);
    ContentHasher hasher;
    const auto add = [&](const std::string& text) { hasher.add(std::as_bytes(std::span(text))); };
    for (const fs::path& path : files) {
        const FileReader file(path);
        std::string head(static_cast<std::size_t>(std::min(file.sizeBytes(), int64_t{1} << 20)), '\0');
        file.readAt(0, std::as_writable_bytes(std::span(head)));
        add(path.filename().string() + '/' + std::to_string(file.sizeBytes()) + '/');
        add(head);
    }
    return hasher.hex();
}

} // namespace roundpipe::runs
