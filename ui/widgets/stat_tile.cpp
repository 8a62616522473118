#include "ui/widgets/stat_tile.h"

#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {

StatTile::StatTile(const QString& caption, QWidget* parent)
    : QWidget(parent), m_caption(caption), m_value(new QLabel(QStringLiteral("–"))), m_detail(new ElidedLabel) {
    auto* captionLabel = new QLabel(caption);
    captionLabel->setObjectName(QStringLiteral("dim"));
    m_value->setObjectName(QStringLiteral("value"));
    m_value->setAccessibleName(caption);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_value);
    row->addWidget(m_detail, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(0);
    layout->setContentsMargins(14, 2, 8, 2);
    layout->addWidget(captionLabel);
    layout->addLayout(row);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // keeps its width while its numbers change
}

void StatTile::set(const QString& value, const QString& detail) {
    if (value == m_value->text() && detail == m_detail->fullText()) return;
    m_value->setText(value);
    m_detail->setFullText(detail);
    // A screen reader reads these alone.
    m_value->setAccessibleName(m_caption + QLatin1Char(' ') + value);
    setAccessibleName(m_caption + QLatin1Char(' ') + value + QLatin1Char(' ') + detail);
}

} // namespace roundpipe::ui::widgets
