// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_page.h"

#include "base/units.h"
#include "runs/compare.h"
#include "runs/run_lock.h"
#include "session/run/moved_folder.h"
#include "ui/charts/curves_chart.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/contract/continue_question.h"
#include "ui/pages/contract/watch_run.h"
#include "ui/pages/runs/differences_table.h"
#include "ui/pages/runs/journal_view.h"
#include "ui/theme/table_row.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/one_line.h"
#include "ui/widgets/roomy_items.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/sorted_header.h"
#include "ui/widgets/whole_rows_place.h"
#include "ui/widgets/wrapping_row.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kBetweenChoices = 8;
constexpr int kNoteSoonMs = 800;
constexpr int kLookAgainMs = 3000;
constexpr int kNamesAsked = 12;

QString joined(const QStringList& parts) {
    return parts.join(QStringLiteral(" · "));
}

// A list of all would reach beyond the screen.
QStringList firstOf(QStringList lines) {
    if (lines.size() <= kNamesAsked + 1) return lines;
    const qsizetype others = lines.size() - kNamesAsked;
    lines = lines.mid(0, kNamesAsked);
    lines.append(RunsPage::tr("and %1 others").arg(others));
    return lines;
}

} // namespace

RunsPage::RunsPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("runs"), tr("Runs"), theme::Icon::kRuns, true}, parent)
    , m_model(new RunsModel(services.themes, this))
    , m_shown(new QSortFilterProxyModel(this))
    , m_table(new QTableView)
    , m_filter(new QLineEdit)
    , m_empty(new widgets::EmptyState(services.themes, theme::Icon::kRuns, tr("No runs yet"),
                                      tr("Every run that is started here, or by roundpipe train, will stand in this "
                                         "list, and runs can be compared.")))
    , m_chart(new charts::CurvesChart(services.themes))
    , m_axis(new widgets::Segmented(tr("Over"), {tr("by step"), tr("by tokens"), tr("by time")}))
    , m_value(new widgets::Segmented(tr("Curve"), {tr("training"), tr("validation")}))
    , m_scale(new widgets::Segmented(tr("Scale"), {tr("linear"), tr("log")}))
    , m_differences(new DifferencesTable)
    , m_numEqual(new QLabel)
    , m_lookAt(new widgets::Segmented(tr("About the runs"), {tr("What differs"), tr("Journal")}))
    , m_journal(new JournalView(services.runLibrary))
    , m_copy(new QPushButton(tr("Copy")))
    , m_aboutRuns(new QStackedWidget)
    , m_noteTitle(new QLabel)
    , m_note(new QPlainTextEdit) {
    buildCommands();
    auto* lower = new QSplitter(Qt::Horizontal);
    m_lower = lower;
    lower->addWidget(buildCurves());
    lower->addWidget(buildDifferences());
    lower->setStretchFactor(0, 3);
    lower->setStretchFactor(1, 2);
    lower->setSizes({600, 400});
    lower->setHandleWidth(theme::kSpacing);
    lower->setChildrenCollapsible(false);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(buildTable());
    split->addWidget(lower);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setSizes({260, 420});
    split->setHandleWidth(theme::kSpacing);
    split->setChildrenCollapsible(false);
    body()->addWidget(split, 1);
    m_noteTitle->setTextFormat(Qt::PlainText);
    connect(m_model, &RunsModel::comparedChanged, this, &RunsPage::showMark);

    using bridge::RunLibraryController;
    RunLibraryController& library = services.runLibrary;
    connect(&library, &RunLibraryController::listed, this, &RunsPage::showList);
    connect(&library, &RunLibraryController::detailsRead, this, [this](const Details& details) {
        m_details[details->run.folder] = details;
        showChosen();
    });
    connect(&library, &RunLibraryController::failed, this, &Page::failed);
    connect(&services.run, &bridge::RunController::ticked, this, &RunsPage::listWhatPrepares);
    connect(&services.run, &bridge::RunController::planReady, this,
            [this] { this->services().runLibrary.link(this->services().run.job().spec.output.folder); });
    connect(&services.run, &bridge::RunController::warned, this, [this](const session::RunEvent& warning) {
        if (const auto folder = session::movedFolder(warning)) this->services().runLibrary.link(*folder);
    });
    connect(&services.run, &bridge::RunController::stateChanged, this, [this](session::RunState state) {
        if (session::isOver(state)) this->services().runLibrary.refresh();
    });
    m_noteSoon.setSingleShot(true);
    m_noteSoon.setInterval(kNoteSoonMs);
    connect(&m_noteSoon, &QTimer::timeout, this, &RunsPage::saveNote);
    m_lookAgain.setInterval(kLookAgainMs);
    connect(&m_lookAgain, &QTimer::timeout, this, [this] {
        if (isVisible()) this->services().runLibrary.refresh();
    });
    showList();
}

