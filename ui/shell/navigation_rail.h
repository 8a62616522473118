// SPDX-License-Identifier: GPL-3.0-or-later
// The pages, at the window's left: where one is, what each holds or lacks, and a click or Ctrl+number away.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractButton>
#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace roundpipe::ui::shell {

// One page's entry; it paints itself.
class RailButton : public QAbstractButton {
    Q_OBJECT
public:
    RailButton(const pages::PageLook& look, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setStatus(const pages::PageStatus& status);
    void setFolded(bool folded); // the icon and the mark alone
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintMark(QPainter& painter) const;
    void updateNames();

    pages::PageLook m_look;
    const theme::ThemeManager& m_themes;
    pages::PageStatus m_status;
    bool m_folded = false;
};

// For Tab it is one place, the current page's entry; arrows go from entry to entry.
class NavigationRail : public QFrame {
    Q_OBJECT
public:
    explicit NavigationRail(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void add(const pages::Page& page, int number); // the number of its key: Ctrl+number
    void setCurrent(const QString& id);
    void focusCurrent();
    void setProject(const QString& name, const QString& saved, const QString& file); // that it is saved in
    void setFolded(bool folded);

signals:
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the entries' keys

private:
    const theme::ThemeManager& m_themes;
    widgets::ElidedLabel* m_name;
    QLabel* m_saved;
    QVBoxLayout* m_entries;
    std::vector<std::pair<QString, RailButton*>> m_buttons;
    bool m_isApart = false;
};

} // namespace roundpipe::ui::shell
