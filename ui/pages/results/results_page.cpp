// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/results_page.h"

#include "arch/model_folder.h"
#include "base/file.h"
#include "plan/cost/profile_store.h"
#include "runs/compare.h"
#include "runs/debug_report.h"
#include "runs/event_file.h"
#include "runs/run_files.h"
#include "ui/charts/curves_chart.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/contract/continue_question.h"
#include "ui/pages/results/exports_card.h"
#include "ui/pages/results/next_steps.h"
#include "ui/pages/results/report.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/answers_pane.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/save_dialog.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/tile_row.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFontDatabase>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLeastChart = 130;

QString textOf(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QLabel* dimLabel(const QString& words) {
    auto* label = new QLabel(words);
    label->setObjectName(QStringLiteral("dim"));
    return label;
}

// It is written with the checkpoint to resume from: a run that was killed has done steps after that.
int64_t stepOfResult(const runs::StoredRun& run) {
    const auto last = std::ranges::find_if(
        run.checkpoints, [&](const runs::StoredCheckpoint& checkpoint) { return run.isToResumeFrom(checkpoint); });
    return last != run.checkpoints.end() ? last->step : run.steps;
}

// As wide as the cards of the column that scrolls.
QWidget* besideGutter(QWidget* card) {
    auto* place = new QWidget;
    auto* layout = new QHBoxLayout(place);
    layout->setContentsMargins(0, 0, widgets::ColumnScroll::kGutter, 0);
    layout->addWidget(card);
    return place;
}

// Whether a run that did not get to its first validation has rows for it, its folder does not say.
QString whyNotValidated(const bridge::RunDetails& details) {
    const bool wantsRows =
        details.spec && (!details.spec->data.validationFile.empty() || details.spec->data.validationFraction > 0);
    if (!wantsRows || details.run.outcome == runs::RunOutcome::kFinished) return ResultsPage::tr("no validation rows");
    return details.run.outcome == runs::RunOutcome::kRunning ? ResultsPage::tr("none yet")
                                                             : ResultsPage::tr("ended before the first");
}

// In place of the answer after training.
QString whyNotAsked(runs::RunOutcome outcome) {
    return outcome == runs::RunOutcome::kRunning ? ResultsPage::tr("(asked at the end)")
                                                 : ResultsPage::tr("(not asked: the run ended before its end)");
}

} // namespace

ResultsPage::ResultsPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("results"), tr("Results"), theme::Icon::kResults}, parent)
    , m_stack(new QStackedWidget)
    , m_validation(new widgets::StatTile(tr("Validation loss")))
    , m_steps(new widgets::StatTile(tr("Steps")))
    , m_took(new widgets::StatTile(tr("Took")))
    , m_speed(new widgets::StatTile(tr("Speed")))
    , m_size(new widgets::StatTile(tr("On disk")))
    , m_answers(new widgets::AnswersPane(tr("This run was given no prompts to answer before and after."),
                                         tr("Ask it on the page Playground")))
    , m_stored(new widgets::Card(tr("Result and checkpoints")))
    , m_exports(new ExportsCard(services))
    , m_nextChoice(new QComboBox)
    , m_nextCommand(new QPlainTextEdit)
    , m_loss(new charts::CurvesChart(services.themes)) {
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(buildLearned());
    split->addWidget(buildTaken());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({640, 420});
    split->setHandleWidth(theme::kSpacing);
    split->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(besideGutter(
        new widgets::TileRow({{m_validation, 20}, {m_steps, 17}, {m_took, 24}, {m_speed, 20}, {m_size, 24}})));
    layout->addWidget(split, 1);

    auto* empty = new widgets::EmptyState(
        services.themes, theme::Icon::kResults, tr("No results yet"),
        tr("When a run ends, its answers before and after, its result and its checkpoints stand here."));
    connect(empty->addButton(tr("Results of earlier runs")), &QPushButton::clicked, this,
            [this] { emit pageWanted(QStringLiteral("runs")); });
    auto* none = new widgets::Card;
    none->body()->addWidget(empty);
    m_stack->addWidget(besideGutter(none));
    m_stack->addWidget(content);
    body()->addWidget(m_stack, 1);
    reachIntoMargin();
    buildCommands();
    showDetails(nullptr);

    connect(&services.runLibrary, &bridge::RunLibraryController::detailsRead, this, [this](const Details& details) {
        if (m_wanted == details->run.folder) showDetails(details);
    });
    // A run that ended is what one wants to see next; while it goes on, what it has saved so far.
    const auto look = [this] {
        if (!this->services().commands.otherProject().isEmpty()) return;
        m_ofProject = this->services().run.job().spec.output.folder;
        showField(textOf(m_ofProject.string()));
    };
    connect(&services.document, &document::Document::opened, this, &ResultsPage::followProject);
    connect(&services.runLibrary, &bridge::RunLibraryController::runOfProjectFound, this,
            [this](const QString& folder) {
                m_ofProject = folder.toStdString();
                if (m_wanted.empty()) showField(folder); // else a run was asked for meanwhile
            });
    connect(&services.run, &bridge::RunController::saved, this, look);
    connect(&services.run, &bridge::RunController::stateChanged, this, [look](session::RunState state) {
        if (session::isOver(state)) look();
    });
}

