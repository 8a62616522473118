// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/plan_page.h"

#include "base/file.h"
#include "session/planning/plan_export.h"
#include "session/spec/run_shape.h"
#include "ui/models/plan_text.h"
#include "ui/pages/contract/remark_lines.h"
#include "ui/pages/plan/cuts.h"
#include "ui/pages/plan/fixes_card.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/memory_parts.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/predicted_step.h"
#include "ui/pages/plan/rig_table.h"
#include "ui/pages/plan/schedule_bars.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/kind_legend.h"
#include "ui/widgets/save_dialog.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/tile_row.h"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

QString duration(double seconds) {
    return translations::durationText(seconds);
}

const QString kNothing = QStringLiteral("–");

constexpr int kLeastWithQueue = 960; // pixels of the page
constexpr double kMostRoom = 1.8;    // rows that are higher are too far from each other

// With the day where it is not today.
QString endText(double secondsFromNow) {
    const QDateTime end = QDateTime::currentDateTime().addMSecs(std::llround(1e3 * secondsFromNow));
    if (end.date() == QDate::currentDate()) return end.toString(QStringLiteral("HH:mm"));
    const bool isThisWeek = QDate::currentDate().daysTo(end.date()) < 7;
    return isThisWeek ? QLocale().toString(end, QStringLiteral("dddd HH:mm"))
                      : QLocale().toString(end, QLocale::ShortFormat);
}

} // namespace

PlanPage::PlanPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("plan"), tr("Plan"), theme::Icon::kPlan}, parent)
    , m_stack(new QStackedWidget)
    , m_step(new widgets::StatTile(tr("A step")))
    , m_run(new widgets::StatTile(tr("The whole run")))
    , m_speed(new widgets::StatTile(tr("Speed")))
    , m_bubble(new widgets::StatTile(tr("Idle (bubble)")))
    , m_fullest(new widgets::StatTile(tr("Fullest device")))
    , m_partition(new PartitionEditor(services.themes))
    , m_cost(new QLabel)
    , m_better(new QPushButton)
    , m_computed(new QPushButton(tr("Back to the computed cuts")))
    , m_howToCut(new QLabel(tr("drag a cut, or Tab to it and press ← →; ↑ ↓ go over the stages")))
    , m_middle(new QStackedWidget)
    , m_predicted(new PredictedStep(services.themes))
    , m_fixes(new FixesCard)
    , m_memory(new MemoryBars(services.themes))
    , m_schedules(new ScheduleBars(services.themes))
    , m_parts(new MemoryParts(services.themes))
    , m_whoseParts(new QLabel)
    , m_faster(new QLabel)
    , m_rigs(new RigTable(services.makePlanner()))
    , m_ownRig(new QPushButton(tr("Back to this machine"))) {
    widgets::setHelpPlace(*m_rigs, QStringLiteral("rigs.md#notation"));
    widgets::setHelpPlace(*m_fixes, QStringLiteral("plans.md#where-a-model-does-not-fit"));
    m_content = new QWidget;
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(
        new widgets::TileRow({{m_step, 19}, {m_run, 24}, {m_speed, 17}, {m_bubble, 20}, {m_fullest, 21}}));
    layout->addWidget(new RemarkLines(services, {}));
    layout->addWidget(buildPartition());
    layout->addWidget(buildMiddle());
    layout->addWidget(buildComparisons());
    layout->addStretch(1);
    m_column = new widgets::ColumnScroll(m_content);
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(m_column);
    body()->addWidget(m_stack, 1);
    reachIntoMargin();
    addToHeader(m_ownRig);
    buildSave();
    m_enqueue = addCommand(services.commands.enqueue());
    m_enqueue->hide(); // until it is known to have room
    addCommand(services.commands.start(), true);

    connect(m_ownRig, &QPushButton::clicked, this, [this] { this->services().plan.setRig("this"); });
    connect(m_rigs, &RigTable::rigWanted, this,
            [this](const QString& rig) { this->services().plan.setRig(rig.toStdString()); });
    connect(m_rigs, &RigTable::described, this, [this](const QString& rig) { // where there is no other, for the page
        if (this->services().plan.answer() == nullptr) this->services().plan.setRig(rig.toStdString());
    });
    connect(m_fixes, &FixesCard::rigWanted, m_rigs, &RigTable::focusInput);
    connect(m_partition, &PartitionEditor::stageHovered, this, &PlanPage::light);
    connect(m_predicted, &PredictedStep::stageHovered, this, &PlanPage::light);
    connect(m_partition, &PartitionEditor::cutMoved, this, &PlanPage::moveCut);
    connect(m_partition, &PartitionEditor::computedWanted, this, &PlanPage::useComputedCuts);
    connect(m_computed, &QPushButton::clicked, this, &PlanPage::useComputedCuts);
    connect(m_better, &QPushButton::clicked, this, &PlanPage::useBetterCuts);
    connect(m_fixes, &FixesCard::fixesWanted, this, &PlanPage::applyFixes);
    connect(&services.commands, &RunCommands::doubted, this, &PlanPage::askBeforeStart);
    connect(&services.plan, &ProjectPlan::changed, this, &PlanPage::refresh);
    connect(&services.document, &document::Document::opened, this, &PlanPage::forgetProject);
    connect(&services.document, &document::Document::changed, this, [this](const QStringList& keys) {
        const auto isOnDisk = [](const QString& key) { return key.startsWith(QLatin1String("output.")); };
        if (std::ranges::any_of(keys, isOnDisk)) showMemory(); // which no plan is asked anew for
    });
    connect(&services.themes, &theme::ThemeManager::changed, this, &PlanPage::refresh);
    m_dimSoon.setSingleShot(true);
    m_dimSoon.setInterval(std::chrono::milliseconds(100));
    connect(&m_dimSoon, &QTimer::timeout, this, [this] {
        m_dimsOld = true;
        showAge();
    });
    refresh();
}

