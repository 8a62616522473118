// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/loss_chart.h"

#include "ui/charts/step_ticker.h"
#include "ui/translations/number_text.h"

#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::charts {
namespace {

constexpr double kSmoothing = 0.75;

} // namespace

LossChart::LossChart(const theme::ThemeManager& themes, QWidget* parent)
    : QCustomPlot(parent)
    , m_themes(themes)
    , m_loss(addGraph())
    , m_smooth(addGraph())
    , m_validation(addGraph())
    , m_learningRate(addGraph(xAxis, yAxis2))
    , m_cursor(new QCPItemStraightLine(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_cursor->setVisible(false);
    m_smooth->setName(tr("loss")); // the faint line behind it needs no name
    m_loss->removeFromLegend();
    m_validation->setName(tr("validation"));
    m_learningRate->setName(tr("learning rate"));
    m_validation->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, 8));
    xAxis->setTicker(QSharedPointer<StepTicker>::create());
    xAxis->ticker()->setTickCount(6);
    yAxis->ticker()->setTickCount(4);
    yAxis2->setVisible(true);
    yAxis2->ticker()->setTickCount(3);
    yAxis2->setNumberFormat(QStringLiteral("gb"));
    yAxis2->setNumberPrecision(3); // 7.5e-5 is no 8e-5
    legend->setVisible(true);
    legend->setBorderPen(Qt::NoPen);
    legend->setFillOrder(QCPLegend::foColumnsFirst);
    legend->setWrap(0);
    legend->setIconSize(16, 10);
    legend->setMargins(QMargins(4, 0, 4, 0));
    // Above the curves, never on them.
    plotLayout()->insertRow(0);
    auto* top = new QCPLayoutGrid; // owned by the plot's layout
    top->addElement(0, 0, legend);
    top->addElement(0, 1, new QCPTextElement(this));
    top->setColumnStretchFactor(0, 0.001);
    plotLayout()->addElement(0, 0, top);
    plotLayout()->setRowStretchFactor(0, 0.001);
    plotLayout()->setRowSpacing(0);
    axisRect()->setMinimumMargins(QMargins(4, 2, 4, 2));
    connect(&themes, &theme::ThemeManager::changed, this, &LossChart::applyTheme);
    setAccessibleName(tr("Loss chart"));
    applyTheme();
    clear();
}

void LossChart::applyTheme() {
    const theme::Theme& theme = m_themes.theme();
    setBackground(theme.card);
    legend->setBrush(Qt::NoBrush);
    legend->setTextColor(theme.dim);
    legend->setFont(font());
    const QColor loss = theme.curve(theme::kTrainingCurve);
    QColor faint = loss;
    faint.setAlpha(90);
    m_loss->setPen(QPen(faint, 1));
    m_smooth->setPen(QPen(loss, 2));
    m_validation->setPen(QPen(theme.curve(theme::kValidationCurve), 1.5));
    m_learningRate->setPen(QPen(theme.dim, 1, Qt::DashLine));
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2}) {
        axis->setBasePen(QPen(theme.border));
        axis->setTickPen(QPen(theme.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.dim);
        axis->setLabelColor(theme.dim);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(theme.border, 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    yAxis2->grid()->setVisible(false);
    m_cursor->setPen(QPen(theme.dim, 1, Qt::DashLine));
    replot(rpQueuedReplot);
}

void LossChart::clear() {
    for (QCPGraph* graph : {m_loss, m_smooth, m_validation, m_learningRate})
        graph->data()->clear();
    m_average = m_weight = 0;
    pointAt(std::nullopt);
    m_totalSteps = 0;
    fitAxes();
}

void LossChart::setTotalSteps(int64_t totalSteps) {
    m_totalSteps = totalSteps;
    fitAxes();
}

void LossChart::setLogarithmic(bool logarithmic) {
    yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic)
        yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    else
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    yAxis->ticker()->setTickCount(4);
    fitAxes();
}

void LossChart::add(const session::StepMetrics& metrics) {
    const auto step = static_cast<double>(metrics.step);
    if (std::isfinite(metrics.loss)) {
        m_average = kSmoothing * m_average + (1 - kSmoothing) * metrics.loss;
        m_weight = kSmoothing * m_weight + (1 - kSmoothing);
        m_loss->addData(step, metrics.loss);
        m_smooth->addData(step, m_average / m_weight);
    }
    if (metrics.validationLoss && std::isfinite(*metrics.validationLoss))
        m_validation->addData(step, *metrics.validationLoss);
    m_learningRate->addData(step, metrics.learningRate);
    fitAxes();
}

void LossChart::addValidation(int64_t step, double loss) {
    if (!std::isfinite(loss)) return;
    m_validation->addData(static_cast<double>(step), loss);
    fitAxes();
}

QString LossChart::valuesAt(int64_t step) const {
    const auto key = static_cast<double>(step);
    const auto valueOf = [key](const QCPGraph& graph) -> std::optional<double> {
        const auto point = graph.data()->findBegin(key, false);
        return point != graph.data()->constEnd() && point->key == key ? std::optional(point->value) : std::nullopt;
    };
    QStringList lines;
    if (const auto loss = valueOf(*m_loss)) lines += tr("loss %1").arg(translations::shortText(*loss, 4));
    if (const auto smooth = valueOf(*m_smooth)) lines += tr("smoothed %1").arg(translations::shortText(*smooth, 4));
    if (const auto validation = valueOf(*m_validation))
        lines += tr("validation %1").arg(translations::shortText(*validation, 4));
    if (const auto rate = valueOf(*m_learningRate))
        lines += tr("learning rate %1").arg(translations::shortText(*rate, 3));
    return lines.join(QLatin1Char('\n'));
}

std::optional<int64_t> LossChart::nearestStep(double key) const {
    const auto& steps = *m_learningRate->data(); // it has every step, the loss those with a finite one
    if (steps.isEmpty()) return std::nullopt;
    auto point = steps.findBegin(key, false);
    if (point == steps.constEnd()) --point;
    if (point != steps.constBegin() && key - (point - 1)->key < point->key - key) --point;
    return std::llround(point->key);
}

void LossChart::pointAt(std::optional<int64_t> step) {
    m_cursorStep = step;
    m_cursor->setVisible(step.has_value());
    if (step) {
        m_cursor->point1->setCoords(static_cast<double>(*step), 0);
        m_cursor->point2->setCoords(static_cast<double>(*step), 1);
        setAccessibleDescription(tr("Step %1: %2").arg(*step).arg(valuesAt(*step).replace(u'\n', QLatin1String(", "))));
    }
    replot(rpQueuedReplot);
}

void LossChart::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const bool isInside = axisRect()->rect().contains(event->pos());
    pointAt(isInside ? nearestStep(xAxis->pixelToCoord(event->position().x())) : std::nullopt);
    setCursor(m_cursorStep ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!m_cursorStep) return QToolTip::hideText();
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12),
                       tr("Step %1\n%2\nClick: see it on the timeline").arg(*m_cursorStep).arg(valuesAt(*m_cursorStep)),
                       this);
}

