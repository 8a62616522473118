#include "ui/widgets/stat_tile.h"

#include "ui/widgets/elided_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::widgets {

StatTile::StatTile(const QString& caption, QWidget* parent)
    : Card({}, parent), m_caption(caption), m_value(new QLabel(QStringLiteral("–"))), m_detail(new ElidedLabel) {
    auto* captionLabel = new QLabel(caption);
    captionLabel->setObjectName(QStringLiteral("dim"));
    m_value->setObjectName(QStringLiteral("value"));
    m_value->setAccessibleName(caption);
    // The tile keeps its width while its numbers change.
    m_value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    body()->setSpacing(0);
    body()->setContentsMargins(14, 6, 8, 6);
    body()->addWidget(captionLabel);
    body()->addWidget(m_value);
    body()->addWidget(m_detail);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StatTile::set(const QString& value, const QString& detail) {
    m_value->setText(value);
    m_value->setAccessibleName(m_caption + QLatin1Char(' ') + value); // a screen reader reads this alone
    m_detail->setFullText(detail);
}

} // namespace roundpipe::ui::widgets
