#include "hub/store/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr std::array<uint32_t, 8> kStartOfSha256{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                                 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
constexpr std::array<uint32_t, 8> kStartOfSha1{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

__extension__ using Wide = unsigned __int128;

// The first 32 bits behind the point of the cube roots of the first 64 primes, worked out exactly: the largest x with
// x^3 <= prime * 2^96, without its whole part.
constexpr uint32_t cubeRootBits(uint32_t prime) {
    uint64_t x = 0; // of 35 bits: 3 before the point, 32 behind
    for (int bit = 34; bit >= 0; --bit) {
        const uint64_t next = x | (uint64_t{1} << bit);
        if (Wide{next} * next * next <= Wide{prime} << 96) x = next; // both below 2^105
    }
    return static_cast<uint32_t>(x);
}

constexpr std::array<uint32_t, 64> roundConstants() {
    std::array<uint32_t, 64> constants{};
    uint32_t prime = 1;
    for (uint32_t& constant : constants) {
        bool isPrime = false;
        while (!isPrime) {
            ++prime;
            isPrime = true;
            for (uint32_t divisor = 2; divisor * divisor <= prime; ++divisor)
                isPrime = isPrime && prime % divisor != 0;
        }
        constant = cubeRootBits(prime);
    }
    return constants;
}
constexpr std::array<uint32_t, 64> kSha256Constants = roundConstants();
static_assert(kSha256Constants[0] == 0x428A2F98 && kSha256Constants[63] == 0xC67178F2);

template <std::size_t numWords>
std::array<uint32_t, numWords> wordsOf(const unsigned char* block) {
    std::array<uint32_t, numWords> words;
    for (std::size_t i = 0; i < 16; ++i)
        words[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 | uint32_t{block[4 * i + 2]} << 8 |
                   uint32_t{block[4 * i + 3]};
    return words;
}

void compressSha256(std::array<uint32_t, 8>& state, const unsigned char* block) {
    auto w = wordsOf<64>(block);
    for (std::size_t i = 16; i < 64; ++i) {
        const uint32_t low = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const uint32_t high = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const uint32_t sumOfE = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const uint32_t choice = (e & f) ^ (~e & g);
        const uint32_t first = h + sumOfE + choice + kSha256Constants[i] + w[i];
        const uint32_t sumOfA = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + sumOfA + majority;
    }
    const std::array<uint32_t, 8> after{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] += after[i];
}

void compressSha1(std::array<uint32_t, 8>& state, const unsigned char* block) {
    auto w = wordsOf<80>(block);
    for (std::size_t i = 16; i < 80; ++i)
        w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (std::size_t i = 0; i < 80; ++i) {
        const uint32_t choice = (b & c) | (~b & d), parity = b ^ c ^ d, majority = (b & c) | (b & d) | (c & d);
        const uint32_t mix = i < 20   ? choice + 0x5A827999
                             : i < 40 ? parity + 0x6ED9EBA1
                             : i < 60 ? majority + 0x8F1BBCDC
                                      : parity + 0xCA62C1D6;
        const uint32_t next = std::rotl(a, 5) + mix + e + w[i];
        e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

} // namespace

Digest::Digest(DigestKind kind, int64_t sizeBytes)
    : m_kind(kind), m_state(kind == DigestKind::kSha256 ? kStartOfSha256 : kStartOfSha1) {
    if (kind == DigestKind::kGitBlob) add(std::string("blob " + std::to_string(sizeBytes)) + '\0');
}

void Digest::compress(const unsigned char* block) {
    m_kind == DigestKind::kSha256 ? compressSha256(m_state, block) : compressSha1(m_state, block);
}

void Digest::add(std::string_view bytes) {
    m_numBytes += bytes.size();
    while (!bytes.empty()) {
        if (m_numInBlock == 0 && bytes.size() >= m_block.size()) {
            compress(reinterpret_cast<const unsigned char*>(bytes.data()));
            bytes.remove_prefix(m_block.size());
            continue;
        }
        const std::size_t taken = std::min(bytes.size(), m_block.size() - m_numInBlock);
        std::memcpy(m_block.data() + m_numInBlock, bytes.data(), taken);
        bytes.remove_prefix(taken);
        m_numInBlock += taken;
        if (m_numInBlock == m_block.size()) {
            compress(m_block.data());
            m_numInBlock = 0;
        }
    }
}

std::string Digest::hex() {
    const uint64_t numBits = m_numBytes * 8;
    add("\x80");
    while (m_numInBlock != m_block.size() - 8)
        add(std::string_view("\0", 1));
    std::string length;
    for (int shift = 56; shift >= 0; shift -= 8)
        length += static_cast<char>(numBits >> shift & 0xFF);
    add(length);
    std::string text;
    for (std::size_t i = 0; i < (m_kind == DigestKind::kSha256 ? 8 : 5); ++i)
        text += fmt::format("{:08x}", m_state[i]);
    return text;
}

} // namespace roundpipe::hub
