// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the model folders of this machine in a thread of its own, one after the other.
#pragma once

#include "arch/model_folder.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <thread>

namespace roundpipe::ui::bridge {

// GUI thread only. A new scan gives up the one before; nothing of it is told any more.
class ModelScan : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~ModelScan() override; // waits for the folder that is being read

    // Model folders in Hugging Face's cache, and in or below `folders`.
    void start(const std::filesystem::path& huggingFaceCache, const QStringList& folders);
    bool isWorking() const { return m_isWorking; }

signals:
    void found(std::shared_ptr<const roundpipe::arch::ModelFolder> model, bool isCached); // each folder once
    void finished();

private:
    void run(const std::stop_token& stop, int number, const std::filesystem::path& cache,
             const std::vector<std::filesystem::path>& folders);

    int m_number = 0; // of the scan whose findings count
    bool m_isWorking = false;
    std::jthread m_thread;
};

} // namespace roundpipe::ui::bridge
