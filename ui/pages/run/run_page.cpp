// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/run_page.h"

#include "base/units.h"
#include "runs/stored_run.h"
#include "ui/charts/loss_chart.h"
#include "ui/models/plan_text.h"
#include "ui/models/run_end_text.h"
#include "ui/models/run_text.h"
#include "ui/models/stages_model.h"
#include "ui/pages/contract/continue_question.h"
#include "ui/pages/run/chart_card.h"
#include "ui/pages/run/findings_pane.h"
#include "ui/pages/run/run_tiles.h"
#include "ui/pages/run/samples_pane.h"
#include "ui/pages/run/stop_question.h"
#include "ui/theme/table_row.h"
#include "ui/timeline/timeline_view.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/partition_strip.h"
#include "ui/widgets/run_state_text.h"

#include <QAction>
#include <QFileInfo>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStyle>
#include <QTabWidget>
#include <QTableView>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace roundpipe::ui::pages {
namespace {

constexpr int kRoomForTwoCharts = 1560; // width of the page
constexpr int kRoomForCards = 600;      // height of the page
constexpr int kFindingsEveryMs = 1500;
constexpr int kChartsEveryMs = 1000;
constexpr double kPredictionOpacity = 0.45; // what has not happened yet

QString count(int64_t value) {
    return translations::countText(static_cast<double>(value));
}

// Whether the steps of one plan can be held against those of the other.
bool isSameCut(const plan::Plan& a, const plan::Plan& b) {
    return a.forward == b.forward && a.fused == b.fused && a.backward == b.backward && a.deviceTable == b.deviceTable;
}

// Whether it is the button that one is led to.
void setPrimary(QPushButton& button, bool isPrimary) {
    const QString name = isPrimary ? QStringLiteral("primary") : QString();
    if (button.objectName() == name) return;
    button.setObjectName(name);
    button.style()->unpolish(&button); // its colours depend on that
    button.style()->polish(&button);
}

} // namespace

RunPage::RunPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("run"), tr("Run"), theme::Icon::kRun}, parent)
    , m_controller(services.run)
    , m_tiles(new RunTiles)
    , m_findings(new FindingsPane(services.themes))
    , m_samples(new SamplesPane)
    , m_stages(new models::StagesModel(this))
    , m_log(new QPlainTextEdit)
    , m_partition(new widgets::PartitionStrip(services.themes))
    , m_timeline(new timeline::TimelineView(services.themes)) {
    m_cards = buildCards();
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(m_cards);
    split->addWidget(m_timeline);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 3);
    split->setSizes({210, 540});
    split->setHandleWidth(theme::kSpacing);
    split->setChildrenCollapsible(false);
    m_foldedLine = buildFoldedLine();
    buildCommands(); // before the body: Tab goes as one reads
    body()->addWidget(m_tiles);
    body()->addWidget(m_foldedLine);
    body()->addWidget(split, 1);
    buildFold();
    m_timeline->plot().setStore(&m_controller.store());
    connectController();
    connectLog();
    connect(&services.plan, &ProjectPlan::changed, this, &RunPage::showPrediction);
    connect(&m_timeline->plot(), &timeline::TimelinePlot::layoutChanged, this, [this] {
        if (m_predicts) m_timeline->plot().navigation().fit(); // whole in any size
    });
    showRoom(); // little, until it is known how much there is: what has no room asks for none
}

// What is looked at beside the timeline, from left to right: how it learns, what slows it, what it answers.
QWidget* RunPage::buildCards() {
    m_chart = buildChart(QStringLiteral("run/chart"), std::nullopt);
    m_secondChart = buildChart(QStringLiteral("run/second_chart"), charts::Quantity::kDeviceMemory);
    auto* findings = new widgets::Card(tr("Findings"));
    findings->body()->addWidget(m_findings, 1);
    auto* cards = new QSplitter(Qt::Horizontal);
    for (QWidget* card : {static_cast<QWidget*>(m_chart), static_cast<QWidget*>(m_secondChart),
                          static_cast<QWidget*>(findings), buildTabs()}) {
        cards->addWidget(card);
        cards->setStretchFactor(cards->count() - 1, 1);
        card->setMinimumWidth(230);
    }
    cards->setSizes({380, 380, 360, 460}); // sentences wrap, answers stand two beside each other
    cards->setHandleWidth(theme::kSpacing);
    cards->setChildrenCollapsible(false);
    connect(m_findings, &FindingsPane::evidenceWanted, this, [this](qint64 beginNs, qint64 endNs) {
        m_timeline->plot().navigation().zoomTo(beginNs, endNs);
        m_timeline->setFocus();
    });
    connect(m_findings, &FindingsPane::pageWanted, this, &Page::pageWanted);
    return cards;
}

