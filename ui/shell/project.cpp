#include "ui/shell/project.h"

#include "base/error.h"
#include "base/file.h"
#include "base/user_folders.h"

#include <nlohmann/json.hpp>

#include <array>
#include <ctime>

namespace roundpipe::ui::shell {
namespace {

std::vector<std::string> readPrompts(const std::filesystem::path& path) {
    const nlohmann::json json = nlohmann::json::parse(readTextFile(path), nullptr, false);
    const auto refuse = [&] {
        return invalidInput("'" + path.string() + "' is not a JSON list of strings.",
                            "Write the sample prompts as [\"first prompt\", \"second prompt\"].");
    };
    if (!json.is_array()) throw refuse();
    std::vector<std::string> prompts;
    for (const nlohmann::json& prompt : json) {
        if (!prompt.is_string()) throw refuse();
        prompts.push_back(prompt.get<std::string>());
    }
    return prompts;
}

std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
    return text.data();
}

} // namespace

Project openProject(const std::filesystem::path& runFile) {
    Project project{std::filesystem::absolute(runFile), session::readRunSpec(runFile), {}};
    const std::filesystem::path folder = project.file.parent_path();
    for (const std::filesystem::path& prompts : {folder / "data" / "prompts.json", folder / "prompts.json"})
        if (std::filesystem::exists(prompts)) {
            project.prompts = readPrompts(prompts);
            break;
        }
    return project;
}

session::RunSpec specForNewRun(const Project& project) {
    session::RunSpec spec = project.spec;
    if (spec.output.folder.empty()) {
        const std::string name = project.file.parent_path().filename().string();
        spec.output.folder = (userDataFolder() / "runs" / (name + "-" + timestamp())).string();
    }
    return spec;
}

} // namespace roundpipe::ui::shell