// In a narrow window what the plan is about needs the room; the command stands in the menu and on the page Queue, too.
void PlanPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    layout()->activate();
    useRoom();
    const bool hasRoom = width() >= kLeastWithQueue;
    if (hasRoom != m_enqueue->isHidden()) return;
    m_enqueue->setVisible(hasRoom);
    layout()->activate(); // what stands beside it has its width at once
}

// A high window is filled by higher rows, as far as they are good to look at.
void PlanPage::useRoom() {
    const std::array<PlanPicture*, 5> pictures = {m_partition, m_predicted, m_memory, m_schedules, m_parts};
    const auto activateAround = [this](QWidget& part) {
        for (QWidget* at = part.parentWidget(); at != m_content; at = at->parentWidget())
            at->layout()->activate();
    };
    const auto heightWith = [&](double room) {
        for (PlanPicture* picture : pictures) {
            picture->setRoom(room);
            activateAround(*picture);
        }
        m_rigs->setRoom(room);
        activateAround(*m_rigs);
        m_content->layout()->activate();
        return m_content->sizeHint().height();
    };
    const int there = m_column->viewport()->height(), least = heightWith(0);
    if (there <= least) return;
    const int usual = heightWith(1);
    heightWith(std::min(static_cast<double>(there - least) / (usual - least), kMostRoom));
}

void PlanPage::buildSave() {
    m_save = new QAction(tr("Save plan…"), this);
    m_save->setToolTip(tr("Write the plan as JSON, or a picture of the predicted step"));
    connect(m_save, &QAction::triggered, this, [this] {
        const QString file = widgets::askWhereToSave(this, tr("Save the plan"),
                                                     {{tr("Plan (*.json)"), QStringLiteral("plan.json")},
                                                      {tr("Picture of a step (*.svg)"), QStringLiteral("step.svg")}});
        if (!file.isEmpty()) savePlan(file);
    });
    addCommand(m_save);
}

void PlanPage::savePlan(const QString& file) {
    if (!m_shown) return;
    const bool isPicture = file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    if (isPicture && !m_shown->timeline)
        return emit failed(tr("The step is still being predicted."), tr("Save its picture in a moment."));
    const std::vector<std::string> facts{
        tr("%1 a step").arg(duration(m_shown->choice.step.stepSeconds)).toStdString(),
        tr("%1 % idle").arg(translations::fixedText(100 * m_shown->choice.step.bubbleShare, 1)).toStdString(),
        tr("%1 tokens/s").arg(translations::countText(m_shown->tokensPerSecond)).toStdString()};
    const std::string title =
        tr("%1 on %2").arg(models::modelText(m_shown->model), models::rigText(m_shown->rig)).toStdString();
    services().runLibrary.perform(
        [answer = m_shown, spec = services().document.spec(), path = file.toStdString(), isPicture, title,
         facts](runs::RunLibrary&) {
            writeFileAtomically(path, isPicture ? session::planSvg(*answer, title, facts)
                                                : session::planJson(*answer, spec) + "\n");
        },
        *this, [this, file] { emit noticed(tr("The plan is in %1.").arg(file)); });
}