ChartCard* RunPage::buildChart(const QString& key, std::optional<charts::Quantity> atFirst) {
    auto* card = new ChartCard(services().themes, m_history);
    const int remembered = services().preferences.value(key, atFirst ? static_cast<int>(*atFirst) : -1).toInt();
    const bool isOne = remembered >= 0 && remembered < charts::kNumQuantities;
    card->choose(isOne ? std::optional(static_cast<charts::Quantity>(remembered)) : std::nullopt);
    connect(card, &ChartCard::chosen, this, [this, card, key] {
        services().preferences.set(key, card->quantity() ? static_cast<int>(*card->quantity()) : -1);
    });
    connect(&card->loss(), &charts::LossChart::stepChosen, this, &RunPage::showStepOnTimeline);
    return card;
}

QWidget* RunPage::buildTabs() {
    auto* table = new QTableView;
    table->setModel(m_stages);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setAccessibleName(tr("Stages"));
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(theme::kTableRow);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    auto* stages = new QWidget;
    auto* column = new QVBoxLayout(stages);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_partition);
    column->addWidget(table, 1);
    m_partition->setAccessibleName(tr("Layer partition"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Messages of the run"));

    auto* tabs = new QTabWidget;
    tabs->addTab(m_samples, tr("Answers"));
    tabs->addTab(stages, tr("Stages"));
    tabs->addTab(m_log, tr("Messages"));
    auto* card = new widgets::Card;
    card->body()->addWidget(tabs);
    return card;
}

QWidget* RunPage::buildFoldedLine() {
    auto* line = new widgets::ElidedLabel;
    auto* card = new widgets::Card;
    auto* showIt = new QPushButton(tr("Show"));
    showIt->setObjectName(QStringLiteral("link"));
    auto* row = new QHBoxLayout;
    row->addWidget(line, 1);
    row->addWidget(showIt);
    card->body()->addLayout(row);
    connect(showIt, &QPushButton::clicked, m_findings, &FindingsPane::showFirst);
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    const auto refresh = [this, line, showIt] {
        line->setFullText(m_findings->firstText());
        showIt->setVisible(m_findings->firstHasEvidence());
    };
    connect(m_findings, &FindingsPane::changed, card, refresh);
    refresh();
    card->hide();
    return card;
}

void RunPage::buildFold() {
    m_fold = new QToolButton;
    const auto paint = [this] { m_fold->setIcon(theme::iconOf(theme::Icon::kGrow, services().themes.theme().text)); };
    connect(&services().themes, &theme::ThemeManager::changed, m_fold, paint);
    paint();
    m_fold->setCheckable(true);
    m_fold->setToolTip(tr("The timeline alone (F11)"));
    m_fold->setAccessibleName(tr("The timeline alone"));
    m_timeline->titleRow()->addWidget(m_fold);
    connect(m_fold, &QToolButton::toggled, this, &RunPage::setFolded);
    auto* key = new QShortcut(Qt::Key_F11, this);
    connect(key, &QShortcut::activated, m_fold, &QToolButton::toggle);
    if (services().preferences.value(QStringLiteral("run/folded")).toBool()) m_fold->setChecked(true);
}

void RunPage::setFolded(bool folded) {
    m_isFolded = folded;
    m_fold->setChecked(folded);
    m_tiles->setVisible(!folded);
    services().preferences.set(QStringLiteral("run/folded"), folded);
    showRoom();
}

void RunPage::showRoom() {
    m_secondChart->setVisible(width() >= kRoomForTwoCharts);
    const bool hasCards = !m_isFolded && height() >= kRoomForCards;
    m_cards->setVisible(hasCards);
    m_foldedLine->setVisible(!hasCards);
}

void RunPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    showRoom();
}

// Keys of the timeline work as soon as the page is there.
void RunPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (event->spontaneous()) return;
    m_timeline->setFocus();
    m_sinceCharts.invalidate();
    m_sinceFindings.invalidate();
    showNumbers();
}