// Whoever looks for free devices (the queue) finds it in the list as soon as it has its folder, not only when its rows
// are read.
void RunsPage::listWhatPrepares() {
    const bridge::RunController& run = services().run;
    const std::filesystem::path folder = run.job().spec.output.folder;
    const bool isPreparing = run.isRunning() && run.snapshot().state == session::RunState::kPreparing;
    if (!isPreparing || folder.empty() || folder == m_listed) return;
    m_listed = folder;
    const auto isHeld = std::make_shared<bool>(false);
    services().runLibrary.perform(
        [folder, isHeld](runs::RunLibrary& library) {
            *isHeld = runs::RunLock::isHeld(folder);
            if (*isHeld) runs::linkRun(folder, library.folder());
        },
        *this,
        [this, isHeld] {
            if (!*isHeld) m_listed.clear(); // the next tick asks again
        });
}

QWidget* RunsPage::buildTable() {
    m_shown->setSourceModel(m_model);
    m_shown->setSortRole(RunsModel::kSortRole);
    m_shown->setFilterKeyColumn(-1);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_shown);
    m_table->setHorizontalHeader(new widgets::SortedHeader);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunsModel::kStarted, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false); // a second line of a name lies in the next row
    m_table->setItemDelegate(new widgets::RoomyItems(m_table));
    m_table->setIconSize(QSize(34, 16));
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(RunsModel::kName, QHeaderView::Stretch);
    connect(m_empty->addButton(tr("Train the demo")), &QPushButton::clicked, this,
            [this] { emit pageWanted(QStringLiteral("start")); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RunsPage::showCurrent);
    connect(m_table, &QTableView::doubleClicked, this, &RunsPage::open);
    connect(m_model, &RunsModel::comparedChanged, this, &RunsPage::readChosen);
    connect(m_model, &RunsModel::renamed, this,
            [this](const runs::StoredRun& run, const QString& name) { services().runLibrary.rename(run, name); });
    auto* card = new widgets::Card;
    card->body()->addWidget(new widgets::WholeRowsPlace(*m_table), 1);
    card->body()->addWidget(m_empty, 1);
    return card;
}

QWidget* RunsPage::buildCurves() {
    auto* title = new QLabel(tr("Loss"));
    title->setObjectName(QStringLiteral("title"));
    auto* row = new widgets::WrappingRow(kBetweenChoices); // in a small window half of it has to do
    row->addWidget(title);
    for (widgets::Segmented* choice : {m_axis, m_value, m_scale}) {
        row->addWidget(choice);
        connect(choice, &widgets::Segmented::chosen, this, &RunsPage::showChosen);
    }
    m_chart->setMinimumHeight(160);
    auto* card = new widgets::Card;
    card->body()->addLayout(row);
    card->body()->addWidget(m_chart, 1);
    return card;
}

