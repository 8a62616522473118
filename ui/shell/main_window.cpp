#include "ui/shell/main_window.h"

#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "trace/chrome_trace.h"
#include "ui/pages/run_page.h"
#include "ui/shell/message_banner.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::shell {
namespace {

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString stateText(session::RunState state) {
    using session::RunState;
    switch (state) {
    case RunState::kIdle:
        return MainWindow::tr("Ready");
    case RunState::kPreparing:
        return MainWindow::tr("Preparing");
    case RunState::kTraining:
        return MainWindow::tr("Training");
    case RunState::kEvaluating:
        return MainWindow::tr("Validating");
    case RunState::kAnswering:
        return MainWindow::tr("Answering");
    case RunState::kSaving:
        return MainWindow::tr("Saving");
    case RunState::kPaused:
        return MainWindow::tr("Paused");
    case RunState::kStopping:
        return MainWindow::tr("Stopping after this step");
    case RunState::kFinished:
        return MainWindow::tr("Finished");
    case RunState::kStopped:
        return MainWindow::tr("Stopped");
    case RunState::kFailed:
        return MainWindow::tr("Failed");
    }
    return {};
}

} // namespace

MainWindow::MainWindow(bridge::RunController& controller, bridge::WorkbenchController& workbench,
                       theme::ThemeManager& themes, QWidget* parent)
    : QMainWindow(parent)
    , m_controller(controller)
    , m_workbench(workbench)
    , m_themes(themes)
    , m_banner(new MessageBanner)
    , m_page(new pages::RunPage(controller, themes)) {
    buildActions();
    buildMenus();
    buildStatusBar();
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(theme::kPadding, 6, theme::kPadding, theme::kSpacing);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(buildHeader());
    layout->addWidget(m_banner);
    layout->addWidget(m_page, 1);
    setCentralWidget(content);
    resize(1600, 1000);
    setMinimumSize(900, 620);
    connectController();
    m_exportPoll.setInterval(50);
    connect(&m_exportPoll, &QTimer::timeout, this, &MainWindow::finishExport);
    updateTitle();
    updateCommands();
    updateStatus();
}

MainWindow::~MainWindow() {
    if (m_exporting.valid()) m_exporting.wait(); // the trace that the user asked for is written to its end
}

void MainWindow::buildActions() {
    m_start = new QAction(tr("Start"), this);
    m_start->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
    connect(m_start, &QAction::triggered, this, &MainWindow::start);
    m_stop = new QAction(tr("Stop"), this);
    m_stop->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Period));
    m_stop->setToolTip(tr("Finish the running step, save, and end (Ctrl+.)"));
    connect(m_stop, &QAction::triggered, &m_controller, &bridge::RunController::stop);
    m_export = new QAction(tr("Export trace…"), this);
    m_export->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    m_export->setToolTip(tr("Write the timeline as JSON that Perfetto opens (Ctrl+E)"));
    connect(m_export, &QAction::triggered, this, &MainWindow::exportTrace);
    m_exportStatistics = new QAction(tr("Export statistics…"), this);
    connect(m_exportStatistics, &QAction::triggered, this, &MainWindow::exportStatistics);
}

QWidget* MainWindow::buildHeader() {
    auto* header = new QWidget;
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(0, 0, 0, 0);
    m_headline = new QLabel(tr("No project"));
    m_headline->setObjectName(QStringLiteral("headline"));
    m_subline = new QLabel;
    m_subline->setObjectName(QStringLiteral("dim"));
    for (QLabel* label : {m_headline, m_subline})
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_headline);
    words->addWidget(m_subline);
    layout->addLayout(words, 1);

    auto* exportButton = new QToolButton;
    exportButton->setDefaultAction(m_export);
    auto* stopButton = new QToolButton;
    stopButton->setDefaultAction(m_stop);
    m_startButton = new QPushButton;
    m_startButton->setObjectName(QStringLiteral("primary"));
    connect(m_startButton, &QPushButton::clicked, m_start, &QAction::trigger);
    layout->addWidget(exportButton);
    layout->addWidget(stopButton);
    layout->addWidget(m_startButton);
    return header;
}

