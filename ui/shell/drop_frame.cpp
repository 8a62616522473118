// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/drop_frame.h"

#include <QEvent>
#include <QPainter>

namespace roundpipe::ui::shell {
namespace {

constexpr int kEdge = 3;
constexpr int kCorner = 8;
constexpr int kAboveEdge = 32; // of the words
constexpr QSize kAroundWords(32, 16);

} // namespace

DropFrame::DropFrame(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    parent->installEventFilter(this);
    hide();
}

void DropFrame::appear() {
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

bool DropFrame::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void DropFrame::paintEvent(QPaintEvent*) {
    const theme::Theme& theme = m_themes.theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, kEdge, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(kEdge, kEdge, -kEdge, -kEdge), kCorner, kCorner);
    const QString words = tr("Drop a model folder, rows or a project anywhere");
    QRect around(QPoint(), painter.fontMetrics().size(Qt::TextSingleLine, words) + kAroundWords);
    around.moveCenter(rect().center());
    around.moveBottom(height() - kAboveEdge);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(around, kCorner, kCorner);
    painter.setPen(theme.onAccent);
    painter.drawText(around, Qt::AlignCenter, words);
}

} // namespace roundpipe::ui::shell