void PlanPage::light(StageId stage) {
    m_partition->setLit(stage);
    m_predicted->setLit(stage);
}

QWidget* PlanPage::buildEmpty() {
    const QString words =
        tr("Once a model is chosen, this page tells, before anything is loaded, how its layers are cut, "
           "what every device does in a step, how much memory it takes and how long the run will be.");
    auto* empty = new widgets::EmptyState(services().themes, theme::Icon::kPlan, tr("No plan yet"), words);
    connect(empty->addButton(tr("Choose a model"), true), &QPushButton::clicked, this,
            [this] { emit pageWanted(QStringLiteral("model")); });
    auto* card = new widgets::Card;
    card->body()->addWidget(empty);
    auto* place = new QWidget;
    auto* layout = new QHBoxLayout(place);
    layout->setContentsMargins(0, 0, widgets::ColumnScroll::kGutter, 0);
    layout->addWidget(card);
    return place;
}

QWidget* PlanPage::buildPartition() {
    auto* card = new widgets::Card(tr("Layer partition"));
    m_howToCut->setObjectName(QStringLiteral("dim"));
    card->titleRow()->insertWidget(1, m_howToCut);
    m_cost->setObjectName(QStringLiteral("changed"));
    card->titleRow()->insertWidget(2, m_cost);
    card->titleRow()->addWidget(m_better);
    card->titleRow()->addWidget(m_computed);
    card->body()->addWidget(m_partition);
    return card;
}

QWidget* PlanPage::buildMiddle() {
    auto* step = new widgets::Card(tr("Predicted step"));
    step->body()->addWidget(m_predicted, 1);
    step->body()->addWidget(new widgets::KindLegend(services().themes, PredictedStep::kindsShown()));
    m_middle->addWidget(step);
    m_middle->addWidget(m_fixes);
    auto* memory = new widgets::Card(tr("Memory"));
    memory->body()->addWidget(m_memory, 1);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(m_middle, 15);
    layout->addWidget(memory, 10);
    return row;
}

QWidget* PlanPage::buildParts() {
    auto* card = new widgets::Card(tr("What takes the memory"));
    m_partsCard = card;
    m_whoseParts->setObjectName(QStringLiteral("dim"));
    card->titleRow()->insertWidget(1, m_whoseParts);
    card->body()->addWidget(m_parts);
    card->body()->addStretch(1);
    return card;
}

QWidget* PlanPage::buildComparisons() {
    auto* schedules = new widgets::Card(tr("Other schedules"));
    m_comparison = schedules;
    auto* hatched = new QLabel(tr("hatched: idle"));
    hatched->setObjectName(QStringLiteral("dim"));
    schedules->titleRow()->insertWidget(1, hatched);
    schedules->body()->addWidget(m_schedules);
    m_faster->setObjectName(QStringLiteral("dim"));
    m_faster->setWordWrap(true);
    schedules->body()->addWidget(m_faster);
    schedules->body()->addStretch(1);
    auto* rigs = new widgets::Card(tr("On another rig"));
    auto* same = new QLabel(tr("the same run, by estimates"));
    same->setObjectName(QStringLiteral("dim"));
    rigs->titleRow()->insertWidget(1, same);
    rigs->body()->addWidget(m_rigs, 1);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(schedules, 5);
    layout->addWidget(buildParts(), 5);
    layout->addWidget(rigs, 4);
    return row;
}

PageStatus PlanPage::status() const {
    const session::PlanAnswer* answer = services().plan.answer();
    if (answer == nullptr)
        return {PageStatus::Mark::kNone, services().plan.isWorking() ? tr("being worked out…") : tr("no plan yet")};
    if (!answer->problem.empty()) return {PageStatus::Mark::kMissing, tr("does not fit")};
    const auto seconds = services().plan.wholeSecondsOf(services().document.spec(), *answer);
    if (!seconds || services().run.isRunning()) // which knows better how long it takes
        return {PageStatus::Mark::kDone, tr("fits")};
    return {PageStatus::Mark::kDone, tr("fits · %1").arg(duration(*seconds))};
}

