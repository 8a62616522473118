#include "engine_library.h"

#include <QCoreApplication>

#include <dlfcn.h>

#include <exception>

namespace roundpipe::studio {
namespace {

constexpr const char* kFileName = "libroundpipe_engine_plugin.so";

} // namespace

std::filesystem::path findEngineLibrary() {
    const std::filesystem::path program = QCoreApplication::applicationDirPath().toStdString();
    for (const std::filesystem::path& place : {
             program / kFileName,
             program / ".." / "lib" / "roundpipe" / kFileName,
#ifdef ROUNDPIPE_ENGINE_PLUGIN
             std::filesystem::path(ROUNDPIPE_ENGINE_PLUGIN),
#endif
         })
        if (std::filesystem::exists(place)) return place;
    return {};
}

void EngineLibrary::load(const std::filesystem::path& library) {
    m_thread = std::jthread([this, library] { open(library); });
}

void EngineLibrary::open(const std::filesystem::path& library) {
    const auto fail = [this](const QString& why) {
        QMetaObject::invokeMethod(
            this, [this, why] { emit failed(why); }, Qt::QueuedConnection);
    };
    if (library.empty())
        return fail(tr("%1 is not beside the program. Build it with packaging/run, or install it again.")
                        .arg(QString::fromLatin1(kFileName)));
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return fail(QString::fromLocal8Bit(dlerror()));
    const auto make = reinterpret_cast<EngineEntry>(dlsym(handle, kEngineEntry));
    if (make == nullptr)
        return fail(tr("%1 is not an engine of RoundPipe: it lacks %2.")
                        .arg(QString::fromStdString(library.string()), QString::fromLatin1(kEngineEntry)));
    try {
        m_engine.reset(make());
    } catch (const std::exception& error) {
        return fail(QString::fromUtf8(error.what()));
    }
    QMetaObject::invokeMethod(
        this, [this] { emit loaded(); }, Qt::QueuedConnection);
}

} // namespace roundpipe::studio
