// The LibTorch engine as a shared library, opened while the window is already on show.
#pragma once

#include "session/engine.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <thread>

namespace roundpipe::studio {

// The plugin's entry: a new engine, owned by the caller. Errors are exceptions.
inline constexpr const char* kEngineEntry = "roundpipe_make_engine";
using EngineEntry = session::Engine* (*)();

// Beside the program, in ../lib/roundpipe, or where the build put it; empty: nowhere.
std::filesystem::path findEngineLibrary();

// Opens the library in a thread of its own (it takes a second or two: LibTorch is large) and reports on the GUI's
// thread. A library stays open for good: LibTorch does not survive being closed.
class EngineLibrary : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void load(const std::filesystem::path& library); // once

    // After loaded(): the engine that the library made.
    std::unique_ptr<session::Engine> takeEngine() { return std::move(m_engine); }

signals:
    void loaded();
    void failed(const QString& why);

private:
    void open(const std::filesystem::path& library);

    std::unique_ptr<session::Engine> m_engine; // set by the thread before loaded() is posted
    std::jthread m_thread;
};

} // namespace roundpipe::studio
