// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "base/error.h"
#include "runs/run_library.h"
#include "trace/files/trace_file.h"
#include "ui/document/dropped_files.h"
#include "ui/models/run_text.h"
#include "ui/pages/page_list.h"
#include "ui/shell/close_question.h"
#include "ui/shell/drop_frame.h"
#include "ui/shell/file_drops.h"
#include "ui/shell/foreign_run_dialog.h"
#include "ui/shell/help_menu.h"
#include "ui/shell/message_banner.h"
#include "ui/shell/navigation_rail.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/return_key.h"
#include "ui/shell/run_status_bar.h"
#include "ui/shell/timeline_exports.h"
#include "ui/shell/trace_window.h"
#include "ui/shell/window_place.h"
#include "ui/timeline/timeline_view.h"
#include "ui/translations/language.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/toast.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QVBoxLayout>

namespace roundpipe::ui::shell {
namespace {

constexpr QSize kUsualSize(1600, 1000);
constexpr QSize kLeastSize(1100, 700);
constexpr int kFoldRailBelow = 1280;

constexpr const char* kGesturesKey = "timeline/gestures";
constexpr const char* kBudgetKey = "timeline/budget_mib";
constexpr const char* kFolderKey = "window/folder"; // of the files that were chosen last
constexpr const char* kZooming = "zoom";
constexpr const char* kSelecting = "select";

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

std::vector<std::filesystem::path> pathsOf(const QStringList& names) {
    std::vector<std::filesystem::path> paths;
    for (const QString& name : names)
        paths.emplace_back(name.toStdString());
    return paths;
}

} // namespace

MainWindow::MainWindow(const pages::Services& services, QWidget* parent)
    : QMainWindow(parent)
    , m_services(services)
    , m_rail(new NavigationRail(services.themes))
    , m_stack(new PageStack)
    , m_banner(new MessageBanner)
    , m_status(new RunStatusBar(services.run)) {
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_banner);
    right->addWidget(m_stack, 1);
    auto* content = new QWidget;
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addLayout(right, 1);
    setCentralWidget(content);
    m_toast = new widgets::Toast(this);
    m_dropFrame = new DropFrame(services.themes, content);
    setStatusBar(m_status);
    setAcceptDrops(true);
    qApp->installEventFilter(new ReturnKey(this));
    qApp->installEventFilter(new FileDrops(this));
    m_exports = new TimelineExports(*this, services.themes, [this] {
        return TimelineExports::Source{runTimeline(), [this] { return m_services.run.traceSnapshot(); }};
    });
    widgets::setFolderOfChoices(services.preferences.value(QString::fromLatin1(kFolderKey)).toString());
    setMinimumSize(kLeastSize.boundedTo(screen()->availableSize()));

    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
    addPages();
    connectDocument();
    connectRun();
    restorePlace(*this, services.preferences, kUsualSize);
    chooseGestures(gestures());
    services.run.setTraceBudget(traceBudget());
    updateProject();
    updateTraces();
    collectMissing();
    if (!services.preferences.problem().isEmpty()) m_banner->showError(services.preferences.problem(), {});
}

void MainWindow::addPages() {
    int number = 0;
    for (pages::Page* page : pages::makePages(m_services)) {
        m_stack->add(page);
        m_rail->add(*page, ++number);
        connect(page, &pages::Page::statusChanged, this, &MainWindow::collectMissing);
        connect(page, &pages::Page::pageWanted, this, &MainWindow::showPage);
        connect(page, &pages::Page::openWanted, this, &MainWindow::openWithDialog);
        connect(page, &pages::Page::traceWanted, this, &MainWindow::openTrace);
        connect(page, &pages::Page::failed, m_banner, &MessageBanner::showErrorOfPage);
        connect(page, &pages::Page::noticed, m_toast, &widgets::Toast::say);
    }
    connect(m_rail, &NavigationRail::chosen, this, [this](const QString& id) { showPage(id); });
    m_rail->setCurrent(currentPage());
}

