// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/slice_tip.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QToolTip>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kPadding = 4;      // beside the document's own margin
constexpr int kShownMs = 12'000; // as long as Qt's stay

} // namespace

SliceTip::SliceTip(const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent, Qt::ToolTip | Qt::WindowTransparentForInput), m_themes(themes) {
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_goes.setSingleShot(true);
    m_goes.setInterval(kShownMs);
    connect(&m_goes, &QTimer::timeout, this, &QWidget::hide);
}

void SliceTip::setText(const QString& html) {
    if (m_html == html) return;
    m_html = html;
    m_words.setDefaultFont(QToolTip::font());
    m_words.setHtml(html);
    resize(m_words.size().toSize() + QSize(2 * kPadding, 2 * kPadding));
    update();
    m_goes.start();
}

void SliceTip::showAt(const QPoint& global) {
    move(global);
    if (isVisible()) return;
    m_goes.start();
    show();
}

void SliceTip::paintEvent(QPaintEvent*) {
    const theme::Theme& theme = m_themes.theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.card);
    painter.setPen(theme.edge);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.translate(kPadding, kPadding);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, theme.text);
    m_words.documentLayout()->draw(&painter, context);
}

} // namespace roundpipe::ui::timeline