void RunPage::buildCommands() {
    const RunCommands& commands = services().commands;
    for (QAction* action : {commands.validate(), commands.sample(), commands.save(), commands.pause()})
        m_whileRunning.push_back(addCommand(action));
    auto* stop = new QAction(tr("Stop…"), this);
    stop->setToolTip(tr("Asks whether to save"));
    connect(stop, &QAction::triggered, this, &RunPage::askToStop);
    m_whileRunning.push_back(addCommand(stop));
    auto* goOn = new QAction(tr("Continue…"), this);
    goOn->setToolTip(tr("Go on with this run from its last checkpoint"));
    connect(goOn, &QAction::triggered, this, &RunPage::continueRun);
    m_continue = addCommand(goOn);
    m_start = addCommand(commands.start(), true);
    auto* results = new QAction(tr("See the results"), this);
    connect(results, &QAction::triggered, this, &RunPage::showResults);
    m_results = addCommand(results);
    followLibrary();
    showState();
}

void RunPage::askToStop() {
    switch (askHowToStop(this, m_controller)) {
    case StopAnswer::kStopAndSave:
        return m_controller.stop();
    case StopAnswer::kStopAndDiscard:
        return m_controller.stopAndDiscard();
    case StopAnswer::kKeepTraining:
        return;
    }
}

// A project that is opened again may have a run that was stopped: the page Results looks for it.
void RunPage::followLibrary() {
    const bridge::RunLibraryController& library = services().runLibrary;
    connect(&services().document, &document::Document::opened, this, [this] {
        m_runOfProject.clear();
        m_isUnfinished = false;
        showState();
    });
    connect(&library, &bridge::RunLibraryController::runOfProjectFound, this,
            [this](const QString& folder) { m_runOfProject = folder; });
    connect(&library, &bridge::RunLibraryController::detailsRead, this,
            [this](const std::shared_ptr<const bridge::RunDetails>& details) {
                if (details->run.folder != m_runOfProject.toStdString()) return;
                m_isUnfinished = runs::isUnfinished(details->run.outcome) && !details->run.checkpoints.empty();
                showState();
            });
}

bool RunPage::canContinue() const {
    const session::Snapshot& now = m_controller.snapshot();
    if (now.state == session::RunState::kIdle) return m_isUnfinished;
    const bool isUnfinished = now.state == session::RunState::kStopped || now.state == session::RunState::kFailed;
    return isUnfinished && m_controller.savedStep() && m_controller.plan() != nullptr;
}

// A simulated run has no folder to be looked at: the engine says what it knows of it.
void RunPage::continueRun() {
    if (m_controller.snapshot().state == session::RunState::kIdle)
        return askToContinue(this, services(), m_runOfProject.toStdString());
    const session::RunJob& job = m_controller.job();
    const session::Snapshot& now = m_controller.snapshot();
    if (m_controller.plan()->isSimulated) {
        runs::Resumption resumption;
        resumption.spec = job.spec;
        resumption.prompts = job.samplePrompts;
        resumption.step = m_controller.savedStep().value_or(0);
        resumption.stepsDone = now.step;
        resumption.totalSteps = now.totalSteps;
        for (const session::StepMetrics& step : m_history.steps())
            if (step.step <= resumption.step) resumption.steps.push_back(step);
        return askToContinue(this, m_controller, resumption);
    }
    askToContinue(this, services(), job.spec.output.folder);
}

