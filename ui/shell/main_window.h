// SPDX-License-Identifier: GPL-3.0-or-later
// The one window: the rail, the pages, menus and the status bar.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/timeline/plot/timeline_plot.h"

#include <QMainWindow>

#include <memory>

class QAction;
class QMenu;

namespace roundpipe::ui::timeline {
class TimelineView;
}
namespace roundpipe::ui::widgets {
class Toast;
}

namespace roundpipe::ui::shell {

enum class CloseAnswer;
class DropFrame;
class HelpMenu;
class MessageBanner;
class NavigationRail;
class PageStack;
class RunStatusBar;
class TimelineExports;
class TraceWindow;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const pages::Services& services, QWidget* parent = nullptr);

    void showPage(const QString& id, const QString& field = {}); // no-op where there is no such page
    QString currentPage() const;
    pages::Page* page(const QString& id) const; // null: there is none
    void openFiles(const QStringList& paths);   // dropped, chosen or named when the program was started

    // The engine comes after the window: until one of these is called, Start says that it is being loaded, and once
    // more from engineIsLoading() on.
    void engineIsLoading();
    void engineLoaded(const QString& name, bool simulated); // a simulated one needs no name
    // Says why, and offers what `useSimulated` does.
    void engineFailed(const QString& why, std::function<void()> useSimulated);
    // Says that it must be fetched first, and offers what `setUp` does, here and in the Run menu, until it is loaded.
    void engineNotSetUp(std::function<void()> setUp);

    void exportTimelineTo(const QString& path,
                          bool selectionOnly = false); // in a thread of its own; the outcome is shown
    TraceWindow* openTrace(const QString& path);       // in a window of its own

signals:
    void firstPainted();  // once: now is the time for slow loading
    void restartWanted(); // neither run nor export is under way

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addPages();
    void buildFileMenu();
    void buildEditMenu();
    void buildRunMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void buildLanguageMenu(QMenu& menu);
    void lead();
    void connectDocument();
    void connectRun();
    void openForeignRun(const QString& path);
    void openWithDialog();
    void save();
    void saveWithDialog();
    void tellSaved(bool isSaved);
    void fillRecent();
    void openTraceWithDialog();
    void compareWithPlan();
    TraceWindow* newTraceWindow();
    timeline::TimelineView* runTimeline() const; // null: no page has one
    timeline::Gestures gestures() const;
    void chooseGestures(timeline::Gestures gestures);
    int64_t traceBudget() const; // bytes
    void askTraceBudget();
    bool isBusy() const; // a run or an export is under way
    void askToClose();
    void closeAsAnswered(CloseAnswer answer);
    void preparePages(int next);
    void collectMissing();
    void updateTraces();
    void updateProject();

    pages::Services m_services;
    bool m_simulated = false;
    bool m_isAsked = false; // whether it is to be closed
    bool m_closing = false; // when what is under way has ended
    bool m_leaving = false; // a run that goes on without the window
    bool m_painted = false;
    QString m_ledTo; // the page on show, where a project that was opened led there by itself
    QMenu* m_recent = nullptr;
    QAction* m_setUp = nullptr;
    QAction* m_comparePlan = nullptr;
    NavigationRail* m_rail;
    PageStack* m_stack;
    MessageBanner* m_banner;
    widgets::Toast* m_toast;
    DropFrame* m_dropFrame;
    RunStatusBar* m_status;
    TimelineExports* m_exports = nullptr;
    HelpMenu* m_help = nullptr;
};

} // namespace roundpipe::ui::shell
