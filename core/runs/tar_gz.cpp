// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/tar_gz.h"

#include "base/error.h"
#include "base/file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstring>
#include <utility>

namespace roundpipe::runs {
namespace {

constexpr std::size_t kBlock = 512;
using Header = std::array<char, kBlock>;

void put(Header& header, std::size_t at, std::string_view text) {
    std::memcpy(header.data() + at, text.data(), text.size());
}

// The checksum counts its own eight bytes as blanks.
void putChecksum(Header& header) {
    put(header, 148, "        ");
    unsigned sum = 0;
    for (const char byte : header)
        sum += static_cast<unsigned char>(byte);
    put(header, 148, fmt::format("{:06o}", sum));
    header[154] = '\0';
}

Header headerOf(const std::string& name, std::size_t bytes, int64_t time) {
    Header header{};
    put(header, 0, name);
    put(header, 100, "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, fmt::format("{:011o}", bytes));
    put(header, 136, fmt::format("{:011o}", time));
    header[156] = '0'; // a file
    put(header, 257, std::string_view("ustar\00000", 8));
    putChecksum(header);
    return header;
}

} // namespace

TarGz::TarGz(std::filesystem::path folderInside, int64_t time) : m_folder(std::move(folderInside)), m_time(time) {}

void TarGz::add(const std::string& name, std::string_view content) {
    const std::string path = (m_folder / name).string();
    RP_CHECK(path.size() <= 100);
    const Header header = headerOf(path, content.size(), m_time);
    m_tar.append(header.data(), header.size());
    m_tar += content;
    m_tar.append((kBlock - content.size() % kBlock) % kBlock, '\0');
}

void TarGz::write(const Destination& target) const {
    constexpr int kGzip = 15 + 16; // the largest window, gzip's head and end
    z_stream stream{};
    RP_CHECK(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    const std::string all = m_tar + std::string(2 * kBlock, '\0');
    std::string packed(::deflateBound(&stream, all.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(all.data())); // zlib's older interface knows no const
    stream.avail_in = static_cast<uInt>(all.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const int result = ::deflate(&stream, Z_FINISH);
    packed.erase(stream.total_out);
    ::deflateEnd(&stream);
    RP_CHECK(result == Z_STREAM_END);
    writeFileAtomically(target, packed);
}

} // namespace roundpipe::runs
