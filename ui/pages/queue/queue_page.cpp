// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/queue_page.h"

#include "ui/pages/contract/watch_run.h"
#include "ui/pages/queue/grid_dialog.h"
#include "ui/pages/queue/results_card.h"
#include "ui/theme/table_row.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/one_line.h"
#include "ui/widgets/roomy_items.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/whole_rows_place.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <set>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMostColumn = 190;
constexpr int kToTheEnd = std::numeric_limits<int>::max() / 2;

// A choice with its name before it.
QWidget* named(const QString& name, widgets::Segmented* choice) {
    auto* label = new QLabel(name);
    label->setObjectName(QStringLiteral("dim"));
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(choice);
    return both;
}

} // namespace

QueuePage::QueuePage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("queue"), tr("Queue"), theme::Icon::kQueue, true}, parent)
    , m_model(new LineModel(services.themes, this))
    , m_table(new QTableView)
    , m_empty(new widgets::EmptyState(
          services.themes, theme::Icon::kQueue, tr("Nothing waits"),
          tr("Runs that are added here are trained by themselves: one after the other on the same devices, side by "
             "side on others. A grid adds a run for each value of a setting, and compares what came of them.")))
    , m_state(new QLabel)
    , m_problem(new QLabel)
    , m_afterError(new widgets::Segmented(tr("After an error"), {tr("go on"), tr("pause")}))
    , m_whenDone(new widgets::Segmented(tr("When done"), {tr("stay awake"), tr("sleep")}))
    , m_results(new ResultsCard(services.themes)) {
    buildCommands();
    m_problem->setObjectName(QStringLiteral("problem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    body()->addWidget(m_problem);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(buildLine());
    split->addWidget(m_results);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({420, 280});
    split->setHandleWidth(theme::kSpacing);
    split->setChildrenCollapsible(false);
    body()->addWidget(split, 1);
    buildKeys();

    using bridge::QueueController;
    QueueController& queue = services.queue;
    connect(&queue, &QueueController::changed, this, &QueuePage::refresh);
    connect(&queue, &QueueController::added, this, &QueuePage::tellAdded);
    connect(&queue, &QueueController::failed, this, &Page::failed);
    connect(&services.commands, &RunCommands::queueWanted, this, &QueuePage::addProject);
    connect(&services.commands, &RunCommands::queueMet, this, &QueuePage::askBesideQueue);
    connect(m_model, &LineModel::moveWanted, &queue, &QueueController::moveBefore);
    connect(m_results, &ResultsCard::runWanted, this, [this](const std::filesystem::path& folder) {
        emit pageWanted(QStringLiteral("runs"), QString::fromStdString(folder.string()));
    });
    refresh();
    queue.refresh();
}

QWidget* QueuePage::buildChoices() {
    m_state->setWordWrap(true);
    m_choices = new QWidget;
    auto* row = new QHBoxLayout(m_choices);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpacing);
    row->addWidget(m_state, 1);
    row->addWidget(named(tr("After an error"), m_afterError));
    row->addWidget(named(tr("When done"), m_whenDone));
    m_whenDone->setToolTip(tr("When the queue is empty the next time, the machine goes to sleep."));
    connect(m_afterError, &widgets::Segmented::chosen, this, [this](int chosen) {
        services().queue.choose(
            [chosen](queue::QueueChoices& choices) { choices.afterError = static_cast<queue::AfterError>(chosen); });
    });
    connect(m_whenDone, &widgets::Segmented::chosen, this, [this](int chosen) {
        services().queue.choose(
            [chosen](queue::QueueChoices& choices) { choices.whenDone = static_cast<queue::WhenDone>(chosen); });
    });
    return m_choices;
}

QWidget* QueuePage::buildLine() {
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Runs in line"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setDragDropOverwriteMode(false);
    m_table->setDropIndicatorShown(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegate(new widgets::RoomyItems(m_table));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMaximumSectionSize(kMostColumn);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int column : {LineModel::kName, LineModel::kSettings})
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &QueuePage::showCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePage::showCurrent);
    connect(m_table, &QTableView::doubleClicked, this, [this] {
        if (const LineRow* row = current(); row != nullptr && row->kind == LineRow::Kind::kUnderWay) watch(*row);
    });
    QPushButton* add = m_empty->addButton(tr("Add the project"), true);
    connect(add, &QPushButton::clicked, m_add, &QAction::trigger);
    connect(m_empty->addButton(tr("Add a grid…")), &QPushButton::clicked, m_grid, &QAction::trigger);
    m_line = new widgets::Card;
    m_line->body()->addWidget(buildChoices());
    m_line->body()->addWidget(new widgets::WholeRowsPlace(*m_table), 1);
    m_line->body()->addWidget(m_empty, 1);
    return m_line;
}