void RunPage::connectController() {
    using bridge::RunController;
    connect(&m_controller, &RunController::started, this, &RunPage::begin);
    connect(&m_controller, &RunController::forgotten, this, &RunPage::forgetRun);
    connect(&m_controller, &RunController::planReady, this, [this](const auto& plan) { showPlan(*plan); });
    connect(&m_controller, &RunController::ticked, this, &RunPage::showNumbers);
    connect(&m_controller, &RunController::stepDone, this, &RunPage::stepDone);
    connect(&m_controller, &RunController::validated, this, &RunPage::validated);
    connect(&m_controller, &RunController::traceChanged, this, [this] {
        if (m_predicts && !m_controller.store().empty()) endPrediction();
        if (!m_predicts) m_timeline->plot().setOpen(m_controller.openSlices(), steadyNowNs());
        m_timeline->plot().dataArrived();
    });
    connect(&m_controller, &RunController::sampleReady, this, [this](const session::RunEvent& sample) {
        m_samples->addAnswer(QString::fromStdString(sample.prompt), models::runText(sample), sample.tuned, sample.step);
    });
    connect(&m_controller, &RunController::stateChanged, this, [this](session::RunState state) {
        showState();
        if (!session::isOver(state)) return;
        if (m_predicts) endPrediction();
        m_sinceFindings.invalidate();
        m_sinceCharts.invalidate();
        if (m_timeline->plot().navigation().isFollowing())
            m_timeline->plot().navigation().fit(); // the run as a whole, not its last moment
        tellTheEnd(state);
    });
    connect(m_samples, &SamplesPane::editWanted, this,
            [this] { emit pageWanted(QStringLiteral("settings"), QStringLiteral("prompts")); });
    const auto showProjectsPrompts = [this] {
        if (m_controller.snapshot().state == session::RunState::kIdle) showPrompts(services().document.prompts());
    };
    connect(&services().document, &document::Document::opened, this, [this, showProjectsPrompts] {
        showState();
        sayWhose(m_whatRuns);
        showProjectsPrompts();
    });
    connect(&services().document, &document::Document::changed, this,
            [this, showProjectsPrompts](const QStringList& keys) {
                showState();
                if (keys.contains(QStringLiteral("prompts"))) showProjectsPrompts();
            });
}

void RunPage::connectLog() {
    using bridge::RunController;
    connect(&m_controller, &RunController::stateChanged, this,
            [this](session::RunState state) { log(widgets::runStateText(state)); });
    connect(&m_controller, &RunController::warned, this,
            [this](const session::RunEvent& warning) { log(tr("warning: %1").arg(models::runText(warning))); });
    connect(&m_controller, &RunController::saved, this,
            [this](const session::RunEvent& saved) { log(tr("saved %1").arg(models::runText(saved))); });
    connect(&m_controller, &RunController::failed, this,
            [this](const QString& message, const QString& advice) { log(tr("error: %1 %2").arg(message, advice)); });
}

bool RunPage::hasResults() const {
    return session::isOver(m_controller.snapshot().state) &&
           QFileInfo::exists(QString::fromStdString(m_controller.job().spec.output.folder));
}

// Of the run on show, whichever project is open.
void RunPage::showResults() {
    emit pageWanted(QStringLiteral("results"), QString::fromStdString(m_controller.job().spec.output.folder));
}

// Of the run that is under way or was last; before the first one, of the project.
void RunPage::showState() {
    const session::RunState state = m_controller.snapshot().state;
    using enum widgets::Tone;
    const bool isGood = state == session::RunState::kFinished;
    const bool isBad = state == session::RunState::kFailed;
    pill().say(state == session::RunState::kIdle ? QString() : widgets::runStateText(state), isGood  ? kGood
                                                                                             : isBad ? kBad
                                                                                                     : kNeutral);
    const bool running = m_controller.isRunning();
    const auto showCommand = [this](QWidget* command, bool shown) {
        if (!shown && command->hasFocus()) m_timeline->setFocus(); // Qt would choose a chart's list
        command->setVisible(shown);
    };
    for (QWidget* command : m_whileRunning)
        showCommand(command, running);
    showCommand(m_start, !running);
    showCommand(m_continue, canContinue());
    showCommand(m_results, hasResults());
    // Beside a run of another project, Start means something else than what is on show.
    const bool leadsToResults = hasResults() && (isGood || !services().commands.otherProject().isEmpty());
    setPrimary(*m_results, leadsToResults);
    setPrimary(*m_start, !leadsToResults);
    m_timeline->plot().setLive(running);
    emit statusChanged();
}

// Quietly: what came of it, and where it lies.
void RunPage::tellTheEnd(session::RunState state) {
    if (state == session::RunState::kFailed) return; // the window says why
    const session::RunJob& job = m_controller.job();
    const models::RunEndText end =
        models::runEndText(job, state, m_controller.firstLoss(), m_controller.snapshot().last);
    const QString text = QStringLiteral("%1 %2").arg(end.headline, end.detail).trimmed();
    const QString folder = QString::fromStdString(job.spec.output.folder);
    if (!QFileInfo::exists(folder)) return emit noticed(tr("%1 It leaves no files.").arg(text));
    if (hasResults())
        emit noticed(text, tr("See the results"), [this] { showResults(); });
    else
        emit noticed(text, tr("Open folder"), [this, folder] { openFolder(folder); });
}