void MainWindow::buildMenus() {
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    QAction* open = run->addAction(tr("Open run.json…"));
    open->setShortcut(QKeySequence::Open);
    connect(open, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open a run"), {}, tr("Runs (*.json)"));
        if (!path.isEmpty()) openProjectFile(path.toStdString());
    });
    run->addSeparator();
    run->addAction(m_start);
    run->addAction(m_stop);
    run->addSeparator();
    run->addAction(m_export);
    run->addAction(m_exportStatistics);
    run->addSeparator();
    QAction* quit = run->addAction(tr("Quit"));
    quit->setShortcut(QKeySequence::Quit);
    connect(quit, &QAction::triggered, this, &QWidget::close);

    QMenu* view = menuBar()->addMenu(tr("&View"));
    auto* themesGroup = new QActionGroup(this);
    const auto addTheme = [&](const QString& name, theme::Choice choice) {
        QAction* action = view->addAction(name);
        action->setCheckable(true);
        action->setChecked(m_themes.choice() == choice);
        themesGroup->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { m_themes.choose(choice); });
        connect(&m_themes, &theme::ThemeManager::changed, action,
                [this, action, choice] { action->setChecked(m_themes.choice() == choice); });
    };
    addTheme(tr("Colours of the system"), theme::Choice::kSystem);
    addTheme(tr("Light"), theme::Choice::kLight);
    addTheme(tr("Dark"), theme::Choice::kDark);
}

void MainWindow::buildStatusBar() {
    m_stateLabel = new QLabel;
    m_stateLabel->setObjectName(QStringLiteral("title"));
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(220);
    m_progress->setRange(0, 1);
    m_numbers = new QLabel;
    m_engineLabel = new QLabel;
    m_engineLabel->setObjectName(QStringLiteral("dim"));
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(8, 2, 8, 2);
    statusBar()->addWidget(m_stateLabel);
    statusBar()->addWidget(m_progress);
    statusBar()->addWidget(m_numbers, 1);
    statusBar()->addPermanentWidget(m_engineLabel);
}

void MainWindow::connectController() {
    using bridge::RunController;
    connect(&m_controller, &RunController::started, this, [this] {
        m_banner->hide();
        updateCommands();
    });
    connect(&m_controller, &RunController::planReady, this, [this](const auto& plan) {
        m_subline->setText(text(plan->modelSummary + " · " + plan->plan.describe()));
        m_subline->setToolTip(m_subline->text()); // in full, where the window is narrow
    });
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        updateCommands();
        updateStatus();
        if (m_closing && !m_controller.isRunning()) close();
    });
    connect(&m_controller, &RunController::ticked, this, &MainWindow::updateStatus);
    connect(&m_controller, &RunController::failed, m_banner, &MessageBanner::showError);
    connect(&m_controller, &RunController::warned, m_banner, &MessageBanner::showNotice);
    connect(&m_controller, &RunController::traceChanged, this, [this] {
        const bool any = !m_controller.store().empty();
        m_export->setEnabled(any && !m_exporting.valid());
        m_exportStatistics->setEnabled(any);
    });
}

void MainWindow::openProjectFile(const std::filesystem::path& runFile) {
    try {
        m_project = openProject(runFile);
    } catch (const Error& error) {
        m_banner->showError(text(error.message()), text(error.advice()));
        return;
    }
    QStringList prompts;
    for (const std::string& prompt : m_project->prompts)
        prompts.append(text(prompt));
    m_page->setPrompts(prompts);
    const std::string folder = m_project->file.parent_path().filename().string();
    m_headline->setText(text(m_project->spec.name.empty() ? folder : m_project->spec.name));
    m_subline->setText(text(m_project->file.string()));
    updateTitle();
    updateCommands();
}

void MainWindow::engineLoaded(const QString& name, bool simulated) {
    m_engineName = name;
    m_simulated = simulated;
    m_engineBroken = false;
    updateTitle();
    updateCommands();
}

void MainWindow::engineFailed(const QString& why, std::function<void()> useSimulated) {
    m_engineBroken = true;
    m_banner->showError(tr("The training engine could not be loaded."), why);
    m_banner->offer(tr("Use the simulated engine"), std::move(useSimulated));
    updateCommands();
}

void MainWindow::start() {
    if (!m_project || !m_controller.hasEngine()) return;
    m_controller.start(specForNewRun(*m_project), m_project->prompts);
    updateCommands();
}

