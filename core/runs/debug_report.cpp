// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/debug_report.h"

#include "base/error.h"
#include "base/file.h"
#include "base/secrets.h"
#include "base/units.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "runs/stored_run.h"
#include "runs/tar_gz.h"
#include "session/spec/no_secret.h"
#include "session/spec/run_spec.h"
#include "trace/files/trace_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostText = 1 << 20;                // of a file's end
constexpr int64_t kTraceNs = int64_t{60} * 1'000'000'000; // of its end
constexpr std::size_t kMostRecords = 1 << 20;             // 64 MiB

// Files of /proc have no size to read by; one that is missing is empty.
std::string contentOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Links to what is read of a run: a file of somebody else would get into the report.
std::vector<fs::path> linksAmong(const RunFiles& files) {
    std::vector<fs::path> links;
    std::error_code unseen;
    const auto look = [&](const fs::path& path) {
        if (fs::is_symlink(fs::symlink_status(path, unseen))) links.push_back(path);
    };
    for (const fs::path& path :
         {files.spec(), files.status(), files.metrics(), files.answers(), files.samplePrompts(), files.exports(),
          files.note(), files.journal(), files.log(), files.trace(), files.checkpoints()})
        look(path);
    if (!links.empty() && links.back() == files.checkpoints()) return links;
    for (fs::recursive_directory_iterator entry(files.checkpoints(), unseen), end; !unseen && entry != end;
         entry.increment(unseen))
        look(entry->path());
    return links;
}

std::string leftOut(const std::vector<fs::path>& links, const fs::path& runFolder) {
    std::string text;
    for (const fs::path& link : links)
        text += "'" + link.lexically_relative(runFolder).string() + "' is a link, and was left out.\n";
    return text;
}

// As it may be passed on: the user's folder tells his name.
std::string passedOn(std::string text) {
    text = withoutSecrets(std::move(text));
    const char* const set = std::getenv("HOME");
    const std::string home = set != nullptr ? fs::path(set).lexically_normal().string() : "";
    if (home.size() < 2) return text;
    for (std::size_t at = 0; (at = text.find(home, at)) != std::string::npos; ++at)
        text.replace(at, home.size(), "~");
    return text;
}

// What is said of rows quotes them: of a dropped one, of the first of many. The words before tell what it is about.
std::string withoutRows(const std::string& words) {
    const std::size_t at = std::min(words.find("dropped"), words.find("First: "));
    return at == std::string::npos ? words : words.substr(0, at) + "(what is said of rows is left out)";
}

std::string withoutLinesOfRows(const std::string& line) {
    return withoutRows(line) == line ? line : std::string();
}

// A file of JSON objects, whose words are without rows; what is no such object is left out.
std::string wordsOf(const std::string& text) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object()) return "";
    for (auto& value : json)
        if (value.is_string()) value = passedOn(withoutRows(value.get<std::string>()));
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// The last whole lines of a file, each as `told`.
std::string endOf(const fs::path& path, std::string (*told)(const std::string&)) {
    std::string text = contentOf(path);
    if (text.size() > kMostText) {
        text.erase(0, text.size() - kMostText);
        text.erase(0, text.find('\n') + 1);
    }
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        kept += told(text.substr(at, end - at));
        at = end;
    }
    return passedOn(kept);
}

