// SPDX-License-Identifier: GPL-3.0-or-later
// An answer token by token: the exact tokens that the model was given, how likely each of its own was, and what else
// could have stood there.
#pragma once

#include "ui/pages/playground/dialogue.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace roundpipe::ui::widgets {
class Segmented;
}

namespace roundpipe::ui::pages {

class TokenPaper;

class TokensPanel : public QWidget {
    Q_OBJECT
public:
    explicit TokensPanel(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void show(Dialogue::Answer answer, const QString& who); // null: nothing was asked yet
    bool isEmpty() const { return m_answer == nullptr; }

private:
    QWidget* buildChosen();
    void showLegend();
    void showToken(int token); // of the answer
    void showFace();

    const theme::ThemeManager& m_themes;
    Dialogue::Answer m_answer;
    widgets::Segmented* m_face;
    QStackedWidget* m_stack;
    QLabel *m_who, *m_counts, *m_legend, *m_token;
    TokenPaper *m_prompt, *m_chosen;
};

} // namespace roundpipe::ui::pages
