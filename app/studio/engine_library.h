// SPDX-License-Identifier: GPL-3.0-or-later
// The LibTorch engine as a shared library, opened while the window is already on show.
#pragma once

#include "session/chat.h"
#include "session/engine.h"
#include "session/exporter.h"
#include "session/planning/planner.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::studio {

// The plugin's entries; errors are exceptions. A new engine, a door to exports and a model that answers, owned by the
// caller, and this machine, measured.
inline constexpr const char* kEngineEntry = "roundpipe_make_engine";
using EngineEntry = session::Engine* (*)();
inline constexpr const char* kExporterEntry = "roundpipe_make_exporter";
using ExporterEntry = session::Exporter* (*)();
inline constexpr const char* kChatEntry = "roundpipe_open_chat";
using ChatEntry = session::Chat* (*)(const session::ChatSetup& setup,
                                     const std::function<bool(const session::Activity&)>& onActivity);
inline constexpr const char* kProbeEntry = "roundpipe_probe_rig";
using ProbeEntry = void (*)(const std::vector<std::string>& deviceNames, plan::Rig& rig);

// The command that hosts a run in a process of its own: roundpipe beside the program, or where the build put it.
std::vector<std::string> hostCommand();
std::vector<std::string> queueCommand(); // likewise, that trains what waits

// Beside the program, in ../libexec/roundpipe, or where the build put it; empty: nowhere.
std::filesystem::path findEngineLibrary();

// Opens the library in a thread of its own (it takes a second or two: LibTorch is large) and reports on the GUI's
// thread. A library stays open for good: LibTorch does not survive being closed.
class EngineLibrary : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void load(const std::filesystem::path& library); // once

    // Waits until the library is open; throws kUnsupported where it can't be. Of any thread, and it may outlive this
    // object.
    session::RigProbe rigProbe() const;

    // After loaded(): what the library made.
    std::unique_ptr<session::Engine> takeEngine() { return std::move(m_engine); }
    std::unique_ptr<session::Exporter> takeExporter() { return std::move(m_exporter); }
    session::ChatOpener chatOpener() const;

signals:
    void loaded();
    void failed(const QString& why);

private:
    // What probes wait for.
    struct Opened {
        std::mutex mutex;
        std::condition_variable_any changed;
        ProbeEntry probe = nullptr; // guarded by the mutex, as is what follows
        QString problem;
    };
    void open(const std::filesystem::path& library);
    void tell(ProbeEntry probe, const QString& problem);

    std::unique_ptr<session::Engine> m_engine; // set by the thread before loaded() is posted, as are
    std::unique_ptr<session::Exporter> m_exporter;
    ChatEntry m_openChat = nullptr;
    const std::shared_ptr<Opened> m_opened = std::make_shared<Opened>();
    std::jthread m_thread;
};

} // namespace roundpipe::studio