void LossChart::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && m_cursorStep) emit stepChosen(*m_cursorStep);
}

void LossChart::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    pointAt(std::nullopt);
}

void LossChart::keyPressEvent(QKeyEvent* event) {
    const auto newest = nearestStep(xAxis->range().upper);
    if (!newest) return QCustomPlot::keyPressEvent(event);
    const int64_t here = m_cursorStep.value_or(*newest);
    switch (event->key()) {
    case Qt::Key_Left:
        return pointAt(m_cursorStep ? nearestStep(static_cast<double>(here) - 1) : newest);
    case Qt::Key_Right:
        return pointAt(nearestStep(static_cast<double>(here) + 1));
    case Qt::Key_Home:
        return pointAt(nearestStep(0));
    case Qt::Key_End:
        return pointAt(newest);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit stepChosen(here);
        return;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void LossChart::resizeEvent(QResizeEvent* event) {
    xAxis->ticker()->setTickCount(std::clamp(width() / 80, 3, 8)); // so that no number runs into the next
    QCustomPlot::resizeEvent(event);
}

void LossChart::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    if (!hasFocus()) return;
    QPainter painter(this);
    painter.setPen(QPen(m_themes.theme().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void LossChart::fitAxes() {
    const double last = m_loss->data()->isEmpty() ? 0 : (m_loss->data()->constEnd() - 1)->key;
    double end = std::max({last, static_cast<double>(m_totalSteps), 10.0});
    while (last > 0 &&
           end / 2 >= std::max(last, 10.0)) // the run, or a half of it, or a quarter: what the steps so far fill
        end /= 2;
    xAxis->setRange(0, end * 1.03); // a validation of the last step is whole
    bool found = false;
    QCPRange range = m_loss->getValueRange(found);
    if (!found) range = QCPRange(0, 4);
    bool foundValidation = false;
    const QCPRange validation = m_validation->getValueRange(foundValidation);
    if (foundValidation) range.expand(validation);
    const double margin = std::max(0.06 * range.size(), 0.02);
    if (yAxis->scaleType() == QCPAxis::stLogarithmic)
        yAxis->setRange(std::max(range.lower, 1e-6) * 0.9, std::max(range.upper, 1e-5) * 1.1);
    else
        yAxis->setRange(range.lower - margin, range.upper + margin);
    for (QCPAxis* axis : {yAxis, yAxis2}) // before the first value there is none to read off
        axis->setTickLabels(found || foundValidation);
    bool foundRate = false;
    const QCPRange rate = m_learningRate->getValueRange(foundRate);
    yAxis2->setRange(0, foundRate && rate.upper > 0 ? rate.upper * 1.15 : 1e-4);
    replot(rpQueuedReplot);
}

} // namespace roundpipe::ui::charts