pages::Page* MainWindow::page(const QString& id) const {
    for (int i = 0; i < m_stack->count(); ++i)
        if (auto* page = static_cast<pages::Page*>(m_stack->at(i)); page->look().id == id) return page;
    return nullptr;
}

void MainWindow::showPage(const QString& id, const QString& field) {
    m_ledTo.clear();
    pages::Page* wanted = page(id);
    if (wanted != nullptr) m_rail->setCurrent(id);
    // Qt would give the focus to whatever comes next, a link on the new page that nobody chose.
    const bool isFocusInside = m_stack->isAncestorOf(focusWidget()) || m_rail->isAncestorOf(focusWidget());
    if (wanted != nullptr && wanted != m_stack->current() && isFocusInside) m_rail->focusCurrent();
    if (wanted != nullptr && wanted != m_stack->current()) m_banner->leavePage();
    if (wanted != nullptr) m_stack->setCurrent(wanted);
    if (wanted != nullptr && !field.isEmpty()) wanted->showField(field);
}

// To where the project goes on: what it lacks first, else what it will do.
void MainWindow::lead() {
    const std::vector<pages::Missing>& missing = m_services.commands.missing();
    showPage(missing.empty() ? QStringLiteral("plan") : missing.front().page);
    if (missing.empty()) m_ledTo = currentPage();
}