QWidget* RunsPage::buildDifferences() {
    auto* card = new widgets::Card;
    m_numEqual->setObjectName(QStringLiteral("dim"));
    m_copy->setToolTip(tr("Copy the whole journal"));
    auto* row = new widgets::WrappingRow(kBetweenChoices);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_lookAt), static_cast<QWidget*>(m_numEqual), static_cast<QWidget*>(m_copy)})
        row->addWidget(widget);
    card->body()->addLayout(row);
    m_aboutRuns->addWidget(m_differences);
    m_aboutRuns->addWidget(m_journal);
    card->body()->addWidget(m_aboutRuns, 1);
    connect(m_lookAt, &widgets::Segmented::chosen, this, &RunsPage::showJournal);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_journal->toPlainText());
        emit noticed(tr("The journal is copied."));
    });
    showJournal();
    m_noteTitle->setObjectName(QStringLiteral("dim"));
    m_noteTitle->setBuddy(m_note);
    card->body()->addWidget(m_noteTitle);
    auto* frame = new QFrame;
    frame->setObjectName(QStringLiteral("card"));
    auto* inside = new QVBoxLayout(frame);
    inside->setContentsMargins(6, 4, 6, 4);
    inside->addWidget(m_note);
    m_note->setPlaceholderText(tr("What you want to remember of this run"));
    m_note->setAccessibleName(tr("Note"));
    m_note->setTabChangesFocus(true);
    m_note->setFixedHeight(56);
    card->body()->addWidget(frame);
    connect(m_note, &QPlainTextEdit::textChanged, &m_noteSoon, qOverload<>(&QTimer::start));
    return card;
}