PageStatus RunPage::status() const {
    const session::Snapshot& now = m_controller.snapshot();
    const QString& other = services().commands.otherProject();
    const auto whose = [&](const QString& text) { return other.isEmpty() ? text : tr("%1: %2").arg(other, text); };
    if (!m_controller.isRunning()) {
        const bool isDone = now.state == session::RunState::kFinished && other.isEmpty();
        const QString idle = m_isUnfinished ? tr("can go on") : tr("not started");
        return {isDone ? PageStatus::Mark::kDone : PageStatus::Mark::kNone,
                now.state == session::RunState::kIdle ? idle : whose(widgets::runStateText(now.state))};
    }
    const QString text =
        now.totalSteps > 0 ? tr("step %1 of %2").arg(now.step).arg(now.totalSteps) : widgets::runStateText(now.state);
    return {PageStatus::Mark::kRunning, whose(text)};
}

void RunPage::begin() {
    const session::RunJob& job = m_controller.job();
    clear();
    sayWhose(QString::fromStdString(job.spec.name));
    showState();
    const ProjectPlan& plan = services().plan; // of what is started now
    m_foreseen = plan.isOld() || plan.answer() == nullptr || !plan.answer()->timeline ? nullptr : plan.shared();
    for (const session::StepMetrics& step : m_controller.earlierSteps())
        stepDone(step);
    if (!m_controller.earlierSteps().empty()) m_history.goOnAfter(m_controller.earlierSteps().back().step);
    showPrompts(job.samplePrompts);
    showPrediction();
}

// It was another project's.
void RunPage::forgetRun() {
    clear();
    sayWhose({});
    showState();
    showPrompts(services().document.prompts());
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->historyGrew();
    showPrediction();
}

// Nothing stays of the run before.
void RunPage::clear() {
    m_foreseen.reset();
    m_validations.clear();
    m_history.clear();
    m_sinceFindings.invalidate();
    m_sinceCharts.invalidate();
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().clear();
    m_log->clear();
    m_findings->clear();
    m_stages->setPlan(nullptr);
    m_partition->setPlan(nullptr);
    m_tiles->clear();
    m_timeline->plot().setPlanned(nullptr);
    m_timeline->plot().setStore(&m_controller.store());
}

// What runs, and of which project where that is not the open one.
void RunPage::sayWhose(const QString& text) {
    m_whatRuns = text;
    const QString& other = services().commands.otherProject();
    setSubtitle(other.isEmpty() ? text : tr("Run of the project “%1” · %2").arg(other, text));
}

void RunPage::showPrompts(const std::vector<std::string>& prompts) {
    QStringList texts;
    for (const std::string& prompt : prompts)
        texts.append(QString::fromStdString(prompt));
    m_samples->setPrompts(texts);
}

// Before a run has a trace, the timeline shows a step as it was predicted for the project.
void RunPage::showPrediction() {
    const bool hasTrace = !m_controller.store().empty();
    const bool isBefore = m_controller.isRunning() || m_controller.snapshot().state == session::RunState::kIdle;
    const session::PlanAnswer* answer = services().plan.answer();
    const bool isKnown =
        answer != nullptr && answer->hasPlan && answer->timeline != nullptr && !services().plan.isOld();
    if (hasTrace || !isBefore) return;
    if (!isKnown) {
        if (m_predicts && !m_controller.isRunning()) endPrediction();
        return;
    }
    const session::PredictedTimeline& timeline = *answer->timeline;
    std::vector<trace::Record> steady;
    std::ranges::copy_if(timeline.records, std::back_inserter(steady), [&](const trace::Record& record) {
        return record.startNs >= timeline.steadyFromNs && record.startNs < timeline.steadyToNs;
    });
    m_predicted = trace::LaneStore(timeline.lanes, timeline.steadyFromNs);
    m_predicted.append(steady);
    auto& plot = m_timeline->plot();
    plot.setStore(&m_predicted);
    plot.dataArrived();
    plot.navigation().fit();
    if (!m_controller.isRunning())
        sayWhose(tr("The timeline shows a step as predicted for %1.").arg(models::rigText(answer->rig)));
    m_timeline->setTitle(tr("Predicted step"));
    if (m_predicts) return;
    m_predicts = true;
    auto* faint = new QGraphicsOpacityEffect(&plot); // owned by the plot
    faint->setOpacity(kPredictionOpacity);
    plot.setGraphicsEffect(faint);
}

