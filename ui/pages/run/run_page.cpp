// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/run_page.h"

#include "base/units.h"
#include "ui/charts/loss_chart.h"
#include "ui/models/plan_text.h"
#include "ui/models/run_end_text.h"
#include "ui/models/run_text.h"
#include "ui/pages/run/chart_card.h"
#include "ui/pages/run/findings_pane.h"
#include "ui/pages/run/run_log.h"
#include "ui/pages/run/run_tiles.h"
#include "ui/pages/run/samples_pane.h"
#include "ui/pages/run/stages_tab.h"
#include "ui/pages/run/stop_question.h"
#include "ui/pages/run/timeline_forecast.h"
#include "ui/pages/run/unfinished_run.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/action_button.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/run_state_text.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

constexpr int kRoomForTwoCharts = 1560; // width of the page
constexpr int kRoomForCards = 600;      // height of the page
constexpr int kFindingsEveryMs = 1500;
constexpr int kChartsEveryMs = 1000;

} // namespace

RunPage::RunPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("run"), tr("Run"), theme::Icon::kRun}, parent)
    , m_controller(services.run)
    , m_tiles(new RunTiles)
    , m_findings(new FindingsPane(services.themes))
    , m_samples(new SamplesPane)
    , m_stages(new StagesTab(services.themes))
    , m_log(new RunLog(services.run))
    , m_timeline(new timeline::TimelineView(services.themes))
    , m_forecast(new TimelineForecast(services, *m_timeline, this))
    , m_unfinished(new UnfinishedRun(services, m_history, this)) {
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
    connect(m_forecast, &TimelineForecast::changed, this, &RunPage::sayForecast);
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
        m_timeline->plot().setFocus();
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
    auto* tabs = new QTabWidget;
    tabs->addTab(m_samples, tr("Answers"));
    tabs->addTab(m_stages, tr("Stages"));
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
    auto* find = new QShortcut(Qt::Key_Slash, this); // whatever has the focus, while the page is on show
    connect(find, &QShortcut::activated, &m_timeline->plot(), &timeline::TimelinePlot::searchRequested);
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
    m_timeline->plot().setFocus();
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
    connect(stop, &QAction::triggered, this, [this] { askHowToStop(this, m_controller); });
    m_whileRunning.push_back(addCommand(stop));
    auto* goOn = new QAction(tr("Continue…"), this);
    goOn->setToolTip(tr("Go on with this run from its last checkpoint"));
    connect(goOn, &QAction::triggered, this, [this] { m_unfinished->ask(this); });
    m_continue = addCommand(goOn);
    m_enqueue = addCommand(commands.enqueue());
    m_start = addCommand(commands.start(), true);
    auto* results = new QAction(tr("See the results"), this);
    connect(results, &QAction::triggered, this, &RunPage::showResults);
    m_results = addCommand(results);
    connect(m_unfinished, &UnfinishedRun::changed, this, &RunPage::showState);
    showState();
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
        if (!m_controller.store().empty()) m_forecast->end();
        if (!m_forecast->isShown()) m_timeline->plot().setOpen(m_controller.openSlices(), steadyNowNs());
        m_timeline->plot().dataArrived();
    });
    connect(&m_controller, &RunController::sampleReady, this, [this](const session::RunEvent& sample) {
        m_samples->addAnswer(QString::fromStdString(sample.prompt), models::runText(sample), sample.tuned, sample.step);
    });
    connect(&m_controller, &RunController::stateChanged, this, [this](session::RunState state) {
        showState();
        if (!session::isOver(state)) return;
        m_forecast->end();
        m_sinceFindings.invalidate();
        m_sinceCharts.invalidate();
        m_timeline->plot().navigation().runEnded();
        tellTheEnd(state);
    });
    connect(m_samples, &SamplesPane::editWanted, this,
            [this] { emit pageWanted(QStringLiteral("settings"), QStringLiteral("prompts")); });
    const auto showProjectsPrompts = [this] {
        if (m_controller.snapshot().state == session::RunState::kIdle) showPrompts(services().document.prompts());
    };
    connect(&services().document, &document::Document::opened, this, [this, showProjectsPrompts] {
        showState();
        sayWhose(m_whatRuns, m_whatRunsShorter);
        showProjectsPrompts();
    });
    connect(&services().document, &document::Document::changed, this,
            [this, showProjectsPrompts](const QStringList& keys) {
                showState();
                if (keys.contains(QStringLiteral("prompts"))) showProjectsPrompts();
            });
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
        if (!shown && command->hasFocus()) m_timeline->plot().setFocus(); // Qt would choose a chart's list
        command->setVisible(shown);
    };
    for (QWidget* command : m_whileRunning)
        showCommand(command, running);
    showCommand(m_enqueue, !running); // then it is in the menu, as Start is
    showCommand(m_start, !running);
    showCommand(m_continue, m_unfinished->canGoOn());
    showCommand(m_results, hasResults());
    // Beside a run of another project, Start means something else than what is on show.
    const bool leadsToResults = hasResults() && (isGood || !services().commands.otherProject().isEmpty());
    const bool goesOn = m_unfinished->canGoOn() && !leadsToResults; // who stops does not want to begin anew
    widgets::setPrimary(*m_results, leadsToResults);
    widgets::setPrimary(*m_continue, goesOn);
    widgets::setPrimary(*m_start, !leadsToResults && !goesOn);
    layout()->activate(); // each command has its width at once
    m_timeline->plot().setLive(running);
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->setOver(session::isOver(state));
    m_timeline->plot().setEmptyText(session::isOver(state)
                                        ? tr("Nothing was recorded: the run ended before its first step.")
                                        : tr("Once a run has begun, each device's work stands here as it happens."));
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
        const QString idle = m_unfinished->canGoOn() ? tr("can go on") : tr("not started");
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
    if (isVisible()) m_timeline->plot().setFocus(); // Start had it, and is off by now: Qt would choose a chart's list
    m_forecast->begin();
    for (const session::StepMetrics& step : m_controller.earlierSteps())
        stepDone(step);
    if (!m_controller.earlierSteps().empty()) m_history.goOnAfter(m_controller.earlierSteps().back().step);
    showPrompts(job.samplePrompts);
    m_forecast->show();
}