QString MainWindow::currentPage() const {
    return static_cast<pages::Page*>(m_stack->current())->look().id;
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    document::Document& document = m_services.document;
    menu->addAction(tr("New project"), QKeySequence::New, &document, &document::Document::create);
    menu->addAction(tr("Open…"), QKeySequence::Open, this, &MainWindow::openWithDialog);
    m_recent = menu->addMenu(tr("Recent projects"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    menu->addAction(tr("Save"), QKeySequence::Save, this, &MainWindow::save);
    menu->addAction(tr("Save as…"), QKeySequence::SaveAs, this, &MainWindow::saveWithDialog);
    menu->addSeparator();
    menu->addAction(tr("Open trace…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, this, &MainWindow::openTraceWithDialog);
    m_comparePlan = menu->addAction(tr("Compare the run with its plan"), this, &MainWindow::compareWithPlan);
    menu->addActions({m_exports->exportAll(), m_exports->exportSelection()});
    menu->addSeparator();
    menu->addAction(tr("Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    QUndoStack& stack = m_services.document.undoStack();
    QAction* undo = stack.createUndoAction(menu, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = stack.createRedoAction(menu, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    menu->addActions({undo, redo});
}

void MainWindow::buildRunMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    const pages::RunCommands& commands = m_services.commands;
    menu->addActions({commands.start(), commands.enqueue()});
    menu->addSeparator();
    menu->addActions({commands.pause(), commands.stop(), commands.discard()});
    menu->addSeparator();
    menu->addActions({commands.validate(), commands.sample(), commands.save()});
    m_setUp = menu->addAction(tr("Set up the training engine…"));
    m_setUp->setVisible(false);
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    auto* group = new QActionGroup(this);
    theme::ThemeManager& themes = m_services.themes;
    const auto add = [&](const QString& name, theme::Choice choice) {
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(themes.choice() == choice);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] {
            m_services.themes.choose(choice);
            m_services.preferences.set(QStringLiteral("window/theme"), QLatin1String(spellingOf(choice)));
        });
        connect(&themes, &theme::ThemeManager::changed, action,
                [&themes, action, choice] { action->setChecked(themes.choice() == choice); });
    };
    add(tr("Colours of the system"), theme::Choice::kSystem);
    add(tr("Light"), theme::Choice::kLight);
    add(tr("Dark"), theme::Choice::kDark);
    menu->addSeparator();
    auto* habits = new QActionGroup(this);
    const auto addGestures = [&](const QString& name, timeline::Gestures meant) {
        QAction* action = menu->addAction(name, this, [this, meant] { chooseGestures(meant); });
        action->setCheckable(true);
        action->setChecked(gestures() == meant);
        habits->addAction(action);
    };
    addGestures(tr("Timeline: the wheel zooms, dragging moves"), timeline::Gestures::kZoomAndPan);
    addGestures(tr("Timeline: the wheel scrolls, dragging selects"), timeline::Gestures::kScrollAndSelect);
    menu->addAction(tr("Memory of the timeline…"), this, &MainWindow::askTraceBudget);
    menu->addSeparator();
    buildLanguageMenu(*menu->addMenu(tr("Language")));
}

// The texts on show stay as they are until the next start: nothing that is being done is torn down for it.
void MainWindow::buildLanguageMenu(QMenu& menu) {
    using translations::Language;
    const QString key = QStringLiteral("window/language");
    const std::string kept = m_services.preferences.value(key).toString().toStdString();
    const Language chosen = fromSpelling<Language>(kept).value_or(Language::kSystem);
    auto* group = new QActionGroup(this);
    for (const char* const spelling : spellings(Language())) {
        const Language language = *fromSpelling<Language>(spelling);
        QAction* action = menu.addAction(translations::nameOf(language));
        action->setCheckable(true);
        action->setChecked(language == chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, key, spelling] {
            m_services.preferences.set(key, QLatin1String(spelling));
            const QString words = tr("The Studio speaks this language when it is started the next time.");
            if (isBusy()) return m_toast->say(words);
            m_toast->say(words, tr("Start it anew"), [this] { emit restartWanted(); });
        });
    }
}

timeline::Gestures MainWindow::gestures() const {
    return m_services.preferences.value(QString::fromLatin1(kGesturesKey)).toString() == QLatin1String(kSelecting)
               ? timeline::Gestures::kScrollAndSelect
               : timeline::Gestures::kZoomAndPan;
}

void MainWindow::chooseGestures(timeline::Gestures gestures) {
    const bool selects = gestures == timeline::Gestures::kScrollAndSelect;
    if (gestures != this->gestures())
        m_services.preferences.set(QString::fromLatin1(kGesturesKey), QLatin1String(selects ? kSelecting : kZooming));
    for (QWidget* window : QApplication::topLevelWidgets())
        for (auto* plot : window->findChildren<timeline::TimelinePlot*>())
            plot->setGestures(gestures);
}

int64_t MainWindow::traceBudget() const {
    constexpr auto kUsualMiB = static_cast<qlonglong>(trace::LaneStore::kUsualBudgetBytes >> 20);
    return std::max<int64_t>(m_services.preferences.value(QString::fromLatin1(kBudgetKey), kUsualMiB).toLongLong(), 64)
           << 20;
}

void MainWindow::askTraceBudget() {
    bool chosen = false;
    const double gigabytes = QInputDialog::getDouble(
        this, tr("Memory of the timeline"),
        tr("Gigabytes that recorded slices may take. The oldest ones beyond that go to a temporary file."),
        static_cast<double>(traceBudget()) / (1 << 30), 0.25, 512, 2, &chosen);
    if (!chosen) return;
    m_services.preferences.set(QString::fromLatin1(kBudgetKey), static_cast<qlonglong>(gigabytes * 1024));
    m_services.run.setTraceBudget(traceBudget());
}

timeline::TimelineView* MainWindow::runTimeline() const {
    return m_stack->findChild<timeline::TimelineView*>();
}

void MainWindow::buildHelpMenu() {
    m_help = new HelpMenu(*this, m_services.manual, m_services.themes,
                          [this] { return widgets::helpPlaceOf(m_stack->current()); });
    connect(m_help, &HelpMenu::failed, m_banner, &MessageBanner::showError);
}

void MainWindow::connectDocument() {
    using document::Document;
    Document& document = m_services.document;
    connect(&document, &Document::opened, this, [this] {
        m_banner->hide();
        collectMissing();
        lead();
    });
    // What came out of a project is what one opens it again for, unless somebody has gone elsewhere by then.
    connect(&m_services.runLibrary, &bridge::RunLibraryController::runOfProjectFound, this, [this] {
        if (!m_ledTo.isEmpty() && m_ledTo == currentPage()) showPage(QStringLiteral("results"));
    });
    connect(&document, &Document::opened, this, &MainWindow::updateProject);
    connect(&document, &Document::changed, this, &MainWindow::updateProject);
    connect(&document, &Document::changed, this, &MainWindow::collectMissing);
    connect(&document, &Document::savedChanged, this, &MainWindow::updateProject);
    connect(&document, &Document::warned, this, [this](const QString& text) { m_toast->say(text); });
    connect(&document, &Document::failed, m_banner, &MessageBanner::showError);
}

void MainWindow::connectRun() {
    using bridge::RunController;
    RunController& run = m_services.run;
    connect(&run, &RunController::started, this, [this] {
        m_banner->hide();
        showPage(QStringLiteral("run"));
    });
    const auto closeWhereMeant = [this] {
        if (m_closing && !isBusy()) close();
    };
    connect(&run, &RunController::stateChanged, this, closeWhereMeant);
    connect(&m_services.exports, &bridge::ExportController::changed, this, closeWhereMeant);
    connect(&run, &RunController::failed, m_banner, &MessageBanner::showError);
    connect(&run, &RunController::warned, this, [this](const session::RunEvent& warning) {
        const QString words = models::runText(warning);
        models::isLasting(warning) ? m_banner->showError(words, {}) : m_toast->say(words);
    });
    connect(&run, &RunController::traceChanged, this, &MainWindow::updateTraces);
    if (const timeline::TimelineView* view = runTimeline())
        connect(&view->plot(), &timeline::TimelinePlot::selectionChanged, m_exports, &TimelineExports::update);
    connect(&m_services.commands, &pages::RunCommands::missingMet, this, [this](const pages::Missing& missing) {
        m_toast->say(tr("Before the run can start: %1").arg(missing.text));
        showPage(missing.page, missing.field);
    });
    connect(&m_services.commands, &pages::RunCommands::exportMet, this, [this] {
        m_toast->say(tr("An export is being made: a run can start when it has ended."), tr("Stop the export"),
                     [this] { m_services.exports.cancel(); });
    });
    connect(&m_services.commands, &pages::RunCommands::promptsWanted, this, [this] {
        m_toast->say(tr("There is no prompt to answer yet: write one."));
        showPage(QStringLiteral("settings"), QStringLiteral("prompts"));
    });
    connect(m_exports, &TimelineExports::written, this, [this](const QString& path) {
        m_toast->say(path.endsWith(QLatin1String(".json"))
                         ? tr("Trace written to %1; open it at ui.perfetto.dev.").arg(path)
                         : tr("Timeline written to %1.").arg(path));
    });
    connect(m_exports, &TimelineExports::failed, this, [this](const QString& message, const QString& advice) {
        m_banner->showError(tr("The timeline was not written. %1").arg(message), advice);
    });
}

void MainWindow::openFiles(const QStringList& given) {
    QStringList paths;
    for (const QString& path : given)
        if (path.endsWith(QLatin1String(trace::kTraceExtension)))
            openTrace(path);
        else if (m_services.readForeignRun && session::isForeignRunFile(path.toStdString()))
            openForeignRun(path);
        else
            paths += path;
    if (paths.isEmpty()) return;
    const document::DroppedKind taken = take(m_services.document, pathsOf(paths));
    if (taken == document::DroppedKind::kModel)
        showPage(QStringLiteral("model"), text(document::modelFolderAmong(pathsOf(paths)).string()));
    if (taken == document::DroppedKind::kRows) showPage(QStringLiteral("data"));
    if (taken == document::DroppedKind::kNothing && paths.size() == 1 && !QFileInfo::exists(paths.front()))
        m_banner->showError(tr("There is no file or folder “%1”.").arg(paths.front()), {});
}

void MainWindow::openForeignRun(const QString& path) {
    try {
        const session::ForeignRun run = m_services.readForeignRun(path.toStdString());
        m_services.document.createFrom(run.spec);
        if (!run.notTaken.empty()) return showNotTaken(*this, run);
        m_toast->say(tr("The run of %1 was opened as a new project.").arg(text(run.program)));
    } catch (const Error& error) {
        m_banner->showError(text(error.message()), text(error.advice()));
    }
}

void MainWindow::openWithDialog() {
    const QString path =
        widgets::askForFile(this, tr("Open a project"),
                            tr("Projects, and runs of LLaMA-Factory, Axolotl and Unsloth (*.json *.yaml *.yml)") +
                                QStringLiteral(";;") + tr("Rows and model folders' files (*)"));
    if (path.isEmpty()) return;
    if (!path.endsWith(QLatin1String(".json"))) return openFiles({path}); // as if it were dropped
    m_services.document.open(path.toStdString());                         // which says what is wrong with it
}

// It is saved as one goes; who presses Ctrl+S wants to know that it is, and where.
void MainWindow::save() {
    if (m_services.document.file().empty()) return saveWithDialog();
    tellSaved(m_services.document.save());
}

void MainWindow::saveWithDialog() {
    QFileDialog dialog(this, tr("Save the project"), {}, tr("Projects (*.json)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("json")); // so that it asks before that file is replaced
    const std::filesystem::path& file = m_services.document.file();
    if (!file.empty()) dialog.setDirectory(text(file.parent_path().string()));
    dialog.selectFile(file.empty() ? m_services.document.name() + QStringLiteral(".json")
                                   : text(file.filename().string()));
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
    tellSaved(m_services.document.saveTo(dialog.selectedFiles().front().toStdString()));
}

// What could not be saved, the document says.
void MainWindow::tellSaved(bool isSaved) {
    if (isSaved) m_toast->say(tr("Saved in %1.").arg(text(m_services.document.file().string())));
}

void MainWindow::fillRecent() {
    m_recent->clear();
    for (const QString& file : m_services.preferences.recentProjects())
        m_recent->addAction(file, this, [this, file] { m_services.document.open(file.toStdString()); });
    if (m_recent->isEmpty()) m_recent->addAction(tr("None yet"))->setEnabled(false);
}

void MainWindow::exportTimelineTo(const QString& path, bool selectionOnly) {
    m_exports->exportTo(path, selectionOnly);
}

void MainWindow::openTraceWithDialog() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"), text(runs::runsFolder().string()),
                                                      tr("Traces (*.rptrace)"));
    if (!path.isEmpty()) openTrace(path);
}

TraceWindow* MainWindow::newTraceWindow() {
    auto* window = new TraceWindow(m_services.themes, gestures(), traceBudget());
    connect(this, &QObject::destroyed, window, &QObject::deleteLater);
    window->show();
    return window;
}

TraceWindow* MainWindow::openTrace(const QString& path) {
    TraceWindow* window = newTraceWindow();
    window->open(path);
    return window;
}

// What has been recorded so far beside the steps that the planner simulated for these settings.
void MainWindow::compareWithPlan() {
    const session::PlanAnswer* answer = m_services.plan.answer();
    if (answer == nullptr || answer->timeline == nullptr)
        return m_toast->say(tr("There is no plan of these settings to compare with."));
    trace::LaneStore predicted(answer->timeline->lanes, 0, m_services.run.store().about());
    predicted.append(answer->timeline->records);
    newTraceWindow()->showRun(tr("the run"), m_services.run.traceSnapshot(),
                              bridge::openedTraceOf(tr("its plan"), std::move(predicted)));
}

void MainWindow::collectMissing() {
    std::vector<pages::Missing> all;
    for (int i = 0; i < m_stack->count(); ++i)
        for (pages::Missing& one : static_cast<pages::Page*>(m_stack->at(i))->missing())
            all.push_back(std::move(one));
    m_services.commands.setMissing(std::move(all));
}

void MainWindow::updateTraces() {
    m_exports->update();
    m_comparePlan->setEnabled(!m_services.run.store().empty());
}

void MainWindow::updateProject() {
    static const auto savedText = [](document::Document::Saved saved) {
        switch (saved) {
        case document::Document::Saved::kNothing:
            return tr("nothing changed yet");
        case document::Document::Saved::kYes:
            return tr("saved");
        case document::Document::Saved::kSoon:
            return tr("saving…");
        case document::Document::Saved::kFailed:
            return tr("not saved");
        }
        return QString();
    };
    const document::Document& document = m_services.document;
    m_rail->setProject(document.name(), savedText(document.saved()), text(document.file().string()));
    QString title = document.name() + QStringLiteral(" – ") + tr("RoundPipe Studio");
    if (m_simulated) title += tr(" (simulated engine: nothing is trained)");
    setWindowTitle(title);
    if (!document.file().empty() && document.saved() == document::Document::Saved::kYes)
        m_services.preferences.addRecentProject(text(document.file().string()), document.name());
}

void MainWindow::engineLoaded(const QString& name, bool simulated) {
    m_simulated = simulated;
    m_status->setEngineName(simulated ? tr("simulated engine") : name);
    engineIsLoading(); // no more than a moment ago
    updateProject();
}

void MainWindow::engineIsLoading() {
    m_services.commands.setNoEngine(pages::NoEngine::kLoading);
    if (m_setUp->isVisible()) m_banner->hide(); // it asked for what is there now
    m_setUp->setVisible(false);
}

void MainWindow::engineNotSetUp(std::function<void()> setUp) {
    m_services.commands.setNoEngine(pages::NoEngine::kNotSetUp);
    connect(m_setUp, &QAction::triggered, this, std::move(setUp));
    connect(&m_services.commands, &pages::RunCommands::setUpWanted, m_setUp, &QAction::trigger);
    m_setUp->setVisible(true);
    m_banner->showNotice(
        tr("The training engine is not set up yet."),
        tr("It needs libraries that are downloaded once. All but training and Parquet files works without them."));
    m_banner->offer(tr("Set up…"), [this] { m_setUp->trigger(); });
}

void MainWindow::engineFailed(const QString& why, std::function<void()> useSimulated) {
    m_services.commands.setNoEngine(pages::NoEngine::kFailed);
    m_banner->showError(tr("The training engine could not be loaded."), why);
    m_banner->offer(tr("Use the simulated engine"), std::move(useSimulated));
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (m_painted) return;
    m_painted = true;
    QTimer::singleShot(0, this, [this] { // after this paint has reached the screen
        emit firstPainted();
        preparePages(0);
    });
}

// One after the other and in pieces, between what somebody does meanwhile.
void MainWindow::preparePages(int next) {
    if (next == m_stack->count()) return;
    QTimer::singleShot(0, this, [this, next] {
        const bool hasMore = static_cast<pages::Page*>(m_stack->at(next))->prepare();
        preparePages(hasMore ? next : next + 1);
    });
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_rail->setFolded(width() < kFoldRailBelow);
}

bool MainWindow::isBusy() const {
    return m_services.run.isRunning() || m_services.exports.underWay() != nullptr;
}

void MainWindow::askToClose() {
    if (m_isAsked) return;
    m_isAsked = true;
    const auto answered = [this](CloseAnswer answer) {
        m_isAsked = false;
        closeAsAnswered(answer);
    };
    if (m_services.run.isRunning())
        askToStopAndClose(this, m_services.run, m_simulated && !m_services.run.isFollowed(), answered);
    else
        askToGiveUpExport(this, answered);
}

void MainWindow::closeAsAnswered(CloseAnswer answer) {
    if (answer == CloseAnswer::kStay) return;
    m_closing = true;
    m_leaving = answer == CloseAnswer::kLeave;
    if (!m_leaving) {
        m_services.exports.cancel();
        m_services.run.stop();
    }
    if (m_leaving || !isBusy()) close(); // else when it has ended
}

void MainWindow::closeEvent(QCloseEvent* event) {
    event->setAccepted(m_leaving || !isBusy());
    if (!event->isAccepted()) {
        if (!m_closing) askToClose();
        return;
    }
    m_help->close();
    rememberPlace(*this, m_services.preferences);
    m_services.preferences.set(QString::fromLatin1(kFolderKey), widgets::folderOfChoices());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasUrls()) return;
    event->acceptProposedAction();
    m_dropFrame->appear();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropFrame->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
    m_dropFrame->hide();
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    event->acceptProposedAction();
    openFiles(paths);
}

} // namespace roundpipe::ui::shell
