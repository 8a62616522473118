// SPDX-License-Identifier: GPL-3.0-or-later
// The socket in a run's folder by which it is followed, and sockets as far as this folder needs them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace roundpipe::hosted {

// An open descriptor, closed at the end.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    int get() const { return m_number; }
    explicit operator bool() const { return m_number >= 0; }
    void close();

private:
    int m_number = -1;
};

// Listens in the folder of a run, while it lives.
class RunListener {
public:
    // This process holds the run's lock; what an earlier one left there is replaced. Throws kIo where the file system
    // has no sockets.
    explicit RunListener(const std::filesystem::path& runFolder);
    // Takes the socket away, but for one that another process has put there since, and where the folder is to be left
    // as it was found and had one: then there is one again at which nobody listens.
    ~RunListener();
    void leaveAsFound(bool isToBe) { m_leavesAsFound = isToBe; }
    RunListener(RunListener&&) = delete;
    // Nobody: no descriptor. Programs of other users are turned away.
    Descriptor accept() const;

private:
    std::filesystem::path m_path;
    Descriptor m_socket;
    uint64_t m_inode = 0;
    bool m_replaced = false;
    bool m_leavesAsFound = false;
};

// Throws kInvalidInput, in words, where no run is under way in that folder, or one that nobody can follow.
Descriptor connectTo(const std::filesystem::path& runFolder);

// That listens there; 0: the system does not say.
int processBehind(const Descriptor& socket);

// What never waits. False: the other side is gone.
bool readAvailable(const Descriptor& socket, std::string& bytes);
bool writeAvailable(const Descriptor& socket, std::string& bytes); // takes away what was written

} // namespace roundpipe::hosted
