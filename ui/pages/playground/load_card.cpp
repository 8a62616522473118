// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/playground/load_card.h"

#include "arch/model_folder.h"
#include "base/error.h"
#include "ui/editors/field_control.h"
#include "ui/editors/field_text.h"
#include "ui/editors/number_box.h"
#include "ui/models/activity_text.h"
#include "ui/models/machine_text.h"
#include "ui/pages/playground/page_parts.h"
#include "ui/pages/playground/source_rows.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/help_place.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace roundpipe::ui::pages {

using bridge::ChatController;

namespace {

namespace fs = std::filesystem;

constexpr int kMostRoom = 1 << 24;
constexpr int kRoomWidth = 120;
constexpr int kLineHeight = 28; // of inputs

} // namespace

LoadCard::LoadCard(const Services& services, QWidget* parent)
    : Card(tr("Load a model to talk with"), parent)
    , m_services(services)
    , m_sources(new SourceRows(services.document))
    , m_load(new QPushButton(tr("Load")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_pause(new QPushButton(tr("Pause the run")))
    , m_device(new QComboBox)
    , m_room(new editors::NumberBox(true, 0, kMostRoom))
    , m_modelLabel(new widgets::ElidedLabel)
    , m_needs(wrappedLabel("dim"))
    , m_why(wrappedLabel("remark"))
    , m_problem(wrappedLabel("problem"))
    , m_doing(wrappedLabel("dim"))
    , m_bar(new QProgressBar) {
    widgets::setHelpPlace(*this, QStringLiteral("studio-pages.md#load-a-model"));
    m_form = buildForm();
    m_progress = new QWidget;
    auto* lines = new QVBoxLayout(m_progress);
    lines->setContentsMargins(0, 4, 0, 4);
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Loading"));
    lines->addWidget(m_bar);
    lines->addWidget(m_doing);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    for (QWidget* part :
         {m_form, static_cast<QWidget*>(m_problem), static_cast<QWidget*>(m_why), m_progress, buildFoot()})
        body()->addWidget(part);

    connect(&services.chat, &ChatController::changed, this, &LoadCard::follow);
    connect(&services.chat, &ChatController::loading, this,
            [this](const session::Activity& activity) { m_doing->setText(models::activityText({activity})); });
    connect(&services.chat, &ChatController::failed, this, [this](const ChatController::Failure& why, bool ofLoading) {
        if (!ofLoading || why.kind == ErrorKind::kCancelled) return;
        m_problem->setText(why.problem + QLatin1Char(' ') + why.advice);
        m_problem->show();
    });
    connect(&services.run, &bridge::RunController::stateChanged, this, &LoadCard::follow);
    connect(&services.run, &bridge::RunController::ticked, this, &LoadCard::follow);
    connect(&services.exports, &bridge::ExportController::changed, this, &LoadCard::follow);
    connect(&services.document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QStringLiteral("model.path"))) refresh();
    });
    m_room->setValue(static_cast<double>(session::kUsualChatTokens));
    fillDevices();
    connect(m_sources, &SourceRows::firstChosen, this, [this] { takeModel(m_sources->first()->model); });
    connect(m_sources, &SourceRows::changed, this, &LoadCard::askNeeds);
    connect(m_device, &QComboBox::currentIndexChanged, this, &LoadCard::askNeeds);
    connect(m_room, &editors::NumberBox::edited, this, [this] {
        m_isRoomChosen = true;
        askNeeds();
    });
    askNeeds();
}

QWidget* LoadCard::buildForm() {
    m_device->setAccessibleName(tr("Runs on"));
    m_room->setFixedWidth(kRoomWidth);
    m_room->setAccessibleName(tr("Room for a conversation, in tokens"));
    m_room->setToolTip(tr("Tokens of a conversation with its answer; their memory is taken at the start. "
                          "0: as each question needs"));
    auto* room = new QWidget;
    auto* cells = new QHBoxLayout(room);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->addWidget(m_room);
    auto* tokens = new QLabel(tr("tokens of a conversation"));
    tokens->setObjectName(QStringLiteral("dim"));
    cells->addWidget(tokens, 1);

    auto* form = new QWidget;
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto add = [&](const QString& name, QWidget* widget) {
        auto* label = new QLabel(name);
        label->setBuddy(widget->focusPolicy() == Qt::NoFocus ? nullptr : widget);
        if (widget != m_needs) label->setMinimumHeight(kLineHeight); // beside the first line of what it names
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(widget, row++, 1);
    };
    add(tr("Who answers"), m_sources);
    add(tr("Model"), buildModel());
    add(tr("Runs on"), m_device);
    add(tr("Room"), room);
    add(tr("Takes"), m_needs);
    auto* rarer = new QPushButton(tr("Precision and chat template…"));
    rarer->setObjectName(QStringLiteral("link"));
    grid->addWidget(rarer, row++, 1, Qt::AlignLeft);
    for (const char* key : {"engine.precision", "model.chat_template", "model.chat_template_args"}) {
        const session::Field& field = session::fieldByKey(key);
        QWidget* control = buildControl(field);
        auto* label = new QLabel(editors::labelOf(field));
        label->setToolTip(editors::helpOf(field));
        grid->addWidget(label, row, 0);
        grid->addWidget(control, row++, 1);
        for (QWidget* part : {static_cast<QWidget*>(label), control}) {
            part->hide();
            connect(rarer, &QPushButton::clicked, part, [part] { part->setVisible(true); });
        }
    }
    connect(rarer, &QPushButton::clicked, rarer, &QWidget::hide);
    return form;
}

