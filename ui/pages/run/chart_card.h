// SPDX-License-Identifier: GPL-3.0-or-later
// One chart of a run at a time: its loss, or what its steps and its machine say of themselves.
#pragma once

#include "ui/charts/run_history.h"
#include "ui/theme/theme_manager.h"
#include "ui/widgets/card.h"

#include <optional>

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace roundpipe::ui::charts {
class LossChart;
}

namespace roundpipe::ui::pages {

class ChartCard : public widgets::Card {
    Q_OBJECT
public:
    // `history`: what is drawn beside the loss; must live as long as the card.
    ChartCard(const theme::ThemeManager& themes, const charts::RunHistory& history, QWidget* parent = nullptr);
    charts::LossChart& loss() { return *m_loss; }
    std::optional<charts::Quantity> quantity() const; // nothing: the loss
    void choose(std::optional<charts::Quantity> quantity);
    void setOver(bool isOver); // whether what is on show has ended: what is empty then stays so
    void historyGrew();        // cheap where nothing of it is on show

signals:
    void chosen(); // by the user

private:
    void showChoice();

    const charts::RunHistory& m_history;
    QComboBox* m_choice;
    QPushButton* m_logarithmic;
    QStackedWidget* m_stack;
    charts::LossChart* m_loss;
    charts::CurvesChart* m_curves;
    bool m_isOver = false;
};

} // namespace roundpipe::ui::pages