void RunPage::endPrediction() {
    m_predicts = false;
    if (m_controller.snapshot().state == session::RunState::kIdle) sayWhose({});
    m_timeline->setTitle(tr("Timeline"));
    m_timeline->plot().setGraphicsEffect(nullptr);
    m_timeline->plot().setStore(&m_controller.store());
    showForeseen();
}

// Below each step of the run, as soon as that is on show.
void RunPage::showForeseen() {
    if (m_foreseen == nullptr || m_predicts) return;
    const session::PredictedTimeline& timeline = *m_foreseen->timeline;
    m_timeline->plot().setPlanned(std::make_shared<timeline::PlannedSteps>(timeline.lanes, timeline.records,
                                                                           timeline.steadyFromNs, timeline.steadyToNs));
}

void RunPage::showPlan(const session::RunPlan& plan) {
    m_stages->setPlan(m_controller.plan());
    m_partition->setPlan(m_controller.plan());
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().setTotalSteps(plan.totalSteps);
    if (m_foreseen && !isSameCut(m_foreseen->choice.plan, plan.plan)) m_foreseen.reset();
    if (!m_predicts) m_timeline->plot().lanesChanged();
    showForeseen();
    m_timeline->plot().setLayerNames([shared = m_controller.plan()](LayerId layer) {
        const auto numLayers = static_cast<int32_t>(shared->layerNames.size());
        return layer.value < numLayers ? models::layerText(layer.value, numLayers) : QString();
    });
    const QString name = models::modelText(plan.model);
    const QString model = plan.isSimulated ? tr("%1 (simulated)").arg(name) : name;
    const QString cuts = models::outlineText(plan::outlineOf(plan.plan));
    sayWhose(QStringLiteral("%1 · %2").arg(model, cuts));
    log(model);
    log(cuts);
    log(tr("%1 parameters are trained on %2 rows, %3 are for validation")
            .arg(count(plan.numTrainableParameters))
            .arg(plan.numExamples)
            .arg(plan.numValidationExamples));
    if (plan.numDroppedRows > 0) log(tr("%1 rows of the data were dropped").arg(plan.numDroppedRows));
}

void RunPage::stepDone(const session::StepMetrics& metrics) {
    if (metrics.validationLoss) m_validations.push_back({metrics.step, *metrics.validationLoss});
    m_history.add(metrics);
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().add(metrics);
}

void RunPage::validated(int64_t step, double loss) {
    m_validations.push_back({step, loss});
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().addValidation(step, loss);
    log(tr("validation loss %1 after step %2").arg(translations::fixedText(loss, 3)).arg(step));
}

void RunPage::showNumbers() {
    const session::Snapshot& now = m_controller.snapshot();
    m_history.add(now.elapsedSeconds, now.machine);
    if (now.state != session::RunState::kIdle)
        m_tiles->show(now, m_validations.empty() ? std::nullopt : std::optional(m_validations.back().loss),
                      m_history.seconds());
    m_timeline->setNumDropped(m_controller.numTraceRecordsDropped());
    if (!m_sinceCharts.isValid() || m_sinceCharts.elapsed() >= kChartsEveryMs) {
        m_sinceCharts.start();
        for (ChartCard* chart : {m_chart, m_secondChart})
            chart->historyGrew();
    }
    if (!m_sinceFindings.isValid() || m_sinceFindings.elapsed() >= kFindingsEveryMs) {
        m_sinceFindings.start();
        showFindings();
    }
    emit statusChanged();
}

void RunPage::showFindings() {
    if (m_controller.plan() == nullptr || !isVisible()) return;
    const session::Snapshot& now = m_controller.snapshot();
    const session::PredictedTimeline* planned = m_foreseen ? m_foreseen->timeline.get() : nullptr;
    m_findings->setFindings(session::findingsOf({m_controller.store(), now.machine, now.last, m_validations, planned}),
                            *m_controller.plan());
}

void RunPage::showStepOnTimeline(int64_t step) {
    const trace::LaneStore& store = m_controller.store();
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0;) {
            if (slices[i].kind != trace::Kind::kStep || slices[i].step != step - 1) continue; // counted from 0
            m_timeline->plot().navigation().zoomTo(slices[i].startNs, slices[i].endNs);
            return m_timeline->setFocus();
        }
    }
}

void RunPage::log(const QString& line) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
}

} // namespace roundpipe::ui::pages
