// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace roundpipe::ui::widgets {
namespace {

constexpr qsizetype kWorthShowing = 4; // "ep…" says nothing

} // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("dim"));
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setFullText(text);
}

QSize ElidedLabel::sizeHint() const {
    const QMargins around = contentsMargins();
    const int width = fontMetrics().horizontalAdvance(m_full) + 1; // it is rounded, and half a pixel less is elided
    return {width + around.left() + around.right(), QLabel::sizeHint().height()};
}

void ElidedLabel::setFullText(const QString& text, const QStringList& shorter) {
    m_full = text;
    m_shorter = shorter;
    setAccessibleName(text);
    updateGeometry();
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

QString ElidedLabel::shownIn(int room) const {
    const auto hasRoom = [&](const QString& text) { return fontMetrics().horizontalAdvance(text) <= room; };
    QString wanted = m_full;
    for (auto next = m_shorter.begin(); !hasRoom(wanted) && next != m_shorter.end(); ++next)
        wanted = *next;
    QString shown = fontMetrics().elidedText(wanted, Qt::ElideRight, room);
    if (shown != wanted && shown.size() < kWorthShowing) shown.clear();
    return shown;
}

int ElidedLabel::widthWithin(int room) const {
    const QMargins margins = contentsMargins();
    const int around = margins.left() + margins.right();
    return std::min(room, fontMetrics().horizontalAdvance(shownIn(room - around)) + 1 + around); // as sizeHint()
}

void ElidedLabel::elide() {
    const QString shown = shownIn(contentsRect().width());
    if (shown != text()) setText(shown);
    setToolTip(shown == m_full ? QString() : m_full);
}

} // namespace roundpipe::ui::widgets
