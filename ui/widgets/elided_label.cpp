// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

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

void ElidedLabel::setFullText(const QString& text) {
    m_full = text;
    setAccessibleName(text);
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::elide() {
    QString shown = fontMetrics().elidedText(m_full, Qt::ElideRight, contentsRect().width());
    if (shown != m_full && shown.size() < kWorthShowing) shown.clear();
    if (shown != text()) setText(shown);
    setToolTip(shown == m_full ? QString() : m_full);
}

} // namespace roundpipe::ui::widgets