void QueuePage::buildCommands() {
    const auto add = [this](const QString& text, const QString& toolTip, auto&& act) {
        auto* action = new QAction(text, this);
        action->setToolTip(toolTip);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    m_act = add(tr("Remove"), {}, [this] { act(); });
    m_grid =
        add(tr("Add a grid…"), tr("A run for each value of a setting of the open project"), [this] { askForGrid(); });
    m_add = add(tr("Add the project"), tr("Let the open project be trained when its devices are free (Ctrl+Shift+R)"),
                [this] { services().commands.enqueue()->trigger(); });
    m_train = add(tr("Start"), {}, [this] { switchTraining(); });
    for (QAction* action : {m_act, m_grid, m_add, m_train})
        addCommand(action, action == m_train);
}

void QueuePage::buildKeys() {
    const auto add = [this](const QKeySequence& keys, auto&& act) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        m_table->addAction(action);
    };
    add(Qt::ALT | Qt::Key_Up, [this] { moveCurrent(-1); });
    add(Qt::ALT | Qt::Key_Down, [this] { moveCurrent(1); });
    add(Qt::ALT | Qt::Key_Home, [this] { moveCurrent(-kToTheEnd); });
    add(Qt::ALT | Qt::Key_End, [this] { moveCurrent(kToTheEnd); });
    add(Qt::Key_Delete, [this] { removeSelected(); });
    add(Qt::Key_Return, [this] {
        if (const LineRow* row = current(); row != nullptr && row->kind == LineRow::Kind::kUnderWay) watch(*row);
    });
}

PageStatus QueuePage::status() const {
    const bridge::QueueView& view = services().queue.view();
    const auto waiting = static_cast<int>(view.waiting.size());
    return {view.isUnderWay() ? PageStatus::Mark::kRunning : PageStatus::Mark::kNone,
            !view.problem.empty() ? tr("can't be read")
            : waiting == 0        ? tr("nothing waits")
                                  : tr("%n wait(s)", nullptr, waiting)};
}

void QueuePage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    services().queue.setWatched(true);
}

void QueuePage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    services().queue.setWatched(false);
}

// Where what had the focus goes (the last run has left the line, there is nothing more to start), Qt would choose
// whatever comes next: a key that was meant for the table would add the project.
void QueuePage::refresh() {
    QWidget* const focused = QApplication::focusWidget();
    const bool isHere = focused != nullptr && isAncestorOf(focused);
    showAll();
    if (!isHere || (focused->isVisibleTo(this) && focused->isEnabled())) return;
    QWidget* const places[] = {m_table, &m_results->table(), this};
    (*std::ranges::find_if(places, [this](QWidget* place) {
        return place == this || place->isVisibleTo(this);
    }))->setFocus();
}

void QueuePage::showAll() {
    const bridge::QueueView& view = services().queue.view();
    showRows();
    m_results->setRuns(view.begun);
    m_results->setVisible(!view.begun.empty());
    m_afterError->setCurrent(static_cast<int>(view.choices.afterError));
    m_whenDone->setCurrent(static_cast<int>(view.choices.whenDone));
    showTraining();
    showCurrent();
    emit statusChanged();
}

