#include "ui/pages/run/run_page.h"

#include "base/units.h"
#include "ui/charts/loss_chart.h"
#include "ui/models/stages_model.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/answers_pane.h"
#include "ui/widgets/partition_strip.h"
#include "ui/widgets/run_state_text.h"
#include "ui/widgets/stat_tile.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTime>
#include <QUrl>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

QString count(int64_t value) {
    return QString::fromStdString(formatCount(static_cast<double>(value)));
}

} // namespace

RunPage::RunPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("run"), tr("Run"), theme::Icon::kRun}, parent)
    , m_controller(services.run)
    , m_step(new widgets::StatTile(tr("Step")))
    , m_loss(new widgets::StatTile(tr("Loss")))
    , m_speed(new widgets::StatTile(tr("Speed")))
    , m_remaining(new widgets::StatTile(tr("Remaining")))
    , m_size(new widgets::StatTile(tr("Trained parameters")))
    , m_chart(new charts::LossChart(services.themes))
    , m_answers(new widgets::AnswersPane)
    , m_stages(new models::StagesModel(this))
    , m_log(new QPlainTextEdit)
    , m_partition(new widgets::PartitionStrip(services.themes))
    , m_timeline(new timeline::TimelineView(services.themes)) {
    auto* chartCard = new widgets::Card(tr("Loss by step"));
    chartCard->body()->addWidget(m_chart, 1);
    auto* logarithmic = new QPushButton(tr("Log axis"));
    logarithmic->setCheckable(true);
    connect(logarithmic, &QPushButton::toggled, m_chart, &charts::LossChart::setLogarithmic);
    chartCard->titleRow()->addWidget(logarithmic);
    m_chart->setMinimumHeight(90);
    auto* upper = new QSplitter(Qt::Horizontal);
    upper->addWidget(chartCard);
    upper->addWidget(buildTabs());
    upper->setStretchFactor(0, 5);
    upper->setStretchFactor(1, 4);
    upper->setHandleWidth(theme::kSpacing);
    upper->setChildrenCollapsible(false);

    auto* partitionCard = new widgets::Card(tr("Layer partition"));
    partitionCard->body()->addWidget(m_partition);
    partitionCard->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* lower = new QWidget;
    auto* lowerLayout = new QVBoxLayout(lower);
    lowerLayout->setContentsMargins(0, 0, 0, 0);
    lowerLayout->setSpacing(theme::kSpacing);
    lowerLayout->addWidget(partitionCard);
    lowerLayout->addWidget(m_timeline, 1);

    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(upper);
    split->addWidget(lower);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 5);
    split->setSizes({230, 540});
    split->setHandleWidth(theme::kSpacing);
    split->setChildrenCollapsible(false);

    body()->addWidget(buildTiles());
    body()->addWidget(split, 1);
    buildCommands();
    m_timeline->plot().setStore(&m_controller.store());
    connectController();
}

void RunPage::buildCommands() {
    const RunCommands& commands = services().commands;
    for (QAction* action : {commands.validate(), commands.sample(), commands.save(), commands.pause()})
        m_whileRunning.push_back(addCommand(action));
    auto* stop = new QAction(tr("Stop…"), this);
    auto* ways = new QMenu(this);
    ways->addActions({commands.stop(), commands.discard()});
    ways->setToolTipsVisible(true);
    stop->setMenu(ways);
    m_whileRunning.push_back(addCommand(stop));
    m_start = addCommand(commands.start(), true);
    showState();
}

QWidget* RunPage::buildTiles() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    for (widgets::StatTile* tile : {m_step, m_loss, m_speed, m_remaining, m_size})
        layout->addWidget(tile, 1);
    return row;
}

QWidget* RunPage::buildTabs() {
    auto* table = new QTableView;
    table->setModel(m_stages);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(26);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(5000);
    m_log->setAccessibleName(tr("Messages of the run"));

    auto* tabs = new QTabWidget;
    tabs->addTab(m_answers, tr("Before and after"));
    tabs->addTab(table, tr("Stages"));
    tabs->addTab(m_log, tr("Messages"));
    auto* card = new widgets::Card;
    card->body()->addWidget(tabs);
    return card;
}

void RunPage::connectController() {
    using bridge::RunController;
    connect(&m_controller, &RunController::started, this, &RunPage::begin);
    connect(&m_controller, &RunController::planReady, this, [this](const auto& plan) { showPlan(*plan); });
    connect(&m_controller, &RunController::ticked, this, &RunPage::showNumbers);
    connect(&m_controller, &RunController::stepDone, m_chart, &charts::LossChart::add);
    connect(&m_controller, &RunController::stepDone, this, [this](const session::StepMetrics& metrics) {
        if (!m_firstLoss) m_firstLoss = metrics.loss;
    });
    connect(&m_controller, &RunController::traceChanged, this, [this] { m_timeline->plot().dataArrived(); });
    connect(&m_controller, &RunController::sampleReady, m_answers, &widgets::AnswersPane::setAnswer);
    connect(&m_controller, &RunController::stateChanged, this, [this](session::RunState state) {
        log(widgets::runStateText(state));
        showState();
        if (session::isOver(state)) tellTheEnd(state);
    });
    connect(&services().document, &document::Document::opened, this, &RunPage::showState);
    connect(&services().document, &document::Document::changed, this, &RunPage::showState);
    connect(&m_controller, &RunController::warned, this,
            [this](const QString& text) { log(tr("warning: %1").arg(text)); });
    connect(&m_controller, &RunController::saved, this, [this](const QString& path) { log(tr("saved %1").arg(path)); });
    connect(&m_controller, &RunController::failed, this,
            [this](const QString& message, const QString& advice) { log(tr("error: %1 %2").arg(message, advice)); });
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
    for (QWidget* command : m_whileRunning)
        command->setVisible(running);
    m_start->setVisible(!running);
    emit statusChanged();
}