// What it learned, at the left: answers as high as they are, and its curves in all the rest.
QWidget* ResultsPage::buildLearned() {
    auto* answers = new widgets::Card(tr("Before and after"));
    answers->body()->addWidget(m_answers, 1);
    connect(m_answers, &widgets::AnswersPane::linkClicked, this,
            [this] { emit pageWanted(QStringLiteral("playground")); });
    answers->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpacing);
    column->addWidget(answers);
    column->addWidget(buildLoss(), 1);
    column->addStretch(0); // where there is no curve
    return left;
}

// What is taken away, at the right.
QWidget* ResultsPage::buildTaken() {
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpacing);
    column->addWidget(buildStored());
    column->addWidget(buildExports());
    column->addWidget(buildNext());
    column->addWidget(buildReport());
    column->addStretch(1);
    auto* scroll = new widgets::ColumnScroll(right);
    scroll->setMinimumWidth(440 + widgets::ColumnScroll::kGutter); // a checkpoint's line
    return scroll;
}

QWidget* ResultsPage::buildStored() {
    auto* rows = new QWidget;
    m_storedRows = new QGridLayout(rows);
    m_storedRows->setContentsMargins(0, 0, 0, 0);
    m_storedRows->setHorizontalSpacing(12);
    m_storedRows->setVerticalSpacing(8);
    m_storedRows->setColumnStretch(0, 1);
    m_stored->body()->addWidget(rows);
    return m_stored;
}

QWidget* ResultsPage::buildExports() {
    connect(m_exports, &ExportsCard::folderWanted, this, &ResultsPage::openFolder);
    const auto readAgain = [this](const std::filesystem::path& run) {
        if (m_details && m_details->run.folder == run) services().runLibrary.read(run);
    };
    const bridge::ExportController* exports = &services().exports;
    connect(exports, &bridge::ExportController::made, this, [=, this](const session::ExportMade& what) {
        readAgain(what.request.run);
        const QString folder = textOf(what.folder.string());
        emit noticed(tr("The export is in %1.").arg(folder), tr("Show"), [this, folder] { openFolder(folder); });
    });
    connect(exports, &bridge::ExportController::failed, this, [=, this](const session::ExportFailed& why) {
        readAgain(why.request.run);
        if (why.problemKind != ErrorKind::kCancelled) return emit failed(textOf(why.problem), textOf(why.advice));
        emit noticed(why.isWhole ? tr("The proof was stopped; the export is whole.")
                                 : tr("The export was stopped; nothing of it is left."));
    });
    return m_exports;
}

QWidget* ResultsPage::buildNext() {
    m_next = new widgets::Card(tr("What next"));
    m_nextChoice->setAccessibleName(tr("What next"));
    m_next->titleRow()->addWidget(m_nextChoice);
    m_nextCommand->setReadOnly(true);
    m_nextCommand->setAccessibleName(tr("Command"));
    m_nextCommand->setTabChangesFocus(true);
    m_nextCommand->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_nextCommand->setFixedHeight(104);
    m_next->body()->addWidget(m_nextCommand);
    auto* copy = new QPushButton(tr("Copy"));
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_nextCommand->toPlainText());
        emit noticed(tr("Copied."));
    });
    connect(m_nextChoice, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_nextCommand->setPlainText(m_nextChoice->itemData(index).toString()); });
    auto* row = new QHBoxLayout;
    row->addWidget(copy);
    row->addStretch(1);
    m_next->body()->addLayout(row);
    return m_next;
}

QWidget* ResultsPage::buildLoss() {
    m_lossCard = new widgets::Card(tr("Loss"));
    m_loss->setAccessibleName(tr("Loss"));
    m_loss->setMinimumHeight(kLeastChart);
    m_lossCard->body()->addWidget(m_loss, 1);
    return m_lossCard;
}

