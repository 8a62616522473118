#include "ui/document/new_run.h"

#include "base/user_folders.h"

#include <array>
#include <ctime>

namespace roundpipe::ui::document {
namespace {

std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
    return text.data();
}

} // namespace

session::RunSpec specForNewRun(const Document& document) {
    session::RunSpec spec = document.spec();
    if (spec.output.folder.empty())
        spec.output.folder =
            freshFolder(userDataFolder() / "runs", document.name().toStdString() + "-" + timestamp()).string();
    return spec;
}

} // namespace roundpipe::ui::document