// What another rig would do decides nothing here.
std::vector<Missing> PlanPage::missing() const {
    const session::PlanAnswer* answer = services().plan.answer();
    if (answer == nullptr || answer->problem.empty() || services().plan.rig() != "this") return {};
    return {{tr("Does not fit: %1").arg(models::shortfallText(answer->problem, answer->rig)), look().id, {}, true}};
}

void PlanPage::applyFixes(const std::vector<plan::Fix>& fixes) {
    services().document.change(models::changesText(fixes), [&](session::RunSpec& spec) {
        for (const plan::Fix& fix : fixes)
            session::apply(fix, spec);
    });
}

void PlanPage::useBetterCuts() {
    if (m_shown && m_shown->better) moveCut(m_shown->better->plan, false);
}

StartQuestion PlanPage::startQuestion() {
    const session::PlanAnswer* answer = services().plan.answer();
    StartQuestion question;
    question.isOld = services().plan.isOld();
    if (answer == nullptr) {
        question.problem = services().plan.problem();
        return question;
    }
    question.problem = models::misfitText(answer->problem, answer->rig);
    const auto fix = std::ranges::find_if(answer->fixes, plan::isSetting, &plan::Fix::kind);
    const bool isTogether = std::ranges::all_of(answer->together, plan::isSetting, &plan::Fix::kind);
    if (answer->better) {
        question.remedy = tr("Use better cuts");
        question.takeRemedy = [this] { useBetterCuts(); };
    } else if (fix != answer->fixes.end()) {
        question.remedy = models::changeText(*fix);
        question.takeRemedy = [this, chosen = *fix] { applyFixes({chosen}); };
    } else if (!answer->together.empty() && isTogether) {
        question.remedy = tr("Apply all that helps together");
        question.takeRemedy = [this, chosen = answer->together] { applyFixes(chosen); };
    }
    return question;
}

// With what would make it fit at hand.
void PlanPage::askBeforeStart() {
    if (services().plan.answer() == nullptr) return services().commands.startAnyway();
    m_question = new StartQuestionBox(this);
    connect(m_question, &StartQuestionBox::answered, this, [this](StartAnswer chosen) {
        m_question = nullptr; // it is not asked anew any more
        if (chosen == StartAnswer::kStartAnyway) return services().commands.startAnyway();
        emit pageWanted(look().id);
    });
    m_question->say(startQuestion());
    m_question->open();
}

void PlanPage::forgetProject() {
    m_shown.reset();
    m_secondsBefore = 0;
    m_rigs->forget(false);
    m_partition->setAnswer(nullptr);
    m_predicted->setAnswer(nullptr);
    m_schedules->setAnswer(nullptr);
    m_faster->clear();
    refresh();
}

void PlanPage::refresh() {
    const ProjectPlan& plan = services().plan;
    const session::PlanAnswer* answer = plan.answer();
    m_stack->setCurrentIndex(services().document.spec().model.path.empty() ? 0 : 1);
    m_stack->layout()->activate(); // the column has its size at once
    // What is old stays as it is, a cut that was just moved too.
    if (!plan.isOld()) {
        if (answer != nullptr && answer->hasPlan) m_shown = plan.shared();
        m_partition->setAnswer(m_shown);
        // Pictures and comparisons come later than bars: the old ones stay until then.
        const bool isAll = !plan.isWorking() || m_shown == nullptr;
        if (isAll || m_shown->timeline) {
            m_predicted->setAnswer(m_shown);
            m_questionOfStep = plan.number();
        }
        if (isAll || !m_shown->rivals.empty()) {
            m_questionOfSchedules = plan.number();
            m_schedules->setAnswer(m_shown.get());
            const bool runs = m_shown != nullptr && m_shown->hasPlan && m_shown->problem.empty();
            m_faster->setText(runs ? models::fasterText(m_shown->choice, m_shown->rivals) : QString());
        }
    }
    showAge();
    showMemory();
    showVerdict();
    showTiles(answer != nullptr && answer->hasPlan ? answer : nullptr);
    showCuts(m_shown.get());
    showProblem(answer);
    if (m_question) m_question->say(startQuestion());
    m_ownRig->setVisible(plan.rig() != "this");
    m_save->setEnabled(m_shown != nullptr);
    if (plan.hasQuestion() && plan.number() != m_questionOfRigs && !plan.isOld() && !plan.isWorking()) {
        m_questionOfRigs = plan.number();
        m_rigs->ask(plan.question(), plan.rig(), answer);
    }
    useRoom();
    emit statusChanged();
}