// Files for others to read: a sentence each, and its buttons.
QWidget* ResultsPage::buildReport() {
    auto* card = new widgets::Card(tr("Report and curves"));
    const auto addLine = [&](const QString& words, std::initializer_list<QAction*> actions) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        QLabel* label = dimLabel(words);
        label->setWordWrap(true);
        row->addWidget(label, 1);
        for (QAction* action : actions)
            row->addWidget(widgets::makeActionButton(*action));
        card->body()->addLayout(row);
    };
    const auto save = [this](const QString& title, const QString& ending, void (ResultsPage::*write)(const QString&)) {
        return [=, this] {
            const QString file = widgets::askWhereToSave(this, title, {{{}, suggested(ending)}});
            if (!file.isEmpty()) (this->*write)(file);
        };
    };
    addLine(tr("Numbers, loss, answers and every setting"),
            {makeCommand(tr("HTML…"), tr("Write a report: numbers, loss, answers, every setting"),
                         save(tr("Report as HTML"), QStringLiteral(".html"), &ResultsPage::writeHtml)),
             makeCommand(tr("PDF…"), tr("Write the report as PDF"),
                         save(tr("Report as PDF"), QStringLiteral(".pdf"), &ResultsPage::writePdf))});
    addLine(tr("Loss, validation, learning rate and more of every step"),
            {makeCommand(tr("CSV…"), tr("Write a line a step: loss, validation loss, learning rate, …"),
                         save(tr("Curves as CSV"), QStringLiteral(".csv"), &ResultsPage::writeCsv)),
             makeCommand(tr("TensorBoard…"), tr("Write the curves as an event file into a folder, for TensorBoard"),
                         [this] {
                             const QString folder = widgets::askForFolder(this, tr("Folder for TensorBoard"));
                             if (!folder.isEmpty()) writeTensorBoard(folder);
                         })});
    addLine(tr("What happened, without rows and answers: for who looks for a fault"),
            {makeCommand(tr("Debug report…"),
                         tr("Write versions, machine, settings, journal, log and the end of the trace into one file"),
                         save(tr("Debug report"), QStringLiteral(".tar.gz"), &ResultsPage::writeDebugReport))});
    return card;
}

// That is off while there is no run to show.
QAction* ResultsPage::makeCommand(const QString& name, const QString& toolTip, std::function<void()> act) {
    auto* action = new QAction(name, this);
    action->setToolTip(toolTip);
    connect(action, &QAction::triggered, this, std::move(act));
    m_commands.push_back(action);
    return action;
}

void ResultsPage::buildCommands() {
    m_continueButton = addCommand(makeCommand(tr("Continue…"), tr("Go on with this run from its last checkpoint"),
                                              [this] { askToContinue(this, services(), m_details->run.folder); }));
    m_timelineButton =
        addCommand(makeCommand(tr("Timeline"), tr("Show the run's timeline in a window of its own"), [this] {
            emit traceWanted(textOf(runs::RunFiles{m_details->run.folder}.trace().string()));
        }));
    addCommand(makeCommand(tr("Open folder"), tr("Show the run's files"),
                           [this] { openFolder(textOf(m_details->run.folder.string())); }));
}

PageStatus ResultsPage::status() const {
    if (!m_details) return {PageStatus::Mark::kNone, tr("none yet")};
    const runs::StoredRun& run = m_details->run;
    std::error_code gone;
    if (!std::filesystem::equivalent(run.folder, m_ofProject, gone))
        return {PageStatus::Mark::kNone, textOf(run.name)}; // another project's is only looked at
    const bool isDone = run.outcome == runs::RunOutcome::kFinished;
    return {isDone ? PageStatus::Mark::kDone : PageStatus::Mark::kNone,
            run.bestValidation ? tr("validation %1").arg(models::lossText(run.bestValidation)) : textOf(run.name)};
}

// What came out of the project before goes with it; this one's newest run is looked for.
void ResultsPage::followProject() {
    m_wanted.clear();
    m_ofProject.clear();
    showDetails(nullptr);
    const document::Document& document = services().document;
    services().runLibrary.lookForRunOf(document.spec(), document.name(), document.file().parent_path());
}

void ResultsPage::showField(const QString& folder) {
    std::error_code failed;
    m_wanted = folder.toStdString();
    if (std::filesystem::is_directory(m_wanted, failed)) services().runLibrary.read(m_wanted);
}

