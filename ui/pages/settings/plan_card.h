// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings come to: the few numbers of the project's plan, beside those of before the last change.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/pages/settings/plan_numbers.h"
#include "ui/widgets/card.h"

#include <QElapsedTimer>
#include <QStringList>

#include <optional>

class QGridLayout;
class QLabel;

namespace roundpipe::ui::pages {

// Old numbers stay on show, dimmed, until the new ones are there.
class PlanCard : public widgets::Card {
    Q_OBJECT
public:
    explicit PlanCard(const Services& services, QWidget* parent = nullptr);

private:
    struct Row {
        QLabel* before;
        QLabel* now;
        QLabel* verdict; // "better", "more"
    };
    struct Known {
        PlanNumbers numbers;
        std::optional<double> wholeSeconds; // of all steps; nothing: not known
        std::optional<double> stepsAnEpoch, steps;
        bool isMeasured = false; // as PlanAnswer has it
        QStringList planned;     // of which model, of which data, on which rig
    };
    Row addRow(QGridLayout& grid, const QString& name);
    void keepBefore(const QStringList& keys);
    void showPlan();
    void showNumbers();
    bool hasLikeTimes() const; // of before and now: measured, or estimated, both
    Known knownOf(const session::PlanAnswer& answer) const;

    Services m_services;
    QLabel* m_note;
    QWidget* m_table;
    Row m_step, m_speed, m_bubble, m_epoch, m_steps, m_whole, m_fullest, m_host;
    std::optional<Known> m_before, m_now;
    std::optional<Known> m_settled; // the last one that no better one was to follow
    QStringList m_turned;           // the settings that were changed last
    QElapsedTimer m_sinceTurned;
};

} // namespace roundpipe::ui::pages
