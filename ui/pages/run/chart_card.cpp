// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/chart_card.h"

#include "ui/charts/loss_chart.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLeastHeight = 96;

} // namespace

ChartCard::ChartCard(const theme::ThemeManager& themes, const charts::RunHistory& history, QWidget* parent)
    : Card({}, parent)
    , m_history(history)
    , m_choice(new QComboBox)
    , m_logarithmic(new QPushButton(tr("Log axis")))
    , m_stack(new QStackedWidget)
    , m_loss(new charts::LossChart(themes))
    , m_curves(new charts::CurvesChart(themes)) {
    m_choice->setAccessibleName(tr("What the chart shows"));
    m_choice->addItem(tr("Loss and learning rate"));
    for (int q = 0; q < charts::kNumQuantities; ++q)
        m_choice->addItem(charts::quantityName(static_cast<charts::Quantity>(q)));
    m_logarithmic->setCheckable(true);
    m_stack->addWidget(m_loss);
    m_stack->addWidget(m_curves);
    m_stack->setMinimumHeight(kLeastHeight);
    for (QWidget* chart : {static_cast<QWidget*>(m_loss), static_cast<QWidget*>(m_curves)})
        chart->setMinimumSize(120, kLeastHeight);
    auto* top = new QHBoxLayout;
    top->addWidget(m_choice);
    top->addStretch(1);
    top->addWidget(m_logarithmic);
    body()->addLayout(top);
    body()->addWidget(m_stack, 1);
    connect(m_logarithmic, &QPushButton::toggled, this, [this](bool logarithmic) {
        m_loss->setLogarithmic(logarithmic);
        m_curves->setLogarithmic(logarithmic);
    });
    connect(m_choice, &QComboBox::activated, this, [this] {
        showChoice();
        emit chosen();
    });
    showChoice();
}

std::optional<charts::Quantity> ChartCard::quantity() const {
    if (m_choice->currentIndex() <= 0) return std::nullopt;
    return static_cast<charts::Quantity>(m_choice->currentIndex() - 1);
}

void ChartCard::choose(std::optional<charts::Quantity> quantity) {
    m_choice->setCurrentIndex(quantity ? 1 + static_cast<int>(*quantity) : 0);
    showChoice();
}

void ChartCard::showChoice() {
    m_stack->setCurrentWidget(quantity() ? static_cast<QWidget*>(m_curves) : m_loss);
    if (!quantity()) return;
    m_curves->setAccessibleName(charts::quantityName(*quantity()));
    m_curves->setFromZero(*quantity() != charts::Quantity::kTemperature);
    historyGrew();
}

void ChartCard::setOver(bool isOver) {
    if (std::exchange(m_isOver, isOver) != isOver) historyGrew();
}

void ChartCard::historyGrew() {
    if (!quantity() || !m_stack->isVisibleTo(window())) return;
    std::vector<charts::NamedCurve> curves = m_history.curves(*quantity());
    m_curves->setEmptyText(charts::whyNothingIsKnown(*quantity(), m_isOver));
    const bool overSteps = charts::isOverSteps(*quantity());
    const QString time =
        m_history.goneOnAfter()
            ? tr("time since it went on after step %1 (earlier: not kept)").arg(*m_history.goneOnAfter())
            : tr("time of the run");
    m_curves->setCurves(std::move(curves), overSteps ? tr("step") : time, !overSteps);
}

} // namespace roundpipe::ui::pages
