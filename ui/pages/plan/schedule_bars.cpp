// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/schedule_bars.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kScheduleLine = 24;
constexpr int kLeastNumber = 72; // width of a column

int64_t fullest(const std::vector<plan::DeviceMemoryTable>& devices) {
    int64_t most = 0;
    for (const plan::DeviceMemoryTable& table : devices)
        most = std::max(most, table.total());
    return most;
}

} // namespace

ScheduleBars::ScheduleBars(const theme::ThemeManager& themes, QWidget* parent) : PlanPicture(themes, parent) {
    setAccessibleName(tr("Other schedules"));
}

void ScheduleBars::setAnswer(const session::PlanAnswer* answer) {
    m_rows.clear();
    if (answer != nullptr && answer->hasPlan) {
        m_rows.push_back({tr("This plan"), answer->problem.empty() ? answer->choice.step.stepSeconds : 0,
                          answer->choice.step.bubbleShare, fullest(answer->choice.deviceMemory),
                          models::outlineText(plan::outlineOf(answer->choice.plan)),
                          models::misfitText(answer->problem, answer->rig), true});
        for (const plan::Rival& rival : answer->rivals)
            m_rows.push_back({models::scheduleName(rival.schedule), rival.step.stepSeconds, rival.step.bubbleShare,
                              fullest(rival.deviceMemory), models::howText(rival),
                              models::misfitText(rival.problem, answer->rig), false});
    }
    QStringList words;
    for (const Row& row : m_rows)
        words.append(row.seconds > 0 ? tr("%1: %2 a step").arg(row.name, translations::durationText(row.seconds))
                                     : tr("%1: cannot run").arg(row.name));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int ScheduleBars::line() const {
    return roomyRow(kScheduleLine);
}

QSize ScheduleBars::sizeHint() const {
    return {460, line() * (static_cast<int>(std::max<std::size_t>(m_rows.size(), 9)) + 1)};
}

void ScheduleBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = colours();
    painter.setPen(theme.dim);
    if (m_rows.empty()) {
        painter.drawText(rect(), Qt::AlignCenter, tr("Compared as soon as there is a plan."));
        return;
    }
    painter.setOpacity(opacity());
    const int nameWidth = std::clamp(width() / 3, 110, 290);
    double longest = 0;
    QFont wide = font();
    wide.setBold(true);
    int numberWidth = kLeastNumber;
    for (const Row& row : m_rows) {
        longest = std::max(longest, row.seconds);
        for (const QString& text : {translations::durationText(row.seconds), translations::bytesText(row.bytes)})
            numberWidth = std::max(numberWidth, QFontMetrics(wide).horizontalAdvance(text) + 10);
    }
    const double barRight = width() - 3.0 * numberWidth - 6;
    const auto number = [&](int column, double top, const QString& text) {
        painter.drawText(QRectF(width() - (3 - column) * numberWidth, top, numberWidth, line()),
                         Qt::AlignVCenter | Qt::AlignRight, text);
    };
    number(0, 0, tr("A step"));
    number(1, 0, tr("Bubble"));
    number(2, 0, tr("Fullest"));
    double top = line();
    for (const Row& row : m_rows) {
        QFont bold = font();
        bold.setBold(row.isOurs);
        painter.setFont(bold);
        const bool runs = row.seconds > 0 && row.problem.isEmpty();
        painter.setPen(runs ? theme.text : theme.dim);
        painter.drawText(QRectF(0, top, nameWidth - 8, line()), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(row.name, Qt::ElideRight, nameWidth - 8));
        if (row.seconds > 0) {
            const double length = (barRight - nameWidth) * row.seconds / longest;
            const QRectF bar(nameWidth, top + 7, std::max(1.0, length), line() - 14);
            const double busy = bar.width() * (1 - row.bubble);
            painter.fillRect(QRectF(bar.left(), bar.top(), busy, bar.height()), row.isOurs ? theme.accent : theme.edge);
            painter.fillRect(QRectF(bar.left() + busy, bar.top(), bar.width() - busy, bar.height()),
                             QBrush(row.isOurs ? theme.accent : theme.edge, Qt::BDiagPattern));
            number(0, top, translations::durationText(row.seconds));
            number(1, top, tr("%1 %").arg(translations::fixedText(100 * row.bubble, 1)));
            if (!row.problem.isEmpty()) painter.setPen(theme.bad);
            number(2, top, translations::bytesText(row.bytes));
        } else {
            const int room = width() - nameWidth; // what is too long for it is in the tool tip
            const bool isWhole = painter.fontMetrics().horizontalAdvance(row.problem) <= room;
            painter.drawText(QRectF(nameWidth, top, room, line()), Qt::AlignVCenter,
                             isWhole ? row.problem : tr("does not fit"));
        }
        top += line();
    }
}

bool ScheduleBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int which = help->pos().y() / line() - 1;
    if (which < 0 || which >= static_cast<int>(m_rows.size())) {
        QToolTip::hideText();
        return true;
    }
    const Row& row = m_rows[static_cast<std::size_t>(which)];
    QStringList lines{row.name, row.how, row.problem};
    lines.removeAll(QString());
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

} // namespace roundpipe::ui::pages