// Of a setting that runs have, too; here it is about this one loading.
QWidget* LoadCard::buildControl(const session::Field& field) {
    auto* control = editors::makeFieldControl(field);
    control->show(field.get(m_settings));
    connect(control, &editors::FieldControl::edited, this, [this, &field](const session::FieldValue& value) {
        field.set(m_settings, value);
        askNeeds();
    });
    return control;
}

QWidget* LoadCard::buildModel() {
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setObjectName(QStringLiteral("link"));
    choose->setAccessibleName(tr("Choose the model's folder"));
    choose->setToolTip(tr("The folder of the model that the adapter was trained on"));
    connect(choose, &QPushButton::clicked, this, &LoadCard::chooseModel);
    auto* place = new QWidget;
    auto* cells = new QHBoxLayout(place);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->addWidget(m_modelLabel, 1);
    cells->addWidget(choose);
    return place;
}

QWidget* LoadCard::buildFoot() {
    m_load->setObjectName(QStringLiteral("primary"));
    m_pause->setToolTip(tr("Let the run stand still after its step; it keeps its memory, and goes on by Resume"));
    connect(m_load, &QPushButton::clicked, this, &LoadCard::load);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_doing->setText(tr("giving up…"));
        m_cancel->setEnabled(false);
        m_services.chat.cancel();
    });
    connect(m_pause, &QPushButton::clicked, &m_services.run, &bridge::RunController::pause);
    auto* foot = new QWidget;
    auto* cells = new QHBoxLayout(foot);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->addStretch(1);
    for (QPushButton* button : {m_pause, m_cancel, m_load})
        cells->addWidget(button);
    return foot;
}

// Which model ------------------------------------------------------------------------------------------

void LoadCard::chooseModel() {
    const QString folder = widgets::askForFolder(this, tr("The model's folder"), textOf(m_model));
    if (folder.isEmpty()) return;
    takeModel(folder.toStdString());
    askNeeds();
}

void LoadCard::takeModel(const fs::path& model) {
    m_model = model;
    m_modelLabel->setFullText(model.empty() ? tr("none chosen yet") : textOf(model), {modelName()});
}

QString LoadCard::modelName() const {
    return QString::fromStdString(arch::modelNameOf(m_model));
}

QString LoadCard::deviceName() const {
    return m_device->currentText();
}

void LoadCard::setRunOfProject(const fs::path& folder) {
    m_ofProject = folder;
    m_sources->forgetChoice();
    refresh();
}

void LoadCard::refresh() {
    const auto found = std::make_shared<std::vector<ChatSource>>();
    m_services.runLibrary.perform(
        [found, ofProject = m_ofProject](runs::RunLibrary& library) { *found = sourcesOf(library.list(), ofProject); },
        *this, [this, found] { takeSources(std::move(*found)); });
}

// What nobody chose yet is the first.
void LoadCard::takeSources(std::vector<ChatSource> found) {
    const fs::path model = m_services.document.spec().model.path;
    if (!model.empty())
        found.push_back({tr("%1 as it came").arg(QString::fromStdString(arch::modelNameOf(model))), {}, model});
    m_sources->offer(std::move(found));
    const std::optional<ChatSource>& first = m_sources->first();
    if (!m_sources->wasChosen()) takeModel(first ? first->model : fs::path());
    askNeeds();
}

void LoadCard::choose(const fs::path& adapterOrModel) {
    m_sources->choose(adapterOrModel);
}

// Where, and what it takes --------------------------------------------------------------------------------

void LoadCard::fillDevices() {
    const QStringList gpus = models::gpuNames();
    const bool areAlike = std::ranges::all_of(gpus, [&](const QString& name) { return name == gpus.front(); });
    for (qsizetype i = 0; i < gpus.size(); ++i) {
        const QString name = tr("GPU %1").arg(i);
        m_device->addItem(areAlike ? name + QStringLiteral(" · ") + gpus[i] : name, QStringLiteral("cuda:%1").arg(i));
    }
    m_device->addItem(tr("Processor"), QStringLiteral("cpu"));
}

bool LoadCard::isOnGpu() const {
    return m_device->currentData().toString() != QLatin1String("cpu");
}

void LoadCard::askNeeds() {
    m_memory.reset();
    showNeeds();
    emit choiceChanged();
    follow();
    if (m_model.empty()) return;
    const auto found = std::make_shared<Needs>();
    m_services.runLibrary.perform(
        [found, wanted = setup(), onGpu = isOnGpu()](runs::RunLibrary&) { *found = needsOf(wanted, onGpu); }, *this,
        [this, found, number = ++m_numAsked] {
            if (number == m_numAsked) takeNeeds(*found);
        });
}

