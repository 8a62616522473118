// The one window: header with the commands, the run page, the status bar.
#pragma once

#include "ui/bridge/run_controller.h"
#include "ui/bridge/workbench_controller.h"
#include "ui/shell/project.h"
#include "ui/theme/theme_manager.h"

#include <QMainWindow>

#include <future>
#include <optional>

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;

namespace roundpipe::ui::pages {
class RunPage;
}

namespace roundpipe::ui::shell {

class MessageBanner;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(bridge::RunController& controller, bridge::WorkbenchController& workbench, theme::ThemeManager& themes,
               QWidget* parent = nullptr);
    ~MainWindow() override;

    void openProjectFile(const std::filesystem::path& runFile); // a broken file is shown, not thrown
    bool hasProject() const { return m_project.has_value(); }

    // The engine comes after the window: until one of these is called, Start says that it is being loaded.
    void engineLoaded(const QString& name, bool simulated);
    // Says why, and offers what `useSimulated` does.
    void engineFailed(const QString& why, std::function<void()> useSimulated);

    pages::RunPage& page() { return *m_page; }
    bridge::WorkbenchController& workbench() const { return m_workbench; } // with or without an engine
    QAction* startAction() const { return m_start; }
    QAction* stopAction() const { return m_stop; }
    void exportTraceTo(const QString& path); // in a thread of its own; the outcome is shown

signals:
    void firstPainted(); // once: now is the time for slow loading

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void buildActions();
    QWidget* buildHeader();
    void buildMenus();
    void buildStatusBar();
    void connectController();
    void start();
    void exportTrace();
    void exportStatistics();
    void finishExport();
    void updateCommands();
    void updateStatus();
    void updateTitle();

    bridge::RunController& m_controller;
    bridge::WorkbenchController& m_workbench;
    theme::ThemeManager& m_themes;
    std::optional<Project> m_project;
    QString m_engineName;
    bool m_simulated = false;
    bool m_engineBroken = false;
    bool m_closing = false;
    bool m_painted = false;

    QAction* m_start = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_export = nullptr;
    QAction* m_exportStatistics = nullptr;
    QPushButton* m_startButton = nullptr;
    QLabel* m_headline = nullptr;
    QLabel* m_subline = nullptr;
    MessageBanner* m_banner = nullptr;
    pages::RunPage* m_page = nullptr;
    QLabel* m_stateLabel = nullptr;
    QLabel* m_engineLabel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_numbers = nullptr;

    std::future<QString> m_exporting; // what to say when it is done; empty: it failed
    QString m_exportError;            // written by the export before its future is ready
    QTimer m_exportPoll;
};

} // namespace roundpipe::ui::shell