// It was another project's.
void RunPage::forgetRun() {
    clear();
    sayWhose({});
    showState();
    showPrompts(services().document.prompts());
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->historyGrew();
    m_forecast->show();
}

// Nothing stays of the run before.
void RunPage::clear() {
    m_forecast->forget();
    m_validations.clear();
    m_history.clear();
    m_sinceFindings.invalidate();
    m_sinceCharts.invalidate();
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().clear();
    m_log->clear();
    m_findings->clear();
    m_stages->setPlan(nullptr);
    m_tiles->clear();
    m_timeline->plot().setStore(&m_controller.store());
}

// The project of the run where that is not the open one, or the name of one that is watched.
QString RunPage::otherName() const {
    const QString& other = services().commands.otherProject();
    if (!other.isEmpty()) return tr("Run of the project “%1”").arg(other);
    const QString name = QString::fromStdString(m_controller.job().spec.name);
    return m_controller.isFollowed() && name != services().document.name() ? name : QString();
}

// What runs, and whose it is where that is not the open project.
void RunPage::sayWhose(const QString& text, const QStringList& shorter) {
    m_whatRuns = text;
    m_whatRunsShorter = shorter;
    const QString other = otherName();
    if (other.isEmpty()) return setSubtitle(text, shorter);
    const auto said = [&](const QString& what) { return other + QStringLiteral(" · ") + what; };
    QStringList shorterSaid;
    for (const QString& what : shorter)
        shorterSaid += said(what);
    setSubtitle(said(text), shorterSaid);
}

void RunPage::sayForecast() {
    if (m_controller.isRunning() || m_controller.snapshot().state != session::RunState::kIdle) return;
    sayWhose(m_forecast->isShown() ? tr("The timeline shows a step as predicted for %1.").arg(m_forecast->rigText())
                                   : QString());
}

void RunPage::showPrompts(const std::vector<std::string>& prompts) {
    QStringList texts;
    for (const std::string& prompt : prompts)
        texts.append(QString::fromStdString(prompt));
    m_samples->setPrompts(texts);
}

void RunPage::showPlan(const session::RunPlan& plan) {
    m_stages->setPlan(m_controller.plan());
    for (ChartCard* chart : {m_chart, m_secondChart})
        chart->loss().setTotalSteps(plan.totalSteps);
    m_forecast->holdAgainst(plan);
    m_timeline->plot().setLayerNames([shared = m_controller.plan()](LayerId layer) {
        const auto numLayers = static_cast<int32_t>(shared->layerNames.size());
        return layer.value < numLayers ? models::layerText(layer.value, numLayers) : QString();
    });
    const auto marked = [&](const QString& name) { return plan.isSimulated ? tr("%1 (simulated)").arg(name) : name; };
    const QString model = marked(models::modelText(plan.model));
    const QString brief = marked(models::briefModelText(plan.model));
    const QString cuts = models::outlineText(plan::outlineOf(plan.plan));
    const QString both = QStringLiteral("%1 · %2");
    sayWhose(both.arg(model, cuts), {both.arg(brief, cuts), brief});
    m_log->sayPlan(plan, model, cuts);
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
    if (session::isOver(now.state) || !m_sinceFindings.isValid() || m_sinceFindings.elapsed() >= kFindingsEveryMs) {
        m_sinceFindings.start();
        showFindings();
    }
    emit statusChanged();
}

void RunPage::showFindings() {
    const session::Snapshot& now = m_controller.snapshot();
    const bool isOver = session::isOver(now.state);
    const auto plan = m_controller.plan(); // none: not planned yet, or never, where the run failed before
    if (!isVisible() || (plan == nullptr && !isOver)) return;
    m_findings->setFindings(session::findingsOf({m_controller.store(), now.machine, now.last, m_validations,
                                                 m_forecast->ofTheRun(), isOver}),
                            plan ? *plan : session::RunPlan(), isOver);
}

void RunPage::showStepOnTimeline(int64_t step) {
    const trace::LaneStore& store = m_controller.store();
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0;) {
            if (slices[i].kind != trace::Kind::kStep || slices[i].step != step - 1) continue; // counted from 0
            m_timeline->plot().navigation().zoomTo(slices[i].startNs, slices[i].endNs);
            return m_timeline->plot().setFocus();
        }
    }
}

} // namespace roundpipe::ui::pages