void PlanPage::showMemory() {
    const session::RunSpec& spec = services().document.spec();
    session::DiskUse disk;
    if (m_shown) disk = session::diskUseOf(spec, *m_shown, services().plan.stepsOf(spec).total);
    m_memory->setAnswer(m_shown.get(), disk);
}

// What is old is dimmed a moment later, each part until its own news come.
void PlanPage::showAge() {
    const ProjectPlan& plan = services().plan;
    const bool isStepOld = plan.isOld() || (plan.hasQuestion() && m_questionOfStep != plan.number());
    const bool areSchedulesOld = plan.isOld() || (plan.hasQuestion() && m_questionOfSchedules != plan.number());
    if (!isStepOld && !areSchedulesOld) {
        m_dimSoon.stop();
        m_dimsOld = false;
    } else if (!m_dimsOld && !m_dimSoon.isActive()) {
        m_dimSoon.start();
    }
    // Where nothing fits, the last plan that did is kept for comparison.
    const session::PlanAnswer* answer = plan.answer();
    const bool isLast = m_shown && (answer == nullptr || answer->hasPlan);
    const bool isAllOld = m_dimsOld && plan.isOld();
    m_partition->setDimmed(!isLast || isAllOld);
    m_memory->setDimmed(!isLast || isAllOld);
    m_parts->setDimmed(!isLast || isAllOld);
    m_predicted->setDimmed(!isLast || (m_dimsOld && isStepOld));
    m_schedules->setDimmed(!isLast || (m_dimsOld && areSchedulesOld));
    if (isAllOld || !plan.hasQuestion()) m_rigs->forget(isAllOld);
}

void PlanPage::showVerdict() {
    const session::PlanAnswer* answer = services().plan.answer();
    if (answer == nullptr) {
        pill().say(services().plan.problem().isEmpty() ? QString() : tr("No plan"), widgets::Tone::kWarning);
        setSubtitle(services().document.spec().model.path.empty() ? tr("Choose a model to see how it would run.")
                    : services().run.isRunning()  ? tr("This project is planned when the run under way has ended.")
                    : services().plan.isWorking() ? tr("being worked out…")
                                                  : QString());
        return;
    }
    const bool fits = answer->problem.empty();
    pill().say(fits ? tr("Fits") : tr("Does not fit"), fits ? widgets::Tone::kGood : widgets::Tone::kBad);
    const QString rig = models::rigText(answer->rig);
    QString text = tr("%1 on %2").arg(models::modelText(answer->model), rig);
    const QString brief = models::briefModelText(answer->model);
    QStringList shorter{tr("%1 on %2").arg(brief, rig), brief};
    if (answer->hasPlan) {
        const QString step = QStringLiteral(" · ") + models::sizedMicrobatchesText(*answer);
        text += tr("%1 (%2)", "how lengths are known").arg(step, models::lengthsText(answer->lengthsFrom));
        for (QString& line : shorter)
            line += step;
    }
    setSubtitle(text, shorter);
}

void PlanPage::showTiles(const session::PlanAnswer* answer) {
    if (answer == nullptr || !answer->problem.empty())
        for (widgets::StatTile* tile : {m_step, m_run, m_speed, m_bubble, m_fullest})
            tile->set(kNothing);
    if (answer == nullptr) return;
    const plan::EvaluatedPlan& choice = answer->choice;
    std::size_t fullest = 0;
    for (std::size_t d = 1; d < choice.deviceMemory.size(); ++d)
        if (choice.deviceMemory[d].total() > choice.deviceMemory[fullest].total()) fullest = d;
    m_fullest->set(translations::bytesText(choice.deviceMemory[fullest].total()),
                   tr("of %1").arg(translations::bytesText(answer->rig.devices[fullest].memoryBytes)));
    if (!answer->problem.empty()) return; // how long a step would take that can't be
    m_step->set(duration(choice.step.stepSeconds), tr("%1 at best").arg(duration(choice.fastestThinkable)));
    const int64_t steps = services().plan.stepsOf(services().document.spec()).total;
    const double seconds = static_cast<double>(steps) * choice.step.stepSeconds;
    m_run->set(steps > 0 ? duration(seconds) : kNothing,
               steps > 0 ? tr("%n step(s)", nullptr, static_cast<int>(steps)) : tr("when the rows are counted"));
    m_run->setToolTip(steps > 0 ? tr("Started now, done at %1").arg(endText(seconds)) : QString());
    m_speed->set(translations::countText(answer->tokensPerSecond), tr("tokens/s"));
    QString gpipe;
    for (const plan::Rival& rival : answer->rivals)
        if (rival.schedule == plan::ComparedSchedule::kGpipe && rival.step.stepSeconds > 0)
            gpipe = tr("GPipe %1 %").arg(translations::fixedText(100 * rival.step.bubbleShare, 1));
    m_bubble->set(tr("%1 %").arg(translations::fixedText(100 * choice.step.bubbleShare, 1)), gpipe);
}

