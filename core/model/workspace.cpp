#include "base/error.h"
#include "model/layer.h"

#include <fmt/format.h>

namespace roundpipe::model {
namespace {
constexpr int64_t kAlignmentBytes = 256;
}

std::byte* Workspace::take(int64_t bytes) {
    RP_CHECK(bytes >= 0);
    const int64_t offset = m_used;
    const int64_t end = offset + (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    if (m_data != nullptr && end > m_bytes)
        throw Error(ErrorKind::kInternal,
                    fmt::format("a layer's workspace of {} bytes is too small for {} bytes", m_bytes, end));
    m_used = end;
    return m_data == nullptr ? nullptr : m_data + offset;
}

} // namespace roundpipe::model
