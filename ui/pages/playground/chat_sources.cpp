// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/chat_sources.h"

#include "base/error.h"
#include "base/file.h"
#include "runs/run_files.h"
#include "session/chat.h"
#include "ui/widgets/one_line.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRuns = 40; // the latest
constexpr int64_t kMostOfConfig = 1 << 20;

struct SourceWords { // the context of their translations
    Q_DECLARE_TR_FUNCTIONS(ChatSources)
};

bool isFile(const fs::path& file) {
    std::error_code none;
    return fs::is_regular_file(file, none);
}

bool isSame(const fs::path& one, const fs::path& other) {
    std::error_code gone;
    return !other.empty() && fs::equivalent(one, other, gone);
}

// What lies there answers: an adapter on the run's model, or a model of its own.
void add(std::vector<ChatSource>& sources, const QString& name, const fs::path& folder, const fs::path& base) {
    if (isFile(folder / "adapter_config.json"))
        sources.push_back({name, folder, base});
    else if (isFile(folder / "config.json"))
        sources.push_back({name, {}, folder});
}

void addRun(std::vector<ChatSource>& sources, const runs::StoredRun& run) {
    fs::path base;
    try {
        base = runs::specOf(run.folder).model.path;
    } catch (const Error&) {
        return; // it can't be said what it answers with
    }
    const QString name = widgets::inOneLine(run.name);
    const runs::RunFiles files{run.folder};
    const auto at = [&](const QString& what, int64_t step) {
        return SourceWords::tr("%1 · %2, step %3").arg(name, what).arg(step);
    };
    const QString result = at(SourceWords::tr("result"), run.steps);
    add(sources, result, files.adapter(), base);
    add(sources, result, files.model(), base);
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints) {
        const QString what = checkpoint.name == "best"   ? SourceWords::tr("best checkpoint")
                             : checkpoint.name == "last" ? SourceWords::tr("last checkpoint")
                                                         : SourceWords::tr("checkpoint");
        add(sources, at(what, checkpoint.step), files.checkpoints() / checkpoint.name, base);
    }
}

} // namespace

std::vector<ChatSource> sourcesOf(const std::vector<runs::StoredRun>& latestFirst, const fs::path& ofProject) {
    std::vector<runs::StoredRun> ordered = latestFirst;
    std::ranges::stable_partition(ordered, [&](const runs::StoredRun& run) { return isSame(run.folder, ofProject); });
    const bool isListed = !ordered.empty() && isSame(ordered.front().folder, ofProject);
    if (std::error_code none; !isListed && fs::is_directory(ofProject, none))
        ordered.insert(ordered.begin(), runs::readRun(ofProject)); // it lies elsewhere
    if (ordered.size() > kMostRuns) ordered.resize(kMostRuns);
    std::vector<ChatSource> sources;
    for (const runs::StoredRun& run : ordered)
        addRun(sources, run);
    return sources;
}

ChatSource sourceOf(const fs::path& adapter, const fs::path& otherwise) {
    ChatSource source{QString::fromStdString(session::nameOfFolder(adapter.string())), adapter, otherwise};
    try {
        const std::string text = readTextFile(adapter / "adapter_config.json", kMostOfConfig);
        const QJsonObject config = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        const fs::path base = config[QStringLiteral("base_model_name_or_path")].toString().toStdString();
        if (isFile(base / "config.json")) source.model = base;
    } catch (const Error&) {
        // loading says what is wrong with the folder
    }
    return source;
}

} // namespace roundpipe::ui::pages
