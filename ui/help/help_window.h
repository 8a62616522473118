// SPDX-License-Identifier: GPL-3.0-or-later
// The manual in a window of its own: contents and search at the left, the page at the right.
#pragma once

#include "ui/help/manual.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QStackedWidget;
class QTreeWidget;
class QUrl;

namespace roundpipe::ui::help {

class PageView;

class HelpWindow : public QWidget {
    Q_OBJECT
public:
    // Throws kIo where the folder holds no manual.
    HelpWindow(const std::filesystem::path& folder, theme::ThemeManager& themes, QWidget* parent = nullptr);

    // "settings.md#lora.rank": a page, and a heading or an anchor of it. The contents where there is no such page.
    void open(const QString& place);
    QString place() const; // "settings.md": the page on show
    const Manual& manual() const { return m_manual; }

signals:
    void externalLinkChosen(const QUrl& url); // the window opens none by itself

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Visit {
        const ManualPage* page;
        int position; // at the top of the view
    };
    QWidget* buildSide();
    QWidget* buildPage();
    void fillContents();
    void follow(const QUrl& link);
    void goThrough(int steps); // of the history
    void showFrom(const ManualPage& page, int position);
    void showHits();
    void addHit(const QString& where, const QString& line);
    QListWidgetItem* addRow(const QString& html, const QString& spoken);
    void openHit(int row);
    void mark(const QString& anchor, const QString& words);
    void markContents(const QString& anchor);
    void updateActions();

    Manual m_manual;
    theme::ThemeManager& m_themes;
    std::vector<Visit> m_visits;
    std::size_t m_at = 0;
    std::vector<ManualHit> m_hits;
    QAction* m_back;
    QAction* m_forward;
    QLineEdit* m_search;
    QStackedWidget* m_left;
    QTreeWidget* m_contents;
    QListWidget* m_hitList;
    PageView* m_view;
};

} // namespace roundpipe::ui::help
