#include "engine/run_folder.h"

#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace roundpipe::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSpecFile = "run.json";
constexpr const char* kMetricsFile = "metrics.jsonl";

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw ioError("make the folder", folder, failed.value());
}

} // namespace

RunFolder::RunFolder(const fs::path& folder, bool resume) : m_path(fs::absolute(folder)) {
    if (folder.empty()) throw invalidInput("'output.folder' is empty.", "Choose a folder for the run.");
    if (fs::exists(m_path) && !fs::is_directory(m_path))
        throw invalidInput("'" + m_path.string() + "' is a file.", "Choose a folder for the run.");
    if (!resume && fs::exists(m_path / kMetricsFile))
        throw invalidInput("'" + m_path.string() + "' holds the results of another run.",
                           "Choose another folder, remove that one, or go on with it by --resume.");
    makeFolder(m_path / "checkpoints");
    writeFileAtomically(m_path / ".writable", "");
    fs::remove(m_path / ".writable");
}

bool RunFolder::hasCheckpoint() const {
    return fs::exists(lastCheckpoint() / "state.json");
}

void RunFolder::writeSpec(const session::RunSpec& spec) const {
    writeFileAtomically(m_path / kSpecFile, session::toJson(spec));
}

void RunFolder::appendMetrics(const session::StepMetrics& metrics) {
    const fs::path path = m_path / kMetricsFile;
    const std::string line = toJsonLine(metrics);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) throw ioError("write", path, errno);
    const ssize_t put = ::write(descriptor, line.data(), line.size());
    const int failed = put == static_cast<ssize_t>(line.size()) ? 0 : put < 0 ? errno : ENOSPC;
    ::close(descriptor);
    if (failed != 0) throw ioError("write", path, failed);
}

void RunFolder::truncateMetrics(int64_t step) {
    const fs::path path = m_path / kMetricsFile;
    if (!fs::exists(path)) return;
    std::istringstream lines(readTextFile(path));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (json.is_object() && json.value("step", step + 1) <= step) kept += line + "\n";
    }
    writeFileAtomically(path, kept);
}

std::string toJsonLine(const session::StepMetrics& metrics) {
    nlohmann::ordered_json json;
    json["step"] = metrics.step;
    json["loss"] = metrics.loss;
    json["validation_loss"] = metrics.validationLoss ? nlohmann::ordered_json(*metrics.validationLoss) : nullptr;
    json["lr"] = metrics.learningRate;
    json["grad_norm"] = metrics.gradNorm;
    json["tokens"] = metrics.tokens;
    json["trained_tokens"] = metrics.trainedTokens;
    json["seconds"] = metrics.seconds;
    return json.dump() + "\n";
}

} // namespace roundpipe::engine