// The run that was chosen stays so, wherever it stands by now.
void QueuePage::showRows() {
    const bridge::QueueView& view = services().queue.view();
    const LineRow* before = current();
    const int64_t number = before != nullptr ? before->number : 0;
    const int rowBefore = m_table->currentIndex().row();
    m_model->setRows(lineRowsOf(view), view.waiting);
    const int rows = m_model->rowCount();
    for (int row = 0; row < rows; ++row)
        if (m_model->row(row).kind == LineRow::Kind::kDevices && m_table->columnSpan(row, 0) == 1)
            m_table->setSpan(row, 0, 1, LineModel::kNumColumns);
    m_table->parentWidget()->setVisible(rows > 0);         // with its place
    const bool isKnown = rows > 0 || view.problem.empty(); // what waits
    m_line->setVisible(isKnown);
    m_empty->setVisible(rows == 0 && isKnown);
    m_choices->setVisible(rows > 0);
    if (rows == 0 || m_table->currentIndex().isValid()) return;
    int row = m_model->rowOf(number);
    for (int at = std::clamp(rowBefore, 1, rows - 1); row < 0; --at) // a heading stands first
        if (m_model->row(at).kind != LineRow::Kind::kDevices) row = at;
    m_table->selectRow(row);
}

const LineRow* QueuePage::current() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() && m_model->row(index.row()).number != 0 ? &m_model->row(index.row()) : nullptr;
}