void ResultsPage::showDetails(const Details& details) {
    m_details = details;
    m_stack->setCurrentIndex(details ? 1 : 0);
    for (QAction* action : m_commands)
        action->setEnabled(details != nullptr);
    m_continueButton->setVisible(details != nullptr && runs::isUnfinished(details->run.outcome) &&
                                 !details->run.checkpoints.empty());
    std::error_code ignored;
    m_timelineButton->setVisible(details != nullptr &&
                                 std::filesystem::exists(runs::RunFiles{details->run.folder}.trace(), ignored));
    emit statusChanged();
    if (!details) {
        m_exports->showRun(nullptr);
        pill().say({});
        return setSubtitle(tr("Answers, results and what to do with them"));
    }
    const runs::StoredRun& run = details->run;
    using runs::RunOutcome;
    using enum widgets::Tone;
    pill().say(models::outcomeText(run.outcome), run.outcome == RunOutcome::kFinished  ? kGood
                                                 : run.outcome == RunOutcome::kFailed  ? kBad
                                                 : run.outcome == RunOutcome::kRunning ? kNeutral
                                                                                       : kWarning);
    const std::string model = details->spec ? arch::modelNameOf(details->spec->model.path) : run.model;
    QStringList parts = {textOf(run.name), models::dateText(run.startedAt), textOf(model)};
    if (!run.devices.empty()) parts.append(tr("%n device(s)", nullptr, static_cast<int>(run.devices.size())));
    if (!run.problem.empty()) parts.append(textOf(run.problem));
    setSubtitle(parts.join(QStringLiteral(" · ")));
    m_validation->set(models::lossText(run.bestValidation),
                      run.firstValidation ? tr("%1 at first").arg(models::lossText(run.firstValidation))
                                          : whyNotValidated(*details));
    m_steps->set(models::stepsText(run),
                 tr("loss %1").arg(models::lossText(run.steps > 0 ? std::optional(run.lastLoss) : std::nullopt)));
    m_took->set(models::durationText(run.seconds),
                run.steps > 0 ? tr("%1 a step").arg(models::durationText(run.seconds / static_cast<double>(run.steps)))
                              : QString());
    m_speed->set(models::rateText(run.tokensPerSecond()), tr("tokens/s"));
    m_size->set(models::bytesText(run.bytes),
                (details->trainsModel() ? tr("model %1") : tr("adapter %1")).arg(models::bytesText(run.resultBytes())));
    QStringList prompts;
    for (const runs::BeforeAndAfter& answer : details->answers)
        prompts.append(textOf(answer.prompt));
    const bool canBeAsked = run.resultBytes() > 0 || !run.checkpoints.empty();
    m_answers->setPrompts(prompts, canBeAsked);
    for (const runs::BeforeAndAfter& answer : details->answers) {
        if (!answer.before.empty()) m_answers->setAnswer(textOf(answer.prompt), textOf(answer.before), false);
        m_answers->setAnswer(textOf(answer.prompt),
                             answer.after.empty() ? whyNotAsked(run.outcome) : textOf(answer.after), true);
    }
    showStored();
    m_exports->showRun(details);
    showNext();
    showLoss();
}

void ResultsPage::showLoss() {
    std::vector<charts::NamedCurve> curves;
    const auto add = [&](const QString& name, runs::CurveValue value) {
        runs::Curve curve = runs::curveOf(m_details->steps, value, runs::CurveAxis::kStep);
        if (value == runs::CurveValue::kLoss) curve.y = runs::smoothed(curve.y);
        if (!curve.x.empty()) curves.push_back({name, std::move(curve.x), std::move(curve.y)});
    };
    add(tr("training"), runs::CurveValue::kLoss);
    add(tr("validation"), runs::CurveValue::kValidationLoss);
    m_lossCard->setVisible(!curves.empty());
    m_loss->setCurves(std::move(curves), tr("step"), false);
}

