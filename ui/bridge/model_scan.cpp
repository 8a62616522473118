// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/model_scan.h"

#include <set>

namespace roundpipe::ui::bridge {

ModelScan::~ModelScan() {
    m_thread.request_stop();
}

void ModelScan::start(const std::filesystem::path& huggingFaceCache, const QStringList& folders) {
    m_thread = {}; // asks the scan before to stop, and waits for the folder that it reads
    std::vector<std::filesystem::path> roots;
    for (const QString& folder : folders)
        roots.emplace_back(folder.toStdString());
    m_isWorking = true;
    m_thread = std::jthread([this, number = ++m_number, huggingFaceCache, roots](const std::stop_token& stop) {
        run(stop, number, huggingFaceCache, roots);
    });
}

void ModelScan::run(const std::stop_token& stop, int number, const std::filesystem::path& cache,
                    const std::vector<std::filesystem::path>& folders) {
    std::set<std::filesystem::path> told;
    const auto tell = [&](const std::vector<std::filesystem::path>& paths, bool isCached) {
        for (const std::filesystem::path& path : paths) {
            if (stop.stop_requested()) return;
            if (!told.insert(path).second) continue;
            auto model = std::make_shared<const arch::ModelFolder>(arch::readModelFolder(path));
            QMetaObject::invokeMethod(
                this,
                [this, number, model, isCached] {
                    if (number == m_number) emit found(model, isCached);
                },
                Qt::QueuedConnection);
        }
    };
    tell(arch::modelsInHuggingFaceCache(cache), true);
    for (const std::filesystem::path& folder : folders)
        tell(arch::findModelFolders(folder), false);
    QMetaObject::invokeMethod(
        this,
        [this, number] {
            if (number != m_number) return;
            m_isWorking = false;
            emit finished();
        },
        Qt::QueuedConnection);
}

} // namespace roundpipe::ui::bridge