void QueuePage::showCurrent() {
    const LineRow* row = current();
    const bool isUnderWay = row != nullptr && row->kind == LineRow::Kind::kUnderWay;
    const bool isStarting = row != nullptr && row->kind == LineRow::Kind::kStarting;
    m_act->setText(isUnderWay || isStarting ? tr("Watch") : tr("Remove"));
    m_act->setToolTip(isStarting   ? tr("It is starting, and can be watched in a moment.")
                      : isUnderWay ? tr("Show on the page Run how it goes, and steer it from there (Return)")
                                   : tr("Take the selected runs out of the queue (Del)"));
    m_act->setEnabled(row != nullptr && !isStarting);
    const bridge::QueueView& view = services().queue.view();
    QString problem = QString::fromStdString(view.problem + (view.advice.empty() ? "" : "\n" + view.advice));
    if (problem.isEmpty() && row != nullptr) problem = row->problem;
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

bool QueuePage::goesOn() const {
    const bridge::QueueView& view = services().queue.view();
    return view.isTrained && !view.choices.isPaused;
}

QString QueuePage::noEngineText() {
    return tr("Without the training engine nothing of it can be trained here; it waits.");
}

QString QueuePage::trainingText() const {
    const bridge::QueueView& view = services().queue.view();
    const auto failed = std::find_if(view.begun.rbegin(), view.begun.rend(),
                                     [](const auto& begun) { return !begun.entry.problem.empty(); });
    const bool afterError = view.choices.afterError == queue::AfterError::kPause && failed == view.begun.rbegin() &&
                            failed != view.begun.rend();
    if (view.choices.isPaused && afterError)
        return tr("It pauses: %1 has failed. Nothing more begins before you let it go on.")
            .arg(widgets::inOneLine(failed->entry.name));
    if (view.choices.isPaused) return tr("It pauses: nothing more begins, what is under way goes on.");
    if (view.isTrained)
        return tr("It goes on by itself, without this window too. Drag a run to another place, or "
                  "move it by Alt+↑ and Alt+↓.");
    return services().queue.hasTrainer() ? tr("Nothing begins by itself before you press Start.") : noEngineText();
}

void QueuePage::showTraining() {
    const bridge::QueueView& view = services().queue.view();
    const bool isEmpty = view.waiting.empty();
    m_state->setText(trainingText());
    if (view.choices.isPaused && !isEmpty)
        pill().say(tr("Paused"), widgets::Tone::kWarning);
    else
        pill().say(view.isTrained && (view.isUnderWay() || !isEmpty) ? tr("Training") : QString());
    m_train->setText(goesOn() ? tr("Pause") : tr("Start"));
    const bool canBegin = queue::canGoOn(view.waiting);
    m_train->setEnabled(goesOn() || (canBegin && (view.isTrained || services().queue.hasTrainer())));
    m_train->setToolTip(goesOn()                ? tr("Nothing more begins; what is under way goes on")
                        : !view.problem.empty() ? QString::fromStdString(view.problem)
                        : isEmpty               ? tr("Nothing waits.")
                        : !canBegin             ? tr("Nothing waits that this version can read.")
                        : !m_train->isEnabled() ? noEngineText()
                                                : tr("Train what waits, as soon as its devices are free"));
    std::vector<double> seconds;
    for (const queue::QueuedRun& run : view.waiting)
        if (run.isReadable()) seconds.push_back(run.expectedSeconds);
    QStringList words{isEmpty ? tr("Runs that are trained by themselves, those of the command line too")
                              : tr("%n run(s) wait", nullptr, static_cast<int>(view.waiting.size()))};
    words += expectedText(seconds);
    words.removeAll(QString());
    setSubtitle(words.join(QStringLiteral(" · ")));
}

queue::QueuedRun QueuePage::projectsRun() const {
    queue::QueuedRun run;
    run.spec = services().document.spec();
    run.spec.name = services().document.name().toStdString();
    run.prompts = services().document.prompts();
    const ProjectPlan& plan = services().plan;
    if (plan.answer() != nullptr && plan.rig() == "this" && plan.answer()->problem.empty())
        run.expectedSeconds = plan.wholeSecondsOf(run.spec, *plan.answer()).value_or(0);
    return run;
}

void QueuePage::addProject() {
    services().queue.add({projectsRun()});
}

// A project that lacks something makes no grid: the window leads there.
void QueuePage::askForGrid() {
    const std::vector<Missing>& missing = services().commands.missing();
    const auto found = std::ranges::find(missing, false, &Missing::isEstimate);
    if (found != missing.end()) return services().commands.enqueue()->trigger();
    auto* dialog = new GridDialog(services(), projectsRun(), this);
    dialog->open();
}

void QueuePage::act() {
    const LineRow* row = current();
    if (row == nullptr) return;
    if (row->kind == LineRow::Kind::kUnderWay)
        watch(*row);
    else if (row->kind == LineRow::Kind::kWaiting)
        removeSelected();
}

void QueuePage::watch(const LineRow& row) {
    const auto show = [page = QPointer<QueuePage>(this)] {
        if (page) emit page->pageWanted(QStringLiteral("run"));
    };
    if (services().run.isRunning()) return show(); // of this window, or one that it watches: one at a time
    watchRun(this, services(), row.folder, show);
}

void QueuePage::removeSelected() {
    std::vector<int64_t> numbers;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (m_model->row(index.row()).kind == LineRow::Kind::kWaiting)
            numbers.push_back(m_model->row(index.row()).number);
    if (numbers.empty()) return;
    const std::set<int64_t> chosen(numbers.begin(), numbers.end());
    std::vector<queue::QueuedRun> gone;
    for (const queue::QueuedRun& run : services().queue.view().waiting)
        if (chosen.contains(run.number)) gone.push_back(run);
    services().queue.remove(numbers);
    emit noticed(tr("%n run(s) taken out of the queue.", nullptr, static_cast<int>(gone.size())), tr("Undo"),
                 [this, gone] { services().queue.add(gone); });
}

void QueuePage::moveCurrent(int by) {
    const LineRow* row = current();
    if (row == nullptr) return;
    if (const auto target = m_model->targetOf(row->number, by))
        services().queue.moveBefore({row->number}, target->before);
}

void QueuePage::switchTraining() {
    goesOn() ? services().queue.pause() : services().queue.start();
}

// The run that was asked for would train beside one of the queue.
void QueuePage::askBesideQueue(const QString& run) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("The devices are taken"),
                                tr("The queue trains %1 on the same devices.").arg(widgets::inOneLine(run)),
                                QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("Two runs on one device slow each other down, and may run out of its memory. In the queue "
           "this project waits, and begins by itself when the devices are free."));
    QPushButton* wait = box->addButton(tr("Add to the queue"), QMessageBox::AcceptRole);
    QPushButton* anyway = box->addButton(tr("Start anyway"), QMessageBox::DestructiveRole);
    box->setEscapeButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    box->setDefaultButton(wait);
    connect(wait, &QPushButton::clicked, services().commands.enqueue(), &QAction::trigger);
    connect(anyway, &QPushButton::clicked, &services().commands, &RunCommands::startBesideQueue);
    box->open();
}

void QueuePage::tellAdded(int count) {
    if (isVisible()) return; // they are seen
    emit noticed(tr("%n run(s) added to the queue.", nullptr, count), tr("Show"),
                 [this] { emit pageWanted(look().id); });
}

} // namespace roundpipe::ui::pages