void PlanPage::showCuts(const session::PlanAnswer* answer) {
    const bool isGiven = !services().document.spec().engine.backwardStages.empty();
    m_computed->setVisible(isGiven);
    m_howToCut->setVisible(!isGiven && answer != nullptr); // there is something to drag
    const bool isBetter = isGiven && answer != nullptr && answer->better.has_value();
    m_better->setVisible(isBetter);
    if (isBetter) m_better->setText(tr("Use better cuts: %1").arg(duration(answer->better->stepSeconds)));
    const bool shows = isGiven && answer != nullptr && m_secondsBefore > 0 && !services().plan.isOld();
    m_cost->setVisible(shows);
    if (!shows) return;
    const double now = answer->choice.step.stepSeconds;
    m_cost->setText(tr("%1 → %2 ms a step (%3 %)")
                        .arg(translations::fixedText(1e3 * m_secondsBefore, 0))
                        .arg(translations::fixedText(1e3 * now, 0))
                        .arg(translations::fixedText(100 * (now / m_secondsBefore - 1), 1)));
}

void PlanPage::showProblem(const session::PlanAnswer* answer) {
    const QString problem =
        answer != nullptr ? models::misfitText(answer->problem, answer->rig) : services().plan.problem();
    m_middle->setCurrentIndex(problem.isEmpty() ? 0 : 1);
    // What is not on show keeps no room.
    for (int i = 0; i < m_middle->count(); ++i)
        m_middle->widget(i)->setSizePolicy(
            QSizePolicy::Preferred, i == m_middle->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    showBesideRigs(!problem.isEmpty());
    const bool isUnmeasured = answer == nullptr && services().plan.problemKind() == ErrorKind::kDevice;
    m_fixes->offerRig(isUnmeasured);
    if (problem.isEmpty()) return;
    static const std::vector<plan::Fix> kNone;
    m_fixes->setProblem(problem, services().plan.advice(), answer != nullptr ? answer->fixes : kNone,
                        answer != nullptr ? answer->together : kNone, services().plan.isWorking());
}

// No schedule is compared with a plan that does not run: what it lacks is of more use.
void PlanPage::showBesideRigs(bool hasProblem) {
    const bool compares = !hasProblem || m_schedules->rows().size() > 1;
    const MemoryBars::Bar* fullest = m_memory->fullest();
    m_comparison->setVisible(compares);
    m_partsCard->setVisible(!compares && fullest != nullptr);
    if (m_partsCard->isHidden()) return;
    m_parts->setBar(fullest);
    m_whoseParts->setText(tr("%1, the fullest").arg(fullest->name));
}

void PlanPage::moveCut(const plan::Plan& plan, bool continues) {
    if (!m_shown) return;
    if (!continues || m_secondsBefore == 0) m_secondsBefore = m_shown->choice.step.stepSeconds;
    services().document.change(
        tr("Move a cut"), [&](session::RunSpec& spec) { giveStages(plan, spec); },
        continues ? QStringLiteral("cuts") : QString());
}

void PlanPage::useComputedCuts() {
    if (services().document.spec().engine.backwardStages.empty()) return;
    m_secondsBefore = 0;
    services().document.change(tr("Computed cuts"), [](session::RunSpec& spec) {
        spec.engine.forwardStages.clear();
        spec.engine.backwardStages.clear();
    });
}

} // namespace roundpipe::ui::pages
