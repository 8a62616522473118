// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/compression.h"

#include "base/error.h"

#include <algorithm>
#include <new>
#include <zlib.h>
#include <zstd.h>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B", kZstdMagic = "\x28\xB5\x2F\xFD";

class Gzip final : public Inflater {
public:
    Gzip() {
        constexpr int kGzipOnly = 16 + MAX_WBITS;
        if (inflateInit2(&m_stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
    }
    ~Gzip() override { inflateEnd(&m_stream); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    std::size_t inflate(std::string_view& input, std::span<char> output) override {
        if (!m_damage.empty()) throw DamagedStream(m_damage);
        if (m_isComplete && !input.empty() && !startMember(input)) return 0;
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data())); // zlib's type; it does not write
        m_stream.avail_in = static_cast<uInt>(input.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(output.data());
        m_stream.avail_out = static_cast<uInt>(output.size());
        const int result = ::inflate(&m_stream, Z_NO_FLUSH);
        input.remove_prefix(input.size() - m_stream.avail_in);
        if (result == Z_STREAM_END)
            m_isComplete = true;
        else if (result == Z_MEM_ERROR)
            throw std::bad_alloc();
        else if (result != Z_OK && result != Z_BUF_ERROR)
            m_damage = fmt::format("the gzip data are damaged ({})",
                                   m_stream.msg != nullptr ? m_stream.msg : "wrong dictionary");
        const std::size_t written = output.size() - m_stream.avail_out;
        if (written == 0 && !m_damage.empty()) throw DamagedStream(m_damage);
        return written;
    }
    bool isComplete() const override { return m_isComplete; }

private:
    // Behind a member stands another one, or zeros that fill a block of a tape.
    bool startMember(std::string_view& input) {
        if (input.front() == '\0') {
            input.remove_prefix(std::min(input.find_first_not_of('\0'), input.size()));
            return false;
        }
        if (input.front() != kGzipMagic.front()) throw DamagedStream("more than gzip data follow its end");
        inflateReset(&m_stream);
        m_isComplete = false;
        return true;
    }

    z_stream m_stream{};
    bool m_isComplete = false;
    std::string m_damage;
};

class Zstd final : public Inflater {
public:
    Zstd() : m_stream(ZSTD_createDStream(), ZSTD_freeDStream) {
        if (m_stream == nullptr) throw std::bad_alloc();
    }

    std::size_t inflate(std::string_view& input, std::span<char> output) override {
        if (input.empty() && m_isComplete) return 0;
        ZSTD_inBuffer in{input.data(), input.size(), 0};
        ZSTD_outBuffer out{output.data(), output.size(), 0};
        const std::size_t result = ZSTD_decompressStream(m_stream.get(), &out, &in);
        if (ZSTD_isError(result) != 0)
            throw DamagedStream(fmt::format("the zstd data are damaged ({})", ZSTD_getErrorName(result)));
        input.remove_prefix(in.pos);
        m_isComplete = result == 0;
        return out.pos;
    }
    bool isComplete() const override { return m_isComplete; }

private:
    std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> m_stream;
    bool m_isComplete = false;
};

} // namespace

const char* toString(Compression compression) {
    switch (compression) {
    case Compression::kNone:
        return "none";
    case Compression::kGzip:
        return "gzip";
    case Compression::kZstd:
        return "zstd";
    }
    return "";
}

Compression compressionOf(std::string_view firstBytes) {
    if (firstBytes.starts_with(kGzipMagic)) return Compression::kGzip;
    if (firstBytes.starts_with(kZstdMagic)) return Compression::kZstd;
    return Compression::kNone;
}

std::unique_ptr<Inflater> makeInflater(Compression compression) {
    RP_CHECK(compression != Compression::kNone);
    if (compression == Compression::kGzip) return std::make_unique<Gzip>();
    return std::make_unique<Zstd>();
}

} // namespace roundpipe::data
