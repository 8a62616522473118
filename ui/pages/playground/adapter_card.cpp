// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/adapter_card.h"

#include "ui/editors/number_box.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/help_place.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

constexpr double kMost = 100;     // as the command line allows
constexpr double kStep = 0.05;    // of the slider
constexpr int kSliderHeight = 22; // of its handle, and air
constexpr int kSliderSteps = 40;  // to 2
constexpr int kBoxWidth = 84;

} // namespace

AdapterCard::AdapterCard(QWidget* parent) : Card(tr("Adapter"), parent), m_rows(new QGridLayout) {
    widgets::setHelpPlace(*this, QStringLiteral("chat.md#model-and-adapters"));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setColumnStretch(0, 1);
    body()->addLayout(m_rows);
    body()->addWidget(buildStrength());
}

QWidget* AdapterCard::buildStrength() {
    const QString help = tr("A factor on what the adapters add: 0 is the base model, above 1 is overdone "
                            "(Alt+Left, Alt+Right)");
    m_strength = new editors::NumberBox(false, -kMost, kMost);
    m_strength->setFixedWidth(kBoxWidth);
    m_strength->setAccessibleName(tr("Strength"));
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setRange(0, kSliderSteps);
    m_slider->setPageStep(4);
    m_slider->setMinimumHeight(kSliderHeight);
    m_slider->setAccessibleName(tr("Strength of the adapters"));
    for (QWidget* widget : {static_cast<QWidget*>(m_strength), static_cast<QWidget*>(m_slider)}) {
        widget->setToolTip(help);
        widget->setAccessibleDescription(help);
    }
    auto* all = new QWidget;
    auto* lines = new QVBoxLayout(all);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Strength")), 1);
    row->addWidget(m_strength);
    lines->addLayout(row);
    lines->addWidget(m_slider);
    auto* marks = new QHBoxLayout;
    const auto addMark = [&](const QString& words, Qt::Alignment side) {
        auto* mark = new QLabel(words);
        mark->setObjectName(QStringLiteral("dim"));
        mark->setAlignment(side);
        marks->addWidget(mark, 1);
    };
    addMark(tr("0 · base"), Qt::AlignLeft);
    addMark(translations::wholeText(1), Qt::AlignHCenter);
    addMark(translations::wholeText(2), Qt::AlignRight);
    lines->addLayout(marks);
    connect(m_slider, &QSlider::valueChanged, this, [this](int steps) { setStrength(steps * kStep); });
    connect(m_strength, &editors::NumberBox::edited, this, [this](double value) {
        if (std::abs(value) <= kMost) setStrength(value);
    });
    return all;
}

void AdapterCard::show(const std::vector<std::string>& loaded, const session::ChatConversation& conversation) {
    setVisible(!loaded.empty());
    m_weights.clear();
    for (const std::string& name : loaded) {
        const auto used = std::ranges::find(conversation.adapters, name, &session::AdapterWeight::name);
        m_weights.push_back({name, used == conversation.adapters.end() ? 0 : used->weight});
    }
    showWeights();
    const QSignalBlocker quiet(m_slider);
    m_strength->setValue(conversation.strength);
    m_slider->setValue(static_cast<int>(std::lround(conversation.strength / kStep)));
}

// A single adapter has the strength alone.
void AdapterCard::showWeights() {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t i = 0; i < m_weights.size(); ++i) {
        const QString name = QString::fromStdString(m_weights[i].name);
        const int row = static_cast<int>(i);
        m_rows->addWidget(new widgets::ElidedLabel(name), row, 0);
        if (m_weights.size() == 1 && m_weights[i].weight == 1) continue;
        auto* box = new editors::NumberBox(false, -kMost, kMost);
        box->setFixedWidth(kBoxWidth);
        box->setValue(m_weights[i].weight);
        box->setAccessibleName(tr("Weight of %1").arg(name));
        box->setToolTip(tr("How much of this adapter is added; 0: nothing of it"));
        m_rows->addWidget(box, row, 1);
        connect(box, &editors::NumberBox::edited, this, [this, i](double value) {
            if (std::abs(value) > kMost) return;
            m_weights[i].weight = value;
            emit weightsEdited(m_weights);
        });
    }
}

void AdapterCard::setStrength(double strength) {
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(strength / kStep)));
    if (m_strength->value() != strength) m_strength->setValue(strength);
    emit strengthEdited(strength);
}

void AdapterCard::turnStrength(int steps) {
    if (isVisible()) m_slider->setValue(m_slider->value() + steps);
}

} // namespace roundpipe::ui::pages