std::string lineOf(const std::string& text, std::string_view key) {
    const std::size_t at = text.find(key);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

std::string aboutOf(const StoredRun& run) {
    utsname system{};
    ::uname(&system);
    std::string devices;
    for (const std::string& device : run.devices)
        devices += "  " + device + "\n";
    return fmt::format("RoundPipe Studio {}\n{}\n{} {}, {} processors\n{}\n{}\n{}\n\n{}, step {} of {}{}\n{}\n{}",
                       ROUNDPIPE_VERSION, lineOf(contentOf("/etc/os-release"), "PRETTY_NAME="), system.sysname,
                       system.release, ::sysconf(_SC_NPROCESSORS_ONLN), lineOf(contentOf("/proc/meminfo"), "MemTotal"),
                       lineOf(contentOf("/proc/meminfo"), "MemAvailable"),
                       lineOf(contentOf("/proc/driver/nvidia/version"), "NVRM version"), spellingOf(run.outcome),
                       run.steps, run.totalSteps, run.problem.empty() ? "" : ": " + withoutRows(run.problem), run.model,
                       devices);
}

// A user's own words become their number.
void forget(std::string& words) {
    if (!words.empty()) words = fmt::format("({} bytes of text)", words.size());
}

std::string settingsOf(const fs::path& runFolder) {
    session::RunSpec spec = runs::specOf(runFolder);
    for (session::DatasetSection& dataset : spec.data.datasets) {
        forget(dataset.systemPrompt);
        forget(dataset.promptTemplate);
    }
    forget(spec.model.chatTemplateArgs);
    for (const session::Field& field : session::runSpecFields()) // each by itself: a key without an end hides the rest
        for (std::size_t i = 0; i < (field.isOfDataset ? spec.data.datasets.size() : 1); ++i)
            field.set(spec, session::withoutSecretsIn(field.get(spec, i)), i);
    return session::toJson(spec);
}

// Beside a file; it goes with what lies in it.
class ScratchFolder {
public:
    explicit ScratchFolder(const fs::path& beside) {
        std::string name = (fs::absolute(beside).parent_path() / ".roundpipe-report-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw ioError("make the folder", name, errno);
        m_path = name;
    }
    ~ScratchFolder() {
        std::error_code absent;
        fs::remove_all(m_path, absent);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

trace::TraceAbout passedOn(trace::TraceAbout about) {
    for (std::string& name : about.layerNames)
        name = passedOn(std::move(name));
    for (trace::Fact& fact : about.facts)
        fact.value = passedOn(std::move(fact.value));
    return about;
}

// The last minute of it, as a trace file.
std::string traceOf(const fs::path& path, const fs::path& report, const std::function<bool()>& goOn) {
    const trace::TraceFile file(path);
    int64_t lastNs = 0;
    std::vector<trace::Record> kept;
    const auto gather = [&](std::span<const trace::Record> records) {
        for (const trace::Record& record : records)
            lastNs = std::max(lastNs, record.endNs);
        kept.insert(kept.end(), records.begin(), records.end());
        std::erase_if(kept, [&](const trace::Record& record) { return record.endNs < lastNs - kTraceNs; });
        if (kept.size() > kMostRecords) kept.erase(kept.begin(), kept.end() - kMostRecords);
        return !goOn || goOn();
    };
    file.read(gather);
    if (goOn && !goOn()) throw Error(ErrorKind::kCancelled, "The report was given up.");
    const ScratchFolder folder(report);
    const fs::path scratch = folder.path() / "trace.rptrace";
    {
        trace::TraceFileWriter writer(scratch, file.lanes(), file.originNs(), passedOn(file.about()));
        writer.append(kept);
        writer.finish(0);
    }
    return contentOf(scratch);
}

fs::path newestOf(const fs::path& folder) {
    fs::path newest;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        if (fs::is_regular_file(entry->symlink_status()) &&
            (newest.empty() || entry->last_write_time() > fs::last_write_time(newest)))
            newest = entry->path();
    return newest;
}

} // namespace

void writeDebugReport(const fs::path& runFolder, const fs::path& rigsFolder, const Destination& target,
                      const std::function<bool()>& goOn) {
    const RunFiles files{runFolder};
    TarGz report(withoutSecrets(runFolder.filename().string()).substr(0, 60) + "-report", std::time(nullptr));
    const auto add = [&](const char* name, const std::string& content) {
        if (!content.empty()) report.add(name, content);
    };
    if (!fs::is_directory(runFolder)) throw ioError("read the run", runFolder, ENOENT);
    const std::vector<fs::path> links = linksAmong(files);
    const auto isOwn = [&](const fs::path& path) { return std::ranges::find(links, path) == links.end(); };
    report.add("about.txt", passedOn(aboutOf(links.empty() ? readRun(runFolder) : StoredRun())));
    add("left-out.txt", passedOn(leftOut(links, runFolder)));
    try {
        if (isOwn(files.spec())) add("settings.json", passedOn(settingsOf(runFolder)));
    } catch (const Error& error) { // a broken one is what the report may be about
        add("settings-problem.txt", passedOn(error.message()));
    }
    if (isOwn(files.status())) add("status.json", passedOn(wordsOf(contentOf(files.status()))));
    for (const fs::path& path : {files.journal(), files.metrics()})
        if (isOwn(path)) add(path.filename().c_str(), endOf(path, wordsOf));
    if (isOwn(files.log())) add("run.log", endOf(files.log(), withoutLinesOfRows));
    if (isOwn(files.trace()) && fs::exists(files.trace())) {
        try {
            add("trace.rptrace", traceOf(files.trace(), target.path, goOn));
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::kInvalidInput) throw;
            add("trace-problem.txt", passedOn(error.message()));
        }
    }
    if (const fs::path rig = newestOf(rigsFolder); !rig.empty()) add("rig.json", passedOn(contentOf(rig)));
    report.write(target);
}

} // namespace roundpipe::runs
