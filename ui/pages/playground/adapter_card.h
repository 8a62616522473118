// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers: the adapters that are loaded, how much of each, and a factor on all of them.
#pragma once

#include "session/conversation.h"
#include "ui/widgets/card.h"

#include <vector>

class QGridLayout;
class QSlider;

namespace roundpipe::ui::editors {
class NumberBox;
}

namespace roundpipe::ui::pages {

class AdapterCard : public widgets::Card {
    Q_OBJECT
public:
    explicit AdapterCard(QWidget* parent = nullptr);
    // Hidden without adapters. Those that the conversation leaves out have a weight of 0. Emits nothing.
    void show(const std::vector<std::string>& loaded, const session::ChatConversation& conversation);
    void turnStrength(int steps); // by keys

signals:
    void strengthEdited(double strength);
    void weightsEdited(const std::vector<roundpipe::session::AdapterWeight>& adapters);

private:
    QWidget* buildStrength();
    void showWeights();
    void setStrength(double strength); // by the user

    std::vector<session::AdapterWeight> m_weights;
    QGridLayout* m_rows;
    editors::NumberBox* m_strength = nullptr;
    QSlider* m_slider = nullptr;
};

} // namespace roundpipe::ui::pages
