// The token lens of one row: what it is, role by role, and its tokens.
#pragma once

#include "ui/pages/data/token_lens_view.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace roundpipe::ui::pages {

class LensPanel : public widgets::Card {
    Q_OBJECT
public:
    explicit LensPanel(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void show(session::TokenLens lens, const QString& name); // "rows, line 7"
    void showProblem(const QString& problem);                // in place of a row: why there are no tokens
    TokenLensView& view() { return *m_view; }

private:
    QWidget* buildModes();
    QWidget* buildLegend();
    void showRoles();
    void showRemarks();
    void colourLegend();

    const theme::ThemeManager& m_themes;
    widgets::ElidedLabel* m_summary;
    QLabel* m_roles;
    QLabel* m_remarks;
    QStackedWidget* m_stack;
    TokenLensView* m_view;
    QPlainTextEdit* m_text; // of rows that have no tokens
    QLabel* m_legend;
};

} // namespace roundpipe::ui::pages
