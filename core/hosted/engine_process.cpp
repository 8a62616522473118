// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/engine_process.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace roundpipe::hosted {
namespace {

constexpr off_t kLastWords = 4096;

[[noreturn]] void cannotStart(const std::string& program, int error) {
    throw Error(ErrorKind::kInternal, "'" + program + "' cannot be started: " + std::strerror(error) + ".",
                "Install the program again.");
}

// What a process of its own needs: the socket in place of standard input, words in place of standard error.
class SpawnSettings {
public:
    SpawnSettings(int socket, int errors) {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
        ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    }
    ~SpawnSettings() {
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

} // namespace

EngineProcess::EngineProcess(const std::vector<std::string>& command)
    : m_errors(::memfd_create("roundpipe-errors", MFD_CLOEXEC)) {
    int pair[2];
    if (!m_errors || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) cannotStart(command[0], errno);
    m_socket = Descriptor(pair[0]);
    const Descriptor theirs(pair[1]);
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const SpawnSettings settings(theirs.get(), m_errors.get());
    pid_t process = -1;
    const int failed =
        ::posix_spawn(&process, arguments[0], &settings.actions, &settings.attributes, arguments.data(), environ);
    if (failed != 0) cannotStart(command[0], failed);
    m_process = process;
    m_handle = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!m_handle) cannotStart(command[0], errno);
}

std::string EngineProcess::causeOfDeath() {
    int status = 0;
    if (::waitpid(m_process, &status, 0) != m_process) return "its end was seen by nobody";
    if (WIFSIGNALED(status)) {
        m_signal = WTERMSIG(status);
        return "signal " + std::to_string(m_signal) + ", " + ::strsignal(m_signal);
    }
    return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string EngineProcess::lastWords() const {
    const off_t size = ::lseek(m_errors.get(), 0, SEEK_END);
    if (size <= 0) return {};
    const off_t from = size > kLastWords ? size - kLastWords : 0;
    std::string words(static_cast<std::size_t>(size - from), '\0');
    const ssize_t count = ::pread(m_errors.get(), words.data(), words.size(), from);
    words.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    if (from > 0) words.erase(0, words.find('\n') + 1);
    return words;
}

} // namespace roundpipe::hosted
