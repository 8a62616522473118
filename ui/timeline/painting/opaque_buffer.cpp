// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/opaque_buffer.h"

namespace roundpipe::ui::timeline {

OpaqueBuffer::OpaqueBuffer(const QSize& size, double devicePixelRatio, const theme::ThemeManager& themes)
    : QCPAbstractPaintBuffer(size, devicePixelRatio), m_themes(themes) {
    OpaqueBuffer::reallocateBuffer();
}

void OpaqueBuffer::reallocateBuffer() {
    setInvalidated();
    m_image = QImage(mSize * mDevicePixelRatio, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(mDevicePixelRatio);
}

} // namespace roundpipe::ui::timeline
