// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curves_chart.h"

#include "ui/charts/step_ticker.h"
#include "ui/translations/number_text.h"

#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::ui::charts {
namespace {

constexpr double kBesideDisc = 0.04; // of the axis
constexpr std::array<Qt::PenStyle, theme::kNumCurves> kStyles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine,
                                                                 Qt::DashDotLine, Qt::DashDotDotLine};
constexpr int kNameHeight = 18;

QPen penOf(int index, const theme::Theme& theme) {
    if (index >= theme::kNumCurves) return QPen(theme.border, 1);
    return QPen(theme.curve(index), index == 0 ? 2.2 : 1.6, kStyles[static_cast<std::size_t>(index)]);
}

// "2 min", "1 h 30 min": steps that people count time in.
class DurationTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        constexpr std::array kSteps = {1.,   2.,   5.,    10.,   15.,   30.,    60.,    120.,   300.,
                                       600., 900., 1800., 3600., 7200., 10800., 21600., 43200., 86400.};
        const double wanted = range.size() / std::max(1, tickCount());
        const auto* step = std::ranges::lower_bound(kSteps, wanted);
        return step == kSteps.end() ? std::ceil(wanted / 86400) * 86400 : *step;
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        if (tick == 0) return QStringLiteral("0");
        return tick < 60 ? QStringLiteral("%1 s").arg(tick) : translations::durationText(tick); // whole seconds
    }
};

// The value of the last point at or before `x`; nothing before the first.
const double* valueAt(const NamedCurve& curve, double x) {
    const auto after = std::ranges::upper_bound(curve.x, x);
    return after == curve.x.begin() ? nullptr : &curve.y[static_cast<std::size_t>(after - curve.x.begin()) - 1];
}

} // namespace

QPixmap lineSample(int index, const theme::Theme& theme, double pixelRatio) {
    constexpr QSize kSize(34, 16);
    QPixmap pixmap(kSize * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(penOf(index, theme));
    painter.drawLine(QPointF(1, 8), QPointF(33, 8));
    return pixmap;
}

CurvesChart::CurvesChart(const theme::ThemeManager& themes, QWidget* parent)
    : QCustomPlot(parent), m_themes(themes), m_cursor(new QCPItemStraightLine(this)), m_empty(new QCPItemText(this)) {
    setAccessibleName(tr("Curves of the chosen runs"));
    setMouseTracking(true);
    m_cursor->setVisible(false);
    m_empty->setText({}); // QCustomPlot would write "text"
    m_empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_empty->position->setCoords(0.5, 0.5);
    xAxis->ticker()->setTickCount(6);
    yAxis->ticker()->setTickCount(5);
    axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
    connect(this, &QCustomPlot::afterLayout, this, &CurvesChart::placeNames);
    connect(&themes, &theme::ThemeManager::changed, this, &CurvesChart::applyTheme);
    applyTheme();
}

void CurvesChart::setCurves(std::vector<NamedCurve> curves, const QString& xLabel, bool xIsSeconds) {
    m_curves = std::move(curves);
    m_xLabel = xLabel;
    m_xIsSeconds = xIsSeconds;
    xAxis->setTicker(xIsSeconds ? QSharedPointer<QCPAxisTicker>(new DurationTicker)
                                : QSharedPointer<QCPAxisTicker>(new StepTicker));
    xAxis->ticker()->setTickCount(6);
    xAxis->setLabel(xLabel);
    rebuild();
}

void CurvesChart::setLogarithmic(bool logarithmic) {
    yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    QSharedPointer<QCPAxisTicker> ticker(logarithmic ? new QCPAxisTickerLog : new QCPAxisTicker);
    ticker->setTickCount(5);
    yAxis->setTicker(ticker);
    fitAxes();
}

void CurvesChart::setFromZero(bool fromZero) {
    m_fromZero = fromZero;
    fitAxes();
}

void CurvesChart::setEmptyText(const QString& text) {
    m_empty->setText(text);
    replot(rpQueuedReplot);
}

void CurvesChart::rebuild() {
    m_empty->setVisible(m_curves.empty());
    clearGraphs();
    for (QCPItemText* name : m_names)
        removeItem(name);
    m_names.clear();
    for (const NamedCurve& curve : m_curves) {
        QCPGraph* graph = addGraph();
        graph->setName(curve.name);
        graph->setAdaptiveSampling(true);
        graph->setData(QVector<double>(curve.x.begin(), curve.x.end()), QVector<double>(curve.y.begin(), curve.y.end()),
                       true);
        if (curve.x.size() == 1) graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 6));
        auto* name = new QCPItemText(this);
        name->setClipToAxisRect(false);
        name->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        name->position->setType(QCPItemPosition::ptAbsolute);
        name->setText(fontMetrics().elidedText(curve.name, Qt::ElideRight, 130));
        m_names.push_back(name);
    }
    applyTheme();
    fitAxes();
}