void MainWindow::exportTrace() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the trace"), QStringLiteral("trace.json"),
                                                      tr("Chrome traces (*.json)"));
    if (!path.isEmpty()) exportTraceTo(path);
}

void MainWindow::exportTraceTo(const QString& path) {
    if (m_exporting.valid()) return;
    m_exportError.clear();
    m_exporting = std::async(std::launch::async, [this, path, trace = m_controller.traceSnapshot()]() -> QString {
        try {
            trace::writeChromeTrace(trace, path.toStdString());
            return tr("Trace written to %1; open it at ui.perfetto.dev.").arg(path);
        } catch (const Error& error) {
            m_exportError = text(error.message());
            return {};
        }
    });
    m_export->setEnabled(false);
    m_exportPoll.start();
}

void MainWindow::finishExport() {
    if (m_exporting.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    m_exportPoll.stop();
    const QString outcome = m_exporting.get();
    m_export->setEnabled(true);
    if (outcome.isEmpty())
        m_banner->showError(tr("The trace was not written."), m_exportError);
    else
        m_banner->showNotice(outcome);
}

void MainWindow::exportStatistics() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the statistics on show"),
                                                      QStringLiteral("statistics.csv"), tr("Tables (*.csv)"));
    if (path.isEmpty()) return;
    try {
        writeFileAtomically(path.toStdString(), trace::toCsv(m_page->timelineView().statistics()));
    } catch (const Error& error) {
        m_banner->showError(text(error.message()), text(error.advice()));
    }
}

void MainWindow::updateCommands() {
    const bool running = m_controller.isRunning();
    const bool ready = m_controller.hasEngine() && m_project.has_value();
    m_start->setEnabled(ready && !running);
    m_stop->setEnabled(running && m_controller.snapshot().state != session::RunState::kStopping);
    m_startButton->setEnabled(m_start->isEnabled());
    m_startButton->setText(m_controller.hasEngine() ? (running ? tr("Running") : tr("Start"))
                           : m_engineBroken         ? tr("No engine")
                                                    : tr("Loading engine…"));
    m_startButton->setToolTip(tr("Start the run (Ctrl+R)"));
    const bool any = !m_controller.store().empty();
    m_export->setEnabled(any && !m_exporting.valid());
    m_exportStatistics->setEnabled(any);
    m_engineLabel->setText(m_engineName.isEmpty() ? tr("no engine yet") : m_engineName);
}

void MainWindow::updateStatus() {
    const session::Snapshot& now = m_controller.snapshot();
    m_stateLabel->setText(stateText(now.state));
    m_progress->setVisible(m_controller.isRunning());
    const bool known = now.totalSteps > 0;
    m_progress->setRange(0, known ? static_cast<int>(now.totalSteps) : 0);
    if (known) m_progress->setValue(static_cast<int>(now.step));
    QStringList parts;
    if (!now.activity.empty()) parts.append(text(now.activity));
    if (known) parts.append(tr("step %1 of %2").arg(now.step).arg(now.totalSteps));
    if (now.tokensPerSecond > 0) parts.append(tr("%1 tokens/s").arg(text(formatCount(now.tokensPerSecond))));
    if (now.remainingSeconds && m_controller.isRunning())
        parts.append(tr("%1 left").arg(text(formatDuration(*now.remainingSeconds))));
    m_numbers->setText(parts.join(QStringLiteral("   ·   ")));
}

void MainWindow::updateTitle() {
    QString title = tr("RoundPipe Studio");
    if (m_project) title = m_headline->text() + QStringLiteral(" – ") + title;
    if (m_simulated) title += tr(" (simulated engine: nothing is trained)");
    setWindowTitle(title);
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (m_painted) return;
    m_painted = true;
    QTimer::singleShot(0, this, &MainWindow::firstPainted); // after this paint has reached the screen
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_controller.isRunning()) {
        event->accept();
        return;
    }
    event->ignore();
    if (m_closing) return;
    const auto answer =
        QMessageBox::question(this, tr("A run is under way"), tr("Stop it after the running step, save, and close?"));
    if (answer != QMessageBox::Yes) return;
    m_closing = true;
    m_controller.stop();
    if (!m_controller.isRunning()) close();
}

} // namespace roundpipe::ui::shell
