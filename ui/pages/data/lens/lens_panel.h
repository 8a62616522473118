// SPDX-License-Identifier: GPL-3.0-or-later
// The token lens of one row: what it is, role by role, and its tokens.
#pragma once

#include "ui/pages/data/lens/token_lens_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace roundpipe::ui::pages {

class LensPanel : public widgets::Card {
    Q_OBJECT
public:
    explicit LensPanel(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void show(session::TokenLens lens, const QString& name); // "rows, line 7"
    void showProblem(const QString& problem);                // in place of a row: why there are no tokens
    TokenLensView& view() { return *m_view; }
    // The button of the row on show, where it can be left out, or taken back if it was so by itself.
    void chooseRow();

signals:
    void rowChosen(const QString& key, bool leavesOut);

private:
    QWidget* buildModes();
    QWidget* buildLegend();
    void showsTokens(bool shows); // or words in their place
    void showRoles();
    void showRemarks();
    void showChoice();
    bool isLeftOut() const; // by itself, not by a rule
    void colourLegend();

    const theme::ThemeManager& m_themes;
    widgets::ElidedLabel* m_summary;
    QLabel* m_roles;
    QLabel* m_remarks;
    QStackedWidget* m_stack;
    TokenLensView* m_view;
    QPlainTextEdit* m_text; // of rows that have no tokens
    QLabel* m_legend;
    QPushButton* m_choose;
    QPushButton* m_next; // trained token
};

} // namespace roundpipe::ui::pages