// Any thread: the model is read.
LoadCard::Needs LoadCard::needsOf(const session::ChatSetup& wanted, bool onGpu) {
    const arch::ModelFolder folder = arch::readModelFolder(wanted.model);
    if (!folder.model) return {};
    return {session::chatMemoryOf(*folder.model, wanted.precision, onGpu, wanted.contextTokens),
            session::usualChatTokens(folder.model->config)};
}

void LoadCard::takeNeeds(const Needs& needs) {
    const auto usual = static_cast<double>(needs.usualRoom);
    if (needs.memory && !m_isRoomChosen && m_room->value() != usual) {
        m_room->setValue(usual);
        return askNeeds();
    }
    m_memory = needs.memory;
    showNeeds();
}

void LoadCard::showNeeds() {
    if (!m_memory) return m_needs->setText(QStringLiteral("–"));
    const auto bytes = [](int64_t count) { return translations::bytesText(count); };
    const int64_t free = models::freeMemoryBytes();
    QStringList words;
    words.append(
        isOnGpu()
            ? tr("%1 of memory, and up to %2 of the GPU's: layers for which it has no room stream to it.")
                  .arg(bytes(m_memory->hostBytes), bytes(m_memory->deviceBytes))
            : tr("%1 of memory: the processor computes with a copy of the weights.").arg(bytes(m_memory->hostBytes)));
    const bool isShort = free > 0 && m_memory->hostBytes > free;
    if (free > 0) words.append((isShort ? tr("Only %1 are free.") : tr("%1 are free.")).arg(bytes(free)));
    m_needs->setText(words.join(QLatin1Char(' ')));
    m_needs->setObjectName(isShort ? QStringLiteral("problem") : QStringLiteral("dim"));
    m_needs->style()->unpolish(m_needs); // the look follows the name
    m_needs->style()->polish(m_needs);
}

// Whether it can be loaded, and the loading ------------------------------------------------------------

QString LoadCard::whyNot() const {
    const bridge::RunController& run = m_services.run;
    if (!m_services.chat.canLoad())
        return run.hasEngine() ? tr("A simulated engine trains nothing that could answer.")
                               : tr("The engine answers, and it is not loaded yet.");
    if (m_services.exports.underWay()) return tr("An export is being made: it wants the memory until it has ended.");
    if (run.isRunning() && !run.snapshot().isPaused)
        return tr("A run is under way, and has memory and devices to itself. Pause it to talk on the processor or on "
                  "another GPU meanwhile: a pause frees none of its memory. To free its GPUs stop it, and continue it "
                  "later.");
    if (m_model.empty()) return tr("Nothing can be asked yet: train something, or choose a model and an adapter.");
    return {};
}

void LoadCard::follow() {
    const bridge::RunController& run = m_services.run;
    const bool isLoading = m_services.chat.state() == ChatController::State::kLoading;
    const bool isLeaving = m_services.chat.state() == ChatController::State::kLeaving;
    const QString why = isLoading || isLeaving ? QString() : whyNot();
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
    m_form->setEnabled(!isLoading && !isLeaving);
    if (isLoading && m_progress->isHidden()) m_doing->setText(tr("reading the model…"));
    if (isLeaving) m_doing->setText(tr("the model before is leaving…"));
    m_progress->setVisible(isLoading || isLeaving);
    m_cancel->setVisible(isLoading);
    if (!isLoading) m_cancel->setEnabled(true);
    m_load->setVisible(!isLoading);
    m_load->setEnabled(why.isEmpty() && !isLeaving);
    const bool canPause = run.isRunning() && !run.snapshot().isPaused && m_services.chat.canLoad();
    m_pause->setVisible(canPause);
    const bool isAsked =
        std::ranges::find(run.snapshot().pending, session::Command::Kind::kPause) != run.snapshot().pending.end();
    m_pause->setEnabled(!isAsked);
    m_pause->setText(isAsked ? tr("Pausing after this step…") : tr("Pause the run"));
}

session::ChatSetup LoadCard::setup() const {
    session::ChatSetup setup;
    setup.model = m_model.string();
    for (const fs::path& adapter : m_sources->adapters())
        setup.adapters.push_back({session::nameOfFolder(adapter.string()), adapter.string()});
    setup.device = m_device->currentData().toString().toStdString();
    setup.contextTokens = static_cast<int64_t>(m_room->value());
    setup.precision = m_settings.engine.precision;
    setup.chatTemplate = m_settings.model.chatTemplate;
    setup.chatTemplateArgs = m_settings.model.chatTemplateArgs;
    return setup;
}

void LoadCard::load() {
    if (!whyNot().isEmpty()) return;
    m_problem->hide();
    m_services.chat.load(setup());
}

} // namespace roundpipe::ui::pages
