// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/message.h"

#include "base/error.h"

#include <cstring>

namespace roundpipe::hosted {
namespace {

constexpr std::size_t kHead = 5;
constexpr uint32_t kLongestBody = 64u << 20;

} // namespace

std::string framed(MessageKind kind, std::string_view body) {
    RP_CHECK(body.size() <= kLongestBody);
    const auto length = static_cast<uint32_t>(body.size());
    std::string bytes(kHead, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    bytes[sizeof length] = static_cast<char>(kind);
    return bytes.append(body);
}

std::optional<Message> MessageReader::take() {
    if (m_bytes.size() - m_taken < kHead) return std::nullopt;
    uint32_t length = 0;
    std::memcpy(&length, m_bytes.data() + m_taken, sizeof length);
    const auto kind = static_cast<uint8_t>(m_bytes[m_taken + sizeof length]);
    if (kind >= kNumMessageKinds || length > kLongestBody)
        throw invalidInput("What came over the socket of a run is no message of this program's.");
    if (m_bytes.size() - m_taken < kHead + length) return std::nullopt;
    Message message{static_cast<MessageKind>(kind), m_bytes.substr(m_taken + kHead, length)};
    m_taken += kHead + length;
    if (m_taken == m_bytes.size() || m_taken > (1u << 20)) {
        m_bytes.erase(0, m_taken);
        m_taken = 0;
    }
    return message;
}

} // namespace roundpipe::hosted
