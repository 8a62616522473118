// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/report/length_histogram.h"

#include "ui/translations/number_text.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

// From the top: what the limit means in words, its grip, the numbers of the highest bars, bars, axis, what the axis is.
constexpr double kLine = 18, kGrip = 14, kNumber = 18, kBelow = 34;
constexpr double kSide = 6, kGripHalf = 7;
constexpr int kRoomForALine = 440; // what the limit means

QString shareText(int64_t part, int64_t whole) {
    const double percent = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    return LengthHistogram::tr("%1 %").arg(QLocale().toString(percent, 'f', percent < 10 ? 1 : 0));
}

} // namespace

LengthHistogram::LengthHistogram(const theme::ThemeManager& themes, QWidget* parent)
    : QAbstractSlider(parent), m_themes(themes) {
    setFocusPolicy(Qt::StrongFocus);
    setOrientation(Qt::Horizontal);
    setPageStep(4); // an octave
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Length limit"));
    connect(&m_themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LengthHistogram::setStatistics(session::LengthStatistics statistics) {
    m_statistics = std::move(statistics);
    setLimit(m_limit);
}

void LengthHistogram::setEmptyText(const QString& why) {
    m_emptyText = why;
    update();
}

void LengthHistogram::setOverLength(OverLength choice) {
    m_overLength = choice;
    update();
}

void LengthHistogram::setLimit(int64_t limit) {
    m_limit = m_shownLimit = limit;
    const auto& choices = m_statistics.choices;
    const auto at = std::ranges::lower_bound(choices, limit, {}, &session::LengthChoice::length);
    m_isShowing = true;
    setRange(0, std::max(0, static_cast<int>(std::ssize(choices)) - 1));
    setValue(static_cast<int>(at - choices.begin()));
    m_isShowing = false;
    setAccessibleDescription(words().join(QLatin1Char(' ')));
    update();
}

void LengthHistogram::sliderChange(SliderChange change) {
    QAbstractSlider::sliderChange(change);
    if (change == SliderValueChange && !m_isShowing) takeValue();
}

void LengthHistogram::takeValue() {
    if (m_statistics.choices.empty()) return;
    m_limit = m_statistics.choices[static_cast<std::size_t>(value())].length;
    setAccessibleDescription(words().join(QLatin1Char(' ')));
    update();
    if (isSliderDown())
        emit limitDragged(m_limit);
    else
        emit limitChosen(m_limit);
}

// Where everything stands ---------------------------------------------------------------------------------------------

// The words have a place of their own, as high for every limit, so that nothing jumps while the line is dragged.
double LengthHistogram::wordsHeight() const {
    return kLine * (width() >= kRoomForALine ? 2 : 3);
}

QRectF LengthHistogram::plot() const {
    return QRectF(rect()).adjusted(kSide, wordsHeight() + kGrip + kNumber, -kSide, -kBelow);
}

double LengthHistogram::xOf(int64_t length) const {
    const auto& bins = m_statistics.histogram;
    if (bins.empty()) return plot().left();
    // There is room beyond the longest row, and the axis stays as it is while the line is dragged.
    const double low = std::log2(static_cast<double>(std::max<int64_t>(1, std::min(bins.front().begin, m_shownLimit))));
    const double high = std::log2(static_cast<double>(std::max(2 * bins.back().end, m_shownLimit)));
    const double share = (std::log2(static_cast<double>(std::max<int64_t>(1, length))) - low) / (high - low);
    return plot().left() + std::clamp(share, 0.0, 1.0) * plot().width();
}

int LengthHistogram::choiceAt(double x) const {
    const auto& choices = m_statistics.choices;
    const auto nearer = [&](const session::LengthChoice& a, const session::LengthChoice& b) {
        return std::abs(xOf(a.length) - x) < std::abs(xOf(b.length) - x);
    };
    return static_cast<int>(std::ranges::min_element(choices, nearer) - choices.begin());
}

const session::LengthChoice* LengthHistogram::cost() const {
    const auto found = std::ranges::find(m_statistics.choices, m_limit, &session::LengthChoice::length);
    return found == m_statistics.choices.end() ? nullptr : &*found;
}

QStringList LengthHistogram::words() const {
    QStringList lines{tr("max length %1").arg(translations::wholeText(m_limit))};
    const session::LengthChoice* found = cost();
    if (found == nullptr) return lines;
    if (found->numOver == 0) return lines << tr("no row is longer");
    const QString share = shareText(found->numOver, m_statistics.numRows);
    const QString over = translations::wholeText(found->numOver);
    if (m_overLength == OverLength::kDrop) return lines << tr("%1 rows dropped (%2)").arg(over, share);
    if (m_overLength == OverLength::kSplit)
        return lines << tr("%1 longer rows (%2)").arg(over, share) << tr("texts are split, others are cut");
    return lines << tr("%1 rows cut (%2)").arg(over, share)
                 << tr("%1 trained tokens lost").arg(translations::wholeText(found->lostTrained));
}

// Painting ------------------------------------------------------------------------------------------------------------

void LengthHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_statistics.histogram.empty()) {
        painter.setPen(m_themes.theme().dim);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const double limit = xOf(m_limit);
    QColor lost = m_themes.theme().badTint;
    lost.setAlphaF(0.6F); // the bars stand out of it in the dark, too
    if (limit < plot().right())
        painter.fillRect(QRectF(QPointF(limit, wordsHeight()), QPointF(rect().width(), plot().bottom())), lost);
    paintBars(painter);
    paintLimit(painter);
    paintNumbers(painter);
    paintAxis(painter);
    paintWords(painter);
}

QRectF LengthHistogram::barOf(const session::LengthBin& bin) const {
    const int64_t highest = std::ranges::max(m_statistics.histogram, {}, &session::LengthBin::numRows).numRows;
    const double share = static_cast<double>(bin.numRows) / static_cast<double>(highest);
    const double height = std::max(2.0, plot().height() * share);
    return {xOf(bin.begin) + 1, plot().bottom() - height, xOf(bin.end) - xOf(bin.begin) - 2, height};
}

void LengthHistogram::paintBars(QPainter& painter) const {
    const theme::Theme& theme = m_themes.theme();
    for (const session::LengthBin& bin : m_statistics.histogram)
        if (bin.numRows > 0) painter.fillRect(barOf(bin), bin.begin >= m_limit ? theme.bad : theme.edge);
}

// How many rows a bar stands for, right above it, before the line where that goes through it.
void LengthHistogram::paintNumbers(QPainter& painter) const {
    const theme::Theme& theme = m_themes.theme();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    painter.setFont(small);
    const double limit = xOf(m_limit);
    double free = 0; // of the numbers so far
    for (const session::LengthBin& bin : m_statistics.histogram) {
        if (bin.numRows == 0) continue;
        const QRectF bar = barOf(bin);
        const QString text = translations::wholeText(bin.numRows);
        const double advance = painter.fontMetrics().horizontalAdvance(text);
        const QRectF place(bar.center().x() - advance / 2, bar.top() - kNumber, advance, kNumber - 2);
        if (advance > bar.width() + 4 || place.left() < free) continue;
        if (place.left() - 2 < limit && limit < place.right() + 2)
            painter.fillRect(place.adjusted(-2, 2, 2, 0), theme.card);
        painter.setPen(theme.dim);
        painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, text);
        free = place.right() + 2;
    }
    painter.setFont(font());
}

