// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's process and those who follow it say to each other over a socket, a message at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::hosted {

// Bodies are session/serialise.h's unless it says otherwise. Which side says it stands behind it.
enum class MessageKind : uint8_t {
    kHello,      // follower, first: the program's version, and "trace" on a second line where it wants records
    kStart,      // follower: a RunJob. Heard once, of the follower that the process was begun by
    kCommand,    // follower: a Command
    kEvent,      // host: a RunEvent; one who comes later gets all that were before
    kSnapshot,   // host: a Snapshot, after the events that led to it; the newest alone
    kTrace,      // host: a block of records, from when the follower came
    kOpenSlices, // host: a block of records, what is open just now
    kDropped,    // host: digits, how many records never came to this follower
    kEnd         // host, last: the run is over and all of it was said
};
inline constexpr uint8_t kNumMessageKinds = 9;

struct Message {
    MessageKind kind = MessageKind::kHello;
    std::string body;
};

// Five bytes, length and kind, and the body.
std::string framed(MessageKind kind, std::string_view body);

// Makes messages of bytes as they come.
class MessageReader {
public:
    void add(std::string_view bytes) { m_bytes += bytes; }
    // The next whole one. Throws kInvalidInput for a kind that there is not and for a body beyond 64 MiB: whoever is
    // on the other side is not ours.
    std::optional<Message> take();

private:
    std::string m_bytes;
    std::size_t m_taken = 0;
};

} // namespace roundpipe::hosted
