// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stat_tile.h"

#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kBeside = 8; // between the value and what goes with it

} // namespace

StatTile::StatTile(const QString& caption, QWidget* parent)
    : QWidget(parent)
    , m_caption(new QLabel(caption))
    , m_value(new QLabel(QStringLiteral("–")))
    , m_detail(new ElidedLabel) {
    m_caption->setObjectName(QStringLiteral("dim"));
    m_value->setObjectName(QStringLiteral("value"));
    m_value->setAccessibleName(caption);
    auto* row = new QHBoxLayout;
    row->setSpacing(kBeside);
    row->addWidget(m_value);
    row->addWidget(m_detail, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(0);
    layout->setContentsMargins(14, 2, 8, 2);
    layout->addWidget(m_caption);
    layout->addLayout(row);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // keeps its width while its numbers change …
}

// … unless one of them has no room: then its neighbours give way.
void StatTile::makeRoom() {
    setMinimumWidth(m_isWhole ? fullWidth() : widthWith(0));
}

int StatTile::widthWith(int besideValue) const {
    const QMargins margins = layout()->contentsMargins();
    const int value = m_value->sizeHint().width() + kBeside + besideValue;
    return margins.left() + margins.right() + std::max(m_caption->sizeHint().width(), value);
}

int StatTile::fullWidth() const {
    return widthWith(m_detail->fontMetrics().horizontalAdvance(m_detail->fullText()) + 1);
}

void StatTile::setIsWhole(bool wantsAll) {
    m_isWhole = wantsAll;
    makeRoom();
}

void StatTile::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) makeRoom();
}

void StatTile::showEvent(QShowEvent* event) {
    makeRoom(); // by the theme's font
    QWidget::showEvent(event);
}

void StatTile::set(const QString& value, const QString& detail) {
    if (value == m_value->text() && detail == m_detail->fullText()) return;
    m_value->setText(value);
    m_detail->setFullText(detail);
    makeRoom();
    layout()->activate(); // before it is painted, however busy the window is
    updateGeometry();     // its row looks whether there is room for all
    // A screen reader reads these alone.
    m_value->setAccessibleName(m_caption->text() + QLatin1Char(' ') + value);
    setAccessibleName(m_caption->text() + QLatin1Char(' ') + value + QLatin1Char(' ') + detail);
}

} // namespace roundpipe::ui::widgets
