// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/log.h"

#include "base/error.h"
#include "base/secrets.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace roundpipe::log {
namespace {

struct Sinks {
    std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> console =
        std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    std::shared_ptr<spdlog::sinks::dist_sink_mt> all = std::make_shared<spdlog::sinks::dist_sink_mt>();
    std::shared_ptr<spdlog::sinks::basic_file_sink_mt> file;
    spdlog::logger logger{"roundpipe", all};

    Sinks() {
        console->set_level(spdlog::level::warn);
        console->set_pattern("%^%l%$: %v");
        all->add_sink(console);
        logger.set_level(spdlog::level::debug);
        logger.flush_on(spdlog::level::info);
    }
};

Sinks& sinks() {
    static Sinks instance;
    return instance;
}

spdlog::level::level_enum spdlogLevel(Level level) {
    switch (level) {
    case Level::kDebug:
        return spdlog::level::debug;
    case Level::kInfo:
        return spdlog::level::info;
    case Level::kWarning:
        return spdlog::level::warn;
    case Level::kError:
        return spdlog::level::err;
    }
    return spdlog::level::info;
}

void write(spdlog::level::level_enum level, std::string_view text) {
    sinks().logger.log(level, spdlog::string_view_t(withoutSecrets(std::string(text))));
}

} // namespace

void setLevel(Level level) {
    sinks().console->set_level(spdlogLevel(level));
}

void openFile(const std::filesystem::path& path) {
    closeFile();
    try {
        sinks().file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
    } catch (const spdlog::spdlog_ex&) {
        throw ioError("open the log", path, errno);
    }
    sinks().file->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
    sinks().all->add_sink(sinks().file);
}

void closeFile() {
    if (!sinks().file) return;
    sinks().all->remove_sink(sinks().file);
    sinks().file.reset();
}

void debug(std::string_view text) {
    write(spdlog::level::debug, text);
}
void info(std::string_view text) {
    write(spdlog::level::info, text);
}
void warning(std::string_view text) {
    write(spdlog::level::warn, text);
}
void error(std::string_view text) {
    write(spdlog::level::err, text);
}

} // namespace roundpipe::log
