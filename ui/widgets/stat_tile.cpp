#include "ui/widgets/stat_tile.h"

#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {

StatTile::StatTile(const QString& caption, QWidget* parent)
    : Card({}, parent), m_caption(caption), m_value(new QLabel(QStringLiteral("–"))), m_detail(new ElidedLabel) {
    auto* captionLabel = new QLabel(caption);
    captionLabel->setObjectName(QStringLiteral("dim"));
    m_value->setObjectName(QStringLiteral("value"));
    m_value->setAccessibleName(caption);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_value);
    row->addWidget(m_detail, 1);
    body()->setSpacing(0);
    body()->setContentsMargins(14, 5, 8, 5);
    body()->addWidget(captionLabel);
    body()->addLayout(row);
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
