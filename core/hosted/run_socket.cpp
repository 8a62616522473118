// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/run_socket.h"

#include "base/error.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::hosted {
namespace {

namespace fs = std::filesystem;
constexpr int kSocketFlags = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

// An address holds a hundred bytes, the path of a folder more: it is named by a descriptor of the folder.
class Address {
public:
    explicit Address(const fs::path& runFolder)
        : m_folder(::open(runFolder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        if (!m_folder) throw ioError("open", runFolder, errno);
        m_address.sun_family = AF_UNIX;
        std::snprintf(m_address.sun_path, sizeof m_address.sun_path, "/proc/self/fd/%d/%s", m_folder.get(),
                      runs::RunFiles{}.socket().c_str());
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&m_address); }
    static constexpr socklen_t kSize = sizeof(sockaddr_un);

private:
    Descriptor m_folder;
    sockaddr_un m_address{};
};

std::optional<ucred> peerOf(const Descriptor& socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
    return peer;
}

bool isOfThisUser(const Descriptor& socket) {
    const auto peer = peerOf(socket);
    return peer && peer->uid == ::geteuid();
}

uint64_t inodeOf(const fs::path& socket) { // 0: there is none
    struct stat found {};
    return ::lstat(socket.c_str(), &found) == 0 && S_ISSOCK(found.st_mode) ? found.st_ino : 0;
}

bool isOnlyBusy(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        m_number = std::exchange(other.m_number, -1);
    }
    return *this;
}

void Descriptor::close() {
    if (m_number >= 0) ::close(std::exchange(m_number, -1));
}

RunListener::RunListener(const fs::path& runFolder)
    : m_path(runs::RunFiles{runFolder}.socket()), m_socket(::socket(AF_UNIX, kSocketFlags, 0)) {
    const Address address(runFolder);
    m_replaced = inodeOf(m_path) != 0;
    if (m_replaced) ::unlink(m_path.c_str());
    if (!m_socket || ::bind(m_socket.get(), address.get(), Address::kSize) != 0 ||
        ::chmod(m_path.c_str(), S_IRUSR | S_IWUSR) != 0 || ::listen(m_socket.get(), 16) != 0)
        throw ioError("listen at", m_path, errno);
    m_inode = inodeOf(m_path);
}

RunListener::~RunListener() {
    if (m_replaced && m_leavesAsFound) return;
    if (inodeOf(m_path) == m_inode) ::unlink(m_path.c_str());
}

Descriptor RunListener::accept() const {
    Descriptor follower(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    return follower && isOfThisUser(follower) ? std::move(follower) : Descriptor();
}

Descriptor connectTo(const fs::path& runFolder) {
    if (!runs::RunLock::isHeld(runFolder))
        throw invalidInput("No run is under way in '" + runFolder.string() + "'.",
                           "`roundpipe runs list` shows which runs are.");
    const Address address(runFolder);
    Descriptor socket(::socket(AF_UNIX, kSocketFlags, 0));
    if (socket && ::connect(socket.get(), address.get(), Address::kSize) == 0 && isOfThisUser(socket)) return socket;
    throw invalidInput("The run in '" + runFolder.string() + "' cannot be followed: " + std::strerror(errno) + ".",
                       "It is still being prepared, its file system has no sockets, or another user began it. Its "
                       "steps stand in metrics.jsonl there.");
}

int processBehind(const Descriptor& socket) {
    const auto peer = peerOf(socket);
    return peer ? peer->pid : 0;
}

bool readAvailable(const Descriptor& socket, std::string& bytes) {
    std::array<char, 65536> part;
    for (;;) {
        const ssize_t count = ::recv(socket.get(), part.data(), part.size(), MSG_DONTWAIT);
        if (count == 0 || (count < 0 && !isOnlyBusy(errno))) return false;
        if (count < 0) return true;
        bytes.append(part.data(), static_cast<std::size_t>(count));
        if (bytes.size() > (8u << 20)) return true; // the rest in the next round
    }
}

bool writeAvailable(const Descriptor& socket, std::string& bytes) {
    std::size_t written = 0;
    bool isThere = true;
    while (written < bytes.size()) {
        const ssize_t count =
            ::send(socket.get(), bytes.data() + written, bytes.size() - written, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            isThere = isOnlyBusy(errno);
            break;
        }
        written += static_cast<std::size_t>(count);
    }
    bytes.erase(0, written);
    return isThere;
}

} // namespace roundpipe::hosted