void RunsPage::buildCommands() {
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter runs"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(190);
    connect(m_filter, &QLineEdit::textChanged, m_shown, [this](const QString& words) {
        QString pattern = QRegularExpression::escape(words);
        pattern.replace(QLatin1String("\\ "), QStringLiteral("[ \u00a0]")); // figures keep their units in one line
        m_shown->setFilterRegularExpression(QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
    });
    addToHeader(m_filter);
    const auto add = [this](const QString& text, const QString& toolTip, const QKeySequence& keys, auto&& act) {
        auto* action = new QAction(text, this);
        action->setToolTip(toolTip);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut); // the editor of a name has these keys for itself
        connect(action, &QAction::triggered, this, act);
        m_table->addAction(action);
        return action;
    };
    m_open = add(tr("Open"), tr("Show answers, checkpoints and exports of this run (Return)"), Qt::Key_Return,
                 [this] { open(); });
    m_rename = add(tr("Rename"), tr("Give this run another name (F2)"), {}, [this] {
        const QModelIndex index = m_table->currentIndex();
        if (index.isValid()) m_table->edit(index.siblingAtColumn(RunsModel::kName));
    });
    m_continue = add(tr("Continue…"), {}, {}, [this] { goOnWith(*current()); });
    m_delete = add(tr("Delete…"), tr("Delete the selected runs, after you were asked (Del)"), Qt::Key_Delete,
                   [this] { askToDelete(); });
    m_compare = add(tr("Compare"), tr("Mark this run for comparison, or not any more (Space)"), Qt::Key_Space, [this] {
        const QModelIndex row = m_shown->mapToSource(m_table->currentIndex());
        if (row.isValid())
            m_model->setCompared(
                row.row(), m_model->data(row.siblingAtColumn(RunsModel::kCompared), Qt::CheckStateRole) != Qt::Checked);
    });
    for (QAction* action : {m_compare, m_continue, m_rename, m_delete, m_open})
        addCommand(action, action == m_open);
    auto* find = new QAction(this);
    find->setShortcuts({QKeySequence(Qt::Key_Slash),
                        QKeySequence(QKeySequence::Find)}); // whatever has the focus, while the page is on show
    connect(find, &QAction::triggered, m_filter, [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    addAction(find);
}

PageStatus RunsPage::status() const {
    const auto count = m_model->runs().size();
    return {PageStatus::Mark::kNone, count == 0 ? tr("none yet") : tr("%n run(s)", nullptr, static_cast<int>(count))};
}

void RunsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    services().runLibrary.refresh();
}

void RunsPage::showList() {
    const std::vector<runs::StoredRun>& runs = services().runLibrary.runs();
    m_model->setRuns(runs);
    int64_t bytes = 0;
    bool underWay = false;
    for (const runs::StoredRun& run : runs) {
        bytes += run.bytes;
        underWay = underWay || run.outcome == runs::RunOutcome::kRunning;
    }
    underWay ? m_lookAgain.start() : m_lookAgain.stop();
    setSubtitle(runs.empty() ? tr("Runs of all projects, those of the command line too")
                             : joined({tr("%n run(s) of all projects", nullptr, static_cast<int>(runs.size())),
                                       models::bytesText(bytes)}));
    m_table->setVisible(!runs.empty());
    m_empty->setVisible(runs.empty());
    m_lower->setVisible(!runs.empty());
    if (!m_table->currentIndex().isValid() && m_shown->rowCount() > 0) m_table->selectRow(0);
    m_details.clear(); // a run may have gone on
    showWanted();
    showCurrent();
    emit statusChanged();
}

// The command does what its name says: to a run that is marked it is another one.
void RunsPage::showMark() {
    const QModelIndex row = m_shown->mapToSource(m_table->currentIndex());
    const bool isMarked =
        row.isValid() &&
        m_model->data(row.siblingAtColumn(RunsModel::kCompared), Qt::CheckStateRole).toInt() == Qt::Checked;
    m_compare->setText(isMarked ? tr("Unmark") : tr("Compare"));
    m_compare->setEnabled(row.isValid() && (isMarked || m_model->runs().size() > 1)); // one alone has nothing beside it
}

// A run that another process trains goes on by itself: it can be watched.
void RunsPage::showGoingOn(const runs::StoredRun* run) {
    const bool isUnderWay = run != nullptr && run->outcome == runs::RunOutcome::kRunning;
    m_continue->setText(isUnderWay ? tr("Watch") : tr("Continue…"));
    m_continue->setToolTip(isUnderWay ? tr("Show on the page Run how it goes, and steer it from there")
                                      : tr("Go on with this run from its last checkpoint"));
    m_continue->setEnabled(isUnderWay || (run != nullptr && runs::isUnfinished(run->outcome)));
}

void RunsPage::goOnWith(const runs::StoredRun& run) {
    if (run.outcome != runs::RunOutcome::kRunning) return askToContinue(this, services(), run.folder);
    const auto show = [page = QPointer<RunsPage>(this)] {
        if (page) emit page->pageWanted(QStringLiteral("run"));
    };
    if (services().run.isRunning()) return show(); // of this window, or one that it watches: one at a time
    watchRun(this, services(), run.folder, show);
}

const runs::StoredRun* RunsPage::current() const {
    const QModelIndex row = m_shown->mapToSource(m_table->currentIndex());
    return row.isValid() ? &m_model->run(row.row()) : nullptr;
}

void RunsPage::showCurrent() {
    const runs::StoredRun* run = current();
    for (QAction* action : {m_open, m_rename})
        action->setEnabled(run != nullptr);
    m_delete->setEnabled(run != nullptr && run->outcome != runs::RunOutcome::kRunning);
    showGoingOn(run);
    showMark();
    const bool isEdited = m_noteSoon.isActive();
    if (isEdited) saveNote();
    m_noteTitle->setText(run ? tr("Note on %1").arg(QString::fromStdString(run->name)) : tr("Note"));
    m_note->setEnabled(run != nullptr);
    const QString note = run ? QString::fromStdString(run->note) : QString();
    const bool isOfAnother = !run || run->folder != m_noteOf;
    if ((isOfAnother || !isEdited) && m_note->toPlainText() != note) {
        const QSignalBlocker quiet(m_note);
        m_note->setPlainText(note);
    }
    m_noteOf = run ? run->folder : std::filesystem::path();
    showJournal();
    readChosen();
}

// Of the current run, whichever are marked.
void RunsPage::showJournal() {
    const bool isOnShow = m_lookAt->current() == 1;
    m_aboutRuns->setCurrentIndex(isOnShow ? 1 : 0);
    m_numEqual->setVisible(!isOnShow);
    m_copy->setVisible(isOnShow);
    if (!isOnShow) return;
    const runs::StoredRun* run = current();
    m_journal->showJournalOf(run != nullptr ? run->folder : std::filesystem::path());
}

void RunsPage::showField(const QString& key) {
    m_wanted = key.toStdString();
    showWanted();
}

// Its list may still be on its way.
void RunsPage::showWanted() {
    if (m_wanted.empty()) return;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->run(row).folder != m_wanted) continue;
        m_wanted.clear();
        m_filter->clear(); // it may hide it
        const QModelIndex index = m_shown->mapFromSource(m_model->index(row, RunsModel::kName));
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
        return m_table->setFocus();
    }
}

