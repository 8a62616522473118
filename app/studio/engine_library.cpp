// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library.h"

#include "base/error.h"
#include "base/program_file.h"
#include "base/set_up_libraries.h"

#include <dlfcn.h>

#include <exception>

namespace roundpipe::studio {
namespace {

constexpr const char* kFileName = "libroundpipe_engine_plugin.so";

} // namespace

std::filesystem::path findEngineLibrary() {
    const std::filesystem::path own = programFile(kFileName);
#ifdef ROUNDPIPE_ENGINE_PLUGIN
    if (own.empty() && std::filesystem::exists(ROUNDPIPE_ENGINE_PLUGIN)) return ROUNDPIPE_ENGINE_PLUGIN;
#endif
    return own;
}

namespace {

std::string commandLineProgram() {
    std::filesystem::path program = programFolder() / "roundpipe";
#ifdef ROUNDPIPE_PROGRAM
    std::error_code absent;
    if (!std::filesystem::exists(program, absent)) program = ROUNDPIPE_PROGRAM;
#endif
    return program.string();
}

} // namespace

std::vector<std::string> hostCommand() {
    return {commandLineProgram(), "host"};
}

std::vector<std::string> queueCommand() {
    return {commandLineProgram(), "queue", "run"};
}

void EngineLibrary::load(const std::filesystem::path& library) {
    m_thread = std::jthread([this, library] { open(library); });
}

session::RigProbe EngineLibrary::rigProbe() const {
    return [opened = m_opened](const std::vector<std::string>& deviceNames, const std::stop_token& stop) {
        std::unique_lock lock(opened->mutex);
        if (!opened->changed.wait(lock, stop, [&] { return opened->probe || !opened->problem.isEmpty(); }))
            throw Error(ErrorKind::kCancelled, "The measuring of this machine was given up.");
        if (!opened->probe)
            throw Error(ErrorKind::kDevice,
                        tr("Without the engine this machine can't be measured: %1").arg(opened->problem).toStdString(),
                        tr("Choose a rig on the Plan page, or describe one, as in 4x4090,ram=256.").toStdString());
        lock.unlock();
        plan::Rig rig;
        opened->probe(deviceNames, rig);
        return rig;
    };
}

session::ChatOpener EngineLibrary::chatOpener() const {
    return [open = m_openChat](const session::ChatSetup& setup,
                               const std::function<bool(const session::Activity&)>& onActivity) {
        return std::unique_ptr<session::Chat>(open(setup, onActivity));
    };
}

void EngineLibrary::tell(ProbeEntry probe, const QString& problem) {
    {
        const std::lock_guard lock(m_opened->mutex);
        m_opened->probe = probe;
        m_opened->problem = problem;
    }
    m_opened->changed.notify_all();
    QMetaObject::invokeMethod(
        this, [this, problem] { problem.isEmpty() ? emit loaded() : emit failed(problem); }, Qt::QueuedConnection);
}

void EngineLibrary::open(const std::filesystem::path& library) {
    const auto fail = [this](const QString& why) { tell(nullptr, why); };
    if (library.empty())
        return fail(tr("%1 is not beside the program. Build it with packaging/run, or install it again.")
                        .arg(QString::fromLatin1(kFileName)));
    // What an installed plugin needs and knows no path to. One from the build folder does, to the same files.
    openSetUpLibrary("torch/lib", "libtorch_cpu.so");
    openSetUpLibrary("torch/lib", "libc10_cuda.so");
    openSetUpLibrary("nvidia/cudnn/lib", "libcudnn.so.");
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return fail(QString::fromLocal8Bit(dlerror()));
    const auto make = reinterpret_cast<EngineEntry>(dlsym(handle, kEngineEntry));
    const auto probe = reinterpret_cast<ProbeEntry>(dlsym(handle, kProbeEntry));
    const auto makeExporter = reinterpret_cast<ExporterEntry>(dlsym(handle, kExporterEntry));
    const auto openChat = reinterpret_cast<ChatEntry>(dlsym(handle, kChatEntry));
    const char* const lacking = make == nullptr           ? kEngineEntry
                                : makeExporter == nullptr ? kExporterEntry
                                : openChat == nullptr     ? kChatEntry
                                : probe == nullptr        ? kProbeEntry
                                                          : nullptr;
    if (lacking != nullptr)
        return fail(tr("%1 is not an engine of RoundPipe: it lacks %2.")
                        .arg(QString::fromStdString(library.string()), QString::fromLatin1(lacking)));
    try {
        m_engine.reset(make());
        m_exporter.reset(makeExporter());
        m_openChat = openChat;
    } catch (const std::exception& error) {
        return fail(QString::fromUtf8(error.what()));
    }
    tell(probe, {});
}

} // namespace roundpipe::studio