// A point that is alone is a disc, of which the axes would cut off a half.
bool CurvesChart::hasDiscAt(double x) const {
    return std::ranges::any_of(m_curves,
                               [x](const NamedCurve& curve) { return curve.x.size() == 1 && curve.x[0] == x; });
}

void CurvesChart::fitAxes() {
    bool found = false;
    QCPRange x, y;
    for (int i = 0; i < graphCount(); ++i) {
        bool hasX = false, hasY = false;
        const auto sign = yAxis->scaleType() == QCPAxis::stLogarithmic ? QCP::sdPositive : QCP::sdBoth;
        const QCPRange keys = graph(i)->getKeyRange(hasX);
        const QCPRange values = graph(i)->getValueRange(hasY, sign);
        if (!hasX || !hasY) continue;
        if (found) {
            x.expand(keys);
            y.expand(values);
        } else {
            x = keys;
            y = values;
        }
        found = true;
    }
    if (!found) x = QCPRange(0, 10), y = QCPRange(0.1, 4);
    x = QCPRange(std::min(0.0, x.lower), x.upper > 0 ? x.upper : 1);
    const double beside = kBesideDisc * x.size();
    xAxis->setRange(hasDiscAt(x.lower) ? x.lower - beside : x.lower, hasDiscAt(x.upper) ? x.upper + beside : x.upper);
    if (yAxis->scaleType() == QCPAxis::stLogarithmic) {
        yAxis->setRange(y.lower / 1.08, y.upper * 1.08);
    } else {
        const double margin = std::max(0.06 * y.size(), 1e-6 + 0.01 * std::abs(y.upper));
        yAxis->setRange(m_fromZero ? std::min(0.0, y.lower) : y.lower - margin, y.upper + margin);
    }
    int widest = 12;
    for (const QCPItemText* name : m_names)
        widest = std::max(widest, fontMetrics().horizontalAdvance(name->text()) + 22);
    axisRect()->setMargins(QMargins(axisRect()->margins().left(), 10, widest, axisRect()->margins().bottom()));
    axisRect()->setMinimumMargins(QMargins(8, 10, widest, 8));
    replot(rpQueuedReplot);
}

// Beside the last point of each curve, moved apart where they would lie over each other: in each replot, once the axes
// have their place in it.
void CurvesChart::placeNames() {
    if (m_names.size() != m_curves.size()) return; // they are being made
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        m_names[i]->setVisible(!m_curves[i].y.empty());
        if (!m_curves[i].y.empty()) ends.emplace_back(yAxis->coordToPixel(m_curves[i].y.back()), i);
    }
    std::ranges::sort(ends);
    const QRect area = axisRect()->rect();
    double free = area.top();
    for (auto& [pixel, index] : ends) {
        pixel = std::max(pixel, free);
        free = pixel + kNameHeight;
    }
    double lowest = area.bottom();
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
        end->first = std::min(end->first, lowest);
        lowest = end->first - kNameHeight;
        m_names[end->second]->position->setCoords(area.right() + 8, end->first);
    }
}

void CurvesChart::applyTheme() {
    const theme::Theme& theme = m_themes.theme();
    setBackground(theme.card);
    for (int i = 0; i < graphCount(); ++i) {
        graph(i)->setPen(penOf(i, theme));
        m_names[static_cast<std::size_t>(i)]->setColor(theme.curve(i));
        m_names[static_cast<std::size_t>(i)]->setFont(font());
    }
    m_cursor->setPen(QPen(theme.dim, 1, Qt::DashLine));
    m_empty->setColor(theme.dim);
    m_empty->setFont(font());
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.dim);
        axis->setLabelColor(theme.dim);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(theme.border, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    replot(rpQueuedReplot);
}

QString CurvesChart::keyText(double x) const {
    return m_xIsSeconds ? translations::durationText(x) : translations::fixedText(std::floor(x), 0);
}

QString CurvesChart::valuesAt(double x) const {
    QStringList lines;
    for (const NamedCurve& curve : m_curves)
        if (const double* value = valueAt(curve, x))
            lines.append(QStringLiteral("%1:  %2").arg(curve.name, translations::shortText(*value, 4)));
    return lines.join(QLatin1Char('\n'));
}

void CurvesChart::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const double x = xAxis->pixelToCoord(event->position().x());
    const QString values = axisRect()->rect().contains(event->pos()) ? valuesAt(x) : QString();
    m_cursor->setVisible(!values.isEmpty());
    m_cursor->point1->setCoords(x, 0);
    m_cursor->point2->setCoords(x, 1);
    if (values.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12),
                           QStringLiteral("%1 %2\n%3").arg(m_xLabel, keyText(x), values), this);
    replot(rpQueuedReplot);
}

void CurvesChart::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    m_cursor->setVisible(false);
    replot(rpQueuedReplot);
}

} // namespace roundpipe::ui::charts