void ResultsPage::showStored() {
    while (QLayoutItem* item = m_storedRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    const auto add = [&](const QString& name, const QString& detail, int64_t bytes,
                         const std::filesystem::path& folder) {
        auto* show = new QPushButton(tr("Show"));
        show->setObjectName(QStringLiteral("link"));
        show->setAccessibleName(tr("Show %1").arg(name));
        const QString path = textOf(folder.string());
        show->setToolTip(path);
        connect(show, &QPushButton::clicked, this, [this, path] { openFolder(path); });
        auto* words = new QWidget; // one below the other: beside each other they need more room than there is
        auto* lines = new QVBoxLayout(words);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(new QLabel(name));
        lines->addWidget(dimLabel(detail));
        m_storedRows->addWidget(words, row, 0);
        m_storedRows->addWidget(dimLabel(models::bytesText(bytes)), row, 1, Qt::AlignRight);
        m_storedRows->addWidget(show, row, 2);
        ++row;
    };
    const auto addDelete = [&](const runs::StoredCheckpoint& checkpoint, const QString& name) {
        auto* button = new QPushButton(tr("Delete…"));
        button->setObjectName(QStringLiteral("link"));
        button->setAccessibleName(tr("Delete %1").arg(name));
        connect(button, &QPushButton::clicked, this, [this, checkpoint, name] { askToDelete(checkpoint, name); });
        m_storedRows->addWidget(button, row - 1, 3);
    };
    const runs::StoredRun& run = m_details->run;
    const runs::RunFiles files{run.folder};
    const QString saved = tr("step %1").arg(stepOfResult(run));
    if (run.adapterBytes > 0) add(tr("Adapter, PEFT"), saved, run.adapterBytes, files.adapter());
    if (run.modelBytes > 0) add(tr("Trained model"), saved, run.modelBytes, files.model());
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints) {
        const QString name = checkpoint.name == "best"        ? tr("Best checkpoint")
                             : run.isToResumeFrom(checkpoint) ? tr("Checkpoint to continue from")
                                                              : textOf(checkpoint.name);
        add(name, tr("step %1 · validation %2").arg(checkpoint.step).arg(models::lossText(checkpoint.validationLoss)),
            checkpoint.bytes, files.checkpoints() / checkpoint.name);
        if (run.outcome != runs::RunOutcome::kRunning) addDelete(checkpoint, name);
    }
    if (row > 0) return;
    QLabel* none = dimLabel(tr("This run saved nothing: it ended before its first checkpoint."));
    none->setWordWrap(true);
    m_storedRows->addWidget(none, 0, 0, 1, 4);
}

void ResultsPage::askToDelete(const runs::StoredCheckpoint& checkpoint, const QString& name) {
    auto* box =
        new QMessageBox(QMessageBox::Warning, tr("Delete a checkpoint"),
                        tr("Delete “%1” of step %2?").arg(name).arg(checkpoint.step), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QStringList words{tr("Everything else of the run stays.")};
    if (m_details->run.isToResumeFrom(checkpoint))
        words.prepend(tr("It is what the run is resumed from: without it, it can only be begun anew."));
    const runs::RunFiles files{m_details->run.folder};
    words.append(models::foreignTexts(m_details->run, files.checkpoints() / checkpoint.name));
    words.append(tr("What is deleted can't be brought back."));
    box->setInformativeText(words.join(QLatin1Char('\n')));
    QPushButton* yes =
        box->addButton(tr("Delete %1").arg(models::bytesText(checkpoint.bytes)), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, run = m_details->run, file = checkpoint.name] {
        services().runLibrary.removeCheckpoint(run, file);
    });
    box->open();
}

void ResultsPage::showNext() {
    const std::vector<NextStep> steps = nextStepsOf(*m_details);
    m_next->setVisible(!steps.empty());
    m_nextChoice->clear();
    for (const NextStep& step : steps)
        m_nextChoice->addItem(step.name, step.command);
}

// A name alone: the dialog begins where one has chosen something before.
QString ResultsPage::suggested(const QString& ending) const {
    return textOf(std::filesystem::weakly_canonical(m_details->run.folder).filename().string()) + ending;
}

void ResultsPage::perform(std::function<void(const bridge::RunDetails&)> work, const QString& done) {
    services().runLibrary.perform([details = m_details, work = std::move(work)](runs::RunLibrary&) { work(*details); },
                                  *this, [this, done] { emit noticed(done); });
}

void ResultsPage::writeHtml(const QString& file) {
    perform([path = file.toStdString()](
                const bridge::RunDetails& details) { writeFileAtomically(path, reportHtml(details).toStdString()); },
            tr("The report is in %1.").arg(file));
}

void ResultsPage::writePdf(const QString& file) {
    perform([file](const bridge::RunDetails& details) { writeReportPdf(details, file); },
            tr("The report is in %1.").arg(file));
}

void ResultsPage::writeCsv(const QString& file) {
    perform([path = file.toStdString()](
                const bridge::RunDetails& details) { writeFileAtomically(path, runs::curvesCsv(details.steps)); },
            tr("The curves are in %1.").arg(file));
}

void ResultsPage::writeDebugReport(const QString& file) {
    perform(
        [path = file.toStdString()](const bridge::RunDetails& details) {
            runs::writeDebugReport(details.run.folder, plan::profileFolder() / "rigs", path);
        },
        tr("The report is in %1. It holds no rows, answers or weights.").arg(file));
}

void ResultsPage::writeTensorBoard(const QString& folder) {
    perform([path = folder.toStdString()](
                const bridge::RunDetails& details) { runs::writeEvents(details.steps, details.run.startedAt, path); },
            tr("The curves are in %1: tensorboard --logdir shows them.").arg(folder));
}

} // namespace roundpipe::ui::pages