void LengthHistogram::paintAxis(QPainter& painter) const {
    const theme::Theme& theme = m_themes.theme();
    painter.setPen(theme.border);
    painter.drawLine(plot().bottomLeft(), plot().bottomRight());
    painter.setPen(theme.dim);
    double free = rect().left();
    for (int64_t tick = 1; tick <= int64_t{1} << 40; tick *= 2) {
        const double x = xOf(tick);
        const QString text = translations::wholeText(tick);
        const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0;
        if (x <= plot().left() || x - half < free + 12) continue;
        if (x + half > rect().right() || x >= plot().right()) break;
        painter.drawText(QRectF(x - half - 1, plot().bottom() + 3, 2 * half + 2, 16), Qt::AlignCenter, text);
        free = x + half;
    }
    painter.drawText(QRectF(rect()).adjusted(0, rect().height() - 16, -kSide, 0), Qt::AlignRight | Qt::AlignVCenter,
                     tr("tokens of a whole row"));
}

// A line that hangs from its grip, as that of a slider.
void LengthHistogram::paintLimit(QPainter& painter) const {
    const theme::Theme& theme = m_themes.theme();
    const double x = xOf(m_limit);
    const double top = wordsHeight();
    painter.fillRect(QRectF(x - 1, top + kGrip / 2, 2, plot().bottom() - top - kGrip / 2), theme.accent);
    const QRectF grip(x - kGripHalf, top, 2 * kGripHalf, kGrip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(grip, 3, 3);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(grip.adjusted(-3, -3, 3, 3), 5, 5);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.onAccent);
    for (const double offset : {-2.0, 1.0})
        painter.drawLine(QPointF(x + offset, grip.top() + 4), QPointF(x + offset, grip.bottom() - 5));
}

// Above everything, as near to the line as the edges allow.
void LengthHistogram::paintWords(QPainter& painter) const {
    const theme::Theme& theme = m_themes.theme();
    QStringList lines = words();
    if (width() >= kRoomForALine) lines = {lines.front(), lines.mid(1).join(QStringLiteral(" · "))};
    const double x = xOf(m_limit);
    QFont bold = font();
    bold.setBold(true);
    double top = wordsHeight() - kLine * static_cast<double>(lines.size());
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.setFont(i == 0 ? bold : font());
        painter.setPen(i == 0 ? theme.accent : theme.text);
        const QString shown = painter.fontMetrics().elidedText(lines[i], Qt::ElideRight, width());
        const double advance = painter.fontMetrics().horizontalAdvance(shown);
        const double left = std::clamp(x - advance / 2, 0.0, std::max(0.0, width() - advance));
        painter.drawText(QRectF(left, top, advance, kLine), Qt::AlignCenter | Qt::TextDontClip, shown);
        top += kLine;
    }
}

// The mouse -----------------------------------------------------------------------------------------------------------

void LengthHistogram::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_statistics.choices.empty()) return;
    setSliderDown(true);
    setValue(choiceAt(event->position().x()));
}

void LengthHistogram::mouseMoveEvent(QMouseEvent* event) {
    if (isSliderDown()) setValue(choiceAt(event->position().x()));
}

void LengthHistogram::mouseReleaseEvent(QMouseEvent*) {
    if (!isSliderDown()) return;
    setSliderDown(false);
    emit limitChosen(m_limit);
}

} // namespace roundpipe::ui::pages
