#include "ui/timeline/lane_header.h"

#include "ui/timeline/slice_text.h"

#include <QPainter>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kHeaderWidth = 168;
constexpr int kNameWidth = 66;

} // namespace

LaneHeader::LaneHeader(const Scene& scene, int rulerHeight, const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_scene(scene), m_rulerHeight(rulerHeight), m_themes(themes) {
    setFixedWidth(kHeaderWidth);
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LaneHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = m_themes.theme();
    painter.setClipRect(0, m_rulerHeight, width(), height() - m_rulerHeight);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.88);
    for (const LaneGroup& group : m_scene.layout.groups) {
        const int top = m_rulerHeight + group.top - m_scene.scroll;
        if (group.device.valid()) {
            painter.fillRect(0, top, 3, group.height, theme.device(group.device.value));
        } else {
            painter.fillRect(0, top, 3, group.height, theme.dim);
        }
        painter.setFont(bold);
        painter.setPen(theme.text);
        const QString name = QString::fromStdString(group.name);
        painter.drawText(QRect(10, top, kNameWidth, group.rows.front().height), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(name, Qt::ElideRight, kNameWidth));
        painter.setFont(small);
        painter.setPen(theme.dim);
        for (const LaneRow& row : group.rows)
            painter.drawText(QRect(0, m_rulerHeight + row.top - m_scene.scroll, width() - 10, row.height),
                             Qt::AlignVCenter | Qt::AlignRight, roleName(row.role));
    }
}

} // namespace roundpipe::ui::timeline