// Quietly: what came of it, and where it lies.
void RunPage::tellTheEnd(session::RunState state) {
    if (state == session::RunState::kFailed) return; // the window says why
    const session::RunJob& job = m_controller.job();
    const auto& last = m_controller.snapshot().last;
    const QString name = job.spec.name.empty() ? tr("The run") : QString::fromStdString(job.spec.name);
    QString text =
        state == session::RunState::kFinished ? tr("%1 is ready.").arg(name) : tr("%1 was stopped.").arg(name);
    if (m_firstLoss && last)
        text += QLatin1Char(' ') + tr("Loss %1 → %2").arg(*m_firstLoss, 0, 'f', 2).arg(last->loss, 0, 'f', 2);
    const QString folder = QString::fromStdString(job.spec.output.folder);
    if (!QFileInfo::exists(folder)) return emit noticed(text);
    emit noticed(text, tr("Open folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

PageStatus RunPage::status() const {
    const session::Snapshot& now = m_controller.snapshot();
    if (!m_controller.isRunning())
        return {now.state == session::RunState::kFinished ? PageStatus::Mark::kDone : PageStatus::Mark::kNone,
                now.state == session::RunState::kIdle ? tr("not started") : widgets::runStateText(now.state)};
    const QString text =
        now.totalSteps > 0 ? tr("step %1 of %2").arg(now.step).arg(now.totalSteps) : widgets::runStateText(now.state);
    return {PageStatus::Mark::kRunning, text};
}

void RunPage::begin() {
    const session::RunJob& job = m_controller.job();
    QStringList prompts;
    for (const std::string& prompt : job.samplePrompts)
        prompts.append(QString::fromStdString(prompt));
    setSubtitle(QString::fromStdString(job.spec.name));
    showState();
    m_firstLoss.reset();
    m_chart->clear();
    m_log->clear();
    m_answers->setPrompts(prompts);
    m_stages->setPlan(nullptr);
    m_partition->setPlan(nullptr);
    m_timeline->plot().lanesChanged();
    for (widgets::StatTile* tile : {m_step, m_loss, m_speed, m_remaining, m_size})
        tile->set(QStringLiteral("–"));
}

void RunPage::showPlan(const session::RunPlan& plan) {
    m_stages->setPlan(m_controller.plan());
    m_partition->setPlan(m_controller.plan());
    m_chart->setTotalSteps(plan.totalSteps);
    m_timeline->plot().lanesChanged();
    m_timeline->plot().setLayerNames([shared = m_controller.plan()](LayerId layer) {
        return layer.index() < shared->layerNames.size() ? QString::fromStdString(shared->layerNames[layer.index()])
                                                         : QString();
    });
    m_size->set(count(plan.numTrainableParameters),
                tr("%1 rows, %2 for validation").arg(plan.numExamples).arg(plan.numValidationExamples));
    setSubtitle(QString::fromStdString(plan.modelSummary + " · " + plan.plan.describe()));
    log(QString::fromStdString(plan.modelSummary));
    log(QString::fromStdString(plan.plan.describe()));
    if (plan.numDroppedRows > 0) log(tr("%1 rows of the data were dropped").arg(plan.numDroppedRows));
}

void RunPage::showNumbers() {
    const session::Snapshot& now = m_controller.snapshot();
    if (now.totalSteps > 0)
        m_step->set(tr("%1 / %2").arg(now.step).arg(now.totalSteps), tr("epoch %1").arg(now.epoch, 0, 'f', 2));
    if (now.last) {
        const QString detail = now.last->validationLoss ? tr("validation %1").arg(*now.last->validationLoss, 0, 'f', 3)
                                                        : tr("gradient norm %1").arg(now.last->gradNorm, 0, 'f', 2);
        m_loss->set(QString::number(now.last->loss, 'f', 3), detail);
        m_speed->set(tr("%1 tokens/s").arg(count(static_cast<int64_t>(now.tokensPerSecond))),
                     tr("%1 a step").arg(QString::fromStdString(formatDuration(now.last->seconds))));
    }
    if (now.remainingSeconds) {
        const QTime end = QTime::currentTime().addSecs(static_cast<int>(*now.remainingSeconds));
        m_remaining->set(QString::fromStdString(formatDuration(*now.remainingSeconds)),
                         tr("done at %1").arg(end.toString(QStringLiteral("HH:mm"))));
    } else if (!m_controller.isRunning()) {
        m_remaining->set(QStringLiteral("–"), widgets::runStateText(now.state));
    }
    m_timeline->setNumDropped(m_controller.numTraceRecordsDropped());
    emit statusChanged();
}

void RunPage::log(const QString& line) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
}

} // namespace roundpipe::ui::pages