std::vector<std::filesystem::path> RunsPage::chosen() const {
    if (!m_model->compared().empty()) return m_model->compared();
    const runs::StoredRun* run = current();
    return run ? std::vector{run->folder} : std::vector<std::filesystem::path>();
}

void RunsPage::readChosen() {
    for (const std::filesystem::path& folder : chosen())
        if (!m_details.contains(folder)) services().runLibrary.read(folder);
    showChosen();
}

void RunsPage::showChosen() {
    std::vector<Details> read;
    for (const std::filesystem::path& folder : chosen())
        if (const auto found = m_details.find(folder); found != m_details.end()) read.push_back(found->second);
    if (read.size() != chosen().size()) return; // the rest is on its way, what was on show stays
    const auto axis = static_cast<runs::CurveAxis>(m_axis->current());
    const bool validation = m_value->current() == 1;
    std::vector<charts::NamedCurve> curves;
    for (const Details& details : read) {
        const auto value = validation ? runs::CurveValue::kValidationLoss : runs::CurveValue::kLoss;
        runs::Curve curve = runs::curveOf(details->steps, value, axis);
        if (!validation) curve.y = runs::smoothed(curve.y);
        curves.push_back({widgets::inOneLine(details->run.name), std::move(curve.x), std::move(curve.y)});
    }
    const QStringList axes = {tr("step"), tr("tokens"), tr("time")};
    m_chart->setLogarithmic(m_scale->current() == 1);
    m_chart->setCurves(std::move(curves), axes.at(m_axis->current()), axis == runs::CurveAxis::kSeconds);
    m_differences->compare(read);
    m_numEqual->setText(read.size() < 2
                            ? tr("mark two runs to compare them")
                            : tr("%1 settings are equal").arg(runs::numCompared() - m_differences->numDifferent()));
}

void RunsPage::saveNote() {
    m_noteSoon.stop();
    for (const runs::StoredRun& run : m_model->runs())
        if (run.folder == m_noteOf) services().runLibrary.setNote(run, m_note->toPlainText());
}

void RunsPage::open() {
    if (const runs::StoredRun* run = current())
        emit pageWanted(QStringLiteral("results"), QString::fromStdString(run->folder.string()));
}

void RunsPage::askToDelete() {
    std::vector<runs::StoredRun> gone;
    QStringList names, foreign;
    int64_t bytes = 0;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        const runs::StoredRun& run = m_model->run(m_shown->mapToSource(index).row());
        const bool isLink = std::filesystem::is_symlink(run.folder);
        if (!isLink) bytes += run.bytes;
        if (!isLink) foreign.append(models::foreignTexts(run));
        const QString what = isLink ? tr("lies elsewhere: only taken off the list") : models::bytesText(run.bytes);
        names.append(QStringLiteral("%1  –  %2").arg(widgets::inOneLine(run.name), what));
        gone.push_back(run);
    }
    if (gone.empty()) return;
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Delete runs"),
                        tr("Delete %n run(s) with results and checkpoints?", nullptr, static_cast<int>(gone.size())),
                        QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QStringList shown = firstOf(names) + firstOf(foreign);
    if (shown.size() < names.size() + foreign.size()) box->setDetailedText((names + foreign).join(QLatin1Char('\n')));
    box->setInformativeText(shown.join(QLatin1Char('\n')) + QStringLiteral("\n\n") +
                            tr("What is deleted can't be brought back."));
    QPushButton* yes =
        box->addButton(bytes > 0 ? tr("Delete %1").arg(models::bytesText(bytes)) : tr("Take off the list"),
                       QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, gone] { services().runLibrary.remove(gone); });
    box->open();
}

} // namespace roundpipe::ui::pages
