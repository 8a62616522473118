// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/model/model_page.h"

#include "base/user_folders.h"
#include "session/spec/hub_prefix.h"
#include "ui/hub/fetch_notice.h"
#include "ui/pages/model/model_verdicts.h"
#include "ui/pages/model/two_lines.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/file_choice.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kDetailsWidth = 316;
constexpr int kRowHeight = 54;
constexpr int kNarrowest = 92; // column, so that numbers stand apart

QString foldersKey() {
    return QStringLiteral("models/folders");
}

// The folder itself is inside of it.
bool isInside(const std::filesystem::path& path, const std::filesystem::path& folder) {
    const std::filesystem::path way = path.lexically_relative(folder);
    return !folder.empty() && !way.empty() && *way.begin() != "..";
}

QString pageText(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

// Whose names take `width` pixels, so that values of two tables stand below each other.
QString tableOf(const std::vector<ModelFact>& facts, const QColor& dim, int width) {
    QString rows;
    for (const auto& [name, value] : facts)
        rows +=
            QStringLiteral("<tr><td width='%1' style='padding: 0 12px 5px 0; white-space: nowrap; color: %2'>%3</td>"
                           "<td style='padding-bottom: 5px'>%4</td></tr>")
                .arg(QString::number(width + 12), dim.name(), name, value.toHtmlEscaped());
    return QStringLiteral("<table cellspacing='0' cellpadding='0'>") + rows + QStringLiteral("</table>");
}

// What the project chose for it, if it did.
std::vector<ModelFact> factsOf(const arch::ModelFolder& folder, const QString& chosenTemplate) {
    std::vector<ModelFact> facts;
    const auto add = [&](const QString& name, const QString& value) { facts.emplace_back(name, value); };
    if (folder.model) {
        const arch::ModelConfig& config = folder.model->config;
        const QLocale locale;
        add(ModelPage::tr("Architecture"),
            ModelPage::tr("%1, %2 blocks").arg(pageText(config.architecture)).arg(config.numLayers));
        add(ModelPage::tr("Parameters"),
            ModelPage::tr("%1, hidden %2")
                .arg(translations::countText(static_cast<double>(folder.model->numParameters())),
                     locale.toString(qint64{config.hiddenSize})));
        if (config.experts.count > 0)
            add(ModelPage::tr("Experts"),
                ModelPage::tr("%1, %2 a token").arg(config.experts.count).arg(config.experts.perToken));
        add(ModelPage::tr("Context"), ModelPage::tr("%1 tokens").arg(locale.toString(qint64{config.maxPositions})));
        add(ModelPage::tr("Type"), QString::fromLatin1(toString(config.dtype)));
        add(ModelPage::tr("Vocabulary"), locale.toString(qint64{config.vocabSize}));
    }
    if (folder.hasWeights) add(ModelPage::tr("On disk"), translations::bytesText(folder.weightBytes));
    add(ModelPage::tr("Tokenizer"), folder.hasTokenizer ? ModelPage::tr("its own") : ModelPage::tr("none"));
    add(ModelPage::tr("Chat template"), !chosenTemplate.isEmpty()
                                            ? ModelPage::tr("%1, chosen in the settings").arg(chosenTemplate)
                                        : folder.hasChatTemplate ? ModelPage::tr("its own", "chat template")
                                                                 : ModelPage::tr("none: choose one in the settings"));
    add(ModelPage::tr("Licence"), folder.licence.empty() ? ModelPage::tr("not said") : pageText(folder.licence));
    return facts;
}

} // namespace

ModelPage::ModelPage(const Services& services, QWidget* parent)
    : Page(services, {QStringLiteral("model"), tr("Model"), theme::Icon::kModel}, parent)
    , m_list(new ModelList(this))
    , m_scan(new bridge::ModelScan(this))
    , m_verdicts(new ModelVerdicts(services, *m_list, this)) {
    showMethod();
    auto* again = new QAction(tr("Look again"), this);
    connect(again, &QAction::triggered, this, &ModelPage::scan);
    addCommand(again);
    auto* add = new QAction(tr("Add folder…"), this);
    connect(add, &QAction::triggered, this, &ModelPage::chooseFolder);
    addCommand(add);
    if (services.makeHub) {
        m_fromHub = hub::makeHubAction(session::HubKind::kModel, services.makeHub, this,
                                       [this](const session::HubFetched& model) {
                                           m_added = model.folder;
                                           scan(); // finds it in the cache
                                       });
        addCommand(m_fromHub);
        m_toFetch = new hub::FetchNotice(session::HubKind::kModel, services.makeHub);
        connect(m_toFetch, &hub::FetchNotice::fetched, this,
                [this](const std::string&, const session::HubFetched& model) { fetched(model); });
        body()->addWidget(m_toFetch);
    }
    auto* columns = new QHBoxLayout;
    columns->setSpacing(theme::kSpacing);
    columns->addWidget(buildTable(), 1);
    columns->addWidget(buildDetails());
    body()->addLayout(columns, 1);

    connect(m_scan, &bridge::ModelScan::found, this, &ModelPage::take);
    connect(m_scan, &bridge::ModelScan::finished, this, [this] {
        const bool isEmpty = m_list->rowCount() == 0;
        m_none->setVisible(isEmpty);
        m_table->setVisible(!isEmpty);
        m_details->setVisible(!isEmpty);
        m_note->setText(isEmpty ? QString()
                                : tr("Drop a folder anywhere to add it. Verdicts are for the project's settings."));
        bool isAnyAdded = m_added.empty();
        for (int row = 0; row < m_list->rowCount(); ++row)
            isAnyAdded = isAnyAdded || isInside(m_list->at(row).path, m_added);
        if (!isAnyAdded) sayNothingFound();
        m_added.clear();
        m_usesAdded = false;
        if (currentRow() < 0) selectFirst();
    });
    connect(m_list, &QAbstractItemModel::dataChanged, this, &ModelPage::showDetails);
    connect(&services.themes, &theme::ThemeManager::changed, this, &ModelPage::showDetails);
    connect(&services.document, &document::Document::opened, this, &ModelPage::followDocument);
    connect(&services.document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys.contains(QStringLiteral("model.path"))) followDocument();
        if (keys.contains(QStringLiteral("method"))) showMethod();
        if (keys.contains(QStringLiteral("model.chat_template"))) showDetails();
    });
    connect(&services.document, &document::Document::opened, this, &ModelPage::showMethod);
    followDocument();
    leadOnTo(QStringLiteral("data"), tr("Next: Data"));
}

void ModelPage::showMethod() {
    setSubtitle(services().document.spec().method == Method::kFull
                    ? tr("Which model learns. All of its weights are trained, in a copy: the result is a model of its "
                         "own in the run's folder.")
                    : tr("Which model learns. Its own weights are never changed; the adapter is written beside the "
                         "run."));
}

// In place of its name.
void ModelPage::fetched(const session::HubFetched& model) {
    m_added = model.folder;
    services().document.set(session::fieldByKey("model.path"), model.folder);
}

QWidget* ModelPage::buildTable() {
    m_table = new QTableView;
    m_table->setModel(m_list);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);         // TwoLines breaks lines, numbers have one
    m_table->setTabKeyNavigation(false); // Tab leads on
    m_table->setAccessibleName(tr("Models of this machine"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setSectionResizeMode(ModelList::kParameters, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(ModelList::kSize, QHeaderView::ResizeToContents);
    header->setMinimumSectionSize(kNarrowest);
    header->setHighlightSections(false);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ModelPage::showDetails);
    connect(m_table, &QTableView::activated, this, &ModelPage::useCurrent);
    m_note = new QLabel(tr("Looking for models…"));
    m_note->setObjectName(QStringLiteral("dim"));
    m_note->setWordWrap(true);
    auto* lines = new TwoLines(services().themes, m_table);
    for (const ModelList::Column column : {ModelList::kName, ModelList::kVerdict})
        m_table->setItemDelegateForColumn(column, lines);
    m_none = new widgets::EmptyState(
        services().themes, theme::Icon::kModel, tr("No model was found on this machine"),
        tr("A model is a folder with config.json, safetensors and a tokenizer, as Hugging Face has them. Drop one "
           "anywhere on the window, or a folder of several; what lies in Hugging Face's cache is found by itself."));
    connect(m_none->addButton(tr("Add folder…"), true), &QPushButton::clicked, this, &ModelPage::chooseFolder);
    if (m_fromHub != nullptr)
        connect(m_none->addButton(m_fromHub->text()), &QPushButton::clicked, m_fromHub, &QAction::trigger);
    m_none->hide();
    auto* card = new widgets::Card;
    card->body()->addWidget(m_table, 1);
    card->body()->addWidget(m_none, 1);
    card->body()->addWidget(m_note);
    return card;
}

QWidget* ModelPage::buildDetails() {
    auto* card = new widgets::Card;
    m_details = card;
    card->setFixedWidth(kDetailsWidth);
    m_name = new QLabel;
    m_name->setObjectName(QStringLiteral("section"));
    m_name->setWordWrap(true);
    m_verdict = new widgets::Pill;
    m_facts = new QLabel;
    m_facts->setWordWrap(true);
    m_problem = new QLabel;
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use = new QPushButton(tr("Use this model"));
    m_use->setObjectName(QStringLiteral("primary"));
    connect(m_use, &QPushButton::clicked, this, &ModelPage::useCurrent);
    card->body()->addWidget(m_name);
    card->body()->addWidget(m_verdict);
    card->body()->addWidget(m_facts);
    card->body()->addWidget(buildCost());
    card->body()->addWidget(m_problem);
    card->body()->addStretch(1);
    card->body()->addWidget(m_use);
    return card;
}

// What it takes on this rig, where it fits.
QWidget* ModelPage::buildCost() {
    m_cost = new QWidget;
    m_rig = new QLabel;
    m_rig->setObjectName(QStringLiteral("title"));
    m_costs = new QLabel;
    m_outline = new QLabel;
    m_outline->setObjectName(QStringLiteral("dim"));
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("line"));
    line->setFixedHeight(1);
    auto* layout = new QVBoxLayout(m_cost);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->addWidget(line);
    for (QLabel* label : {m_rig, m_costs, m_outline}) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    return m_cost;
}

int ModelPage::currentRow() const {
    return m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
}

QStringList ModelPage::folders() const {
    return services().preferences.value(foldersKey()).toStringList();
}

void ModelPage::chooseFolder() {
    const QString folder = widgets::askForFolder(this, tr("A model folder, or one of models"));
    if (!folder.isEmpty()) addFolder(folder);
}

void ModelPage::addFolder(const QString& folder) {
    QStringList all = folders();
    all.removeAll(folder);
    all.append(folder);
    services().preferences.set(foldersKey(), all);
    m_added = folder.toStdString();
    scan();
}

// What was just added is what one wants to see, of several the first that can be trained; else the project's model.
void ModelPage::take(const std::shared_ptr<const arch::ModelFolder>& model, bool isCached) {
    m_list->add(model, isCached);
    const int current = currentRow();
    const bool isOfProject = model->path == services().document.spec().model.path;
    if (isInside(model->path, m_added)) {
        const bool isFirst = current < 0 || !isInside(m_list->at(current).path, m_added);
        const bool isFirstSound = !isFirst && !m_list->at(current).problem.empty() && model->problem.empty();
        if (isFirst || isFirstSound) m_table->selectRow(m_list->rowCount() - 1);
        if (m_usesAdded && model->problem.empty()) {
            m_usesAdded = false;
            useCurrent();
        }
    } else if (isOfProject && currentRow() < 0) {
        followDocument();
    }
    m_verdicts->askNext();
}

// Of the folder that was just added, which is not looked through again.
void ModelPage::sayNothingFound() {
    const QString folder = pageText(m_added.string());
    QStringList all = folders();
    if (all.removeAll(folder) == 0) return; // it came from the Hub
    services().preferences.set(foldersKey(), all);
    emit failed(tr("No model was found in %1.").arg(folder),
                tr("A model is a folder with config.json, tokenizer.json and safetensors files. Rows to train on are "
                   "added on the page Data."));
}

// That can be trained; where there is none, the first.
void ModelPage::selectFirst() {
    int row = 0;
    while (row < m_list->rowCount() && !m_list->at(row).problem.empty())
        ++row;
    m_table->selectRow(row < m_list->rowCount() ? row : 0);
}

void ModelPage::scan() {
    m_scanned = true;
    m_list->clear();
    m_note->setText(tr("Looking for models…"));
    QStringList all = folders();
    const std::string& path = services().document.spec().model.path;
    if (!path.empty() && !session::isHubName(path)) all.append(pageText(path));
    m_scan->start(huggingFaceCache(), all);
}

// The project's model is among those on show, wherever it lies.
void ModelPage::followDocument() {
    emit statusChanged();
    const std::string& path = services().document.spec().model.path;
    const bool isToFetch = session::isHubName(path);
    if (m_toFetch != nullptr) m_toFetch->setNames(isToFetch ? std::vector{path} : std::vector<std::string>());
    const int row = m_list->rowOf(path);
    if (row >= 0)
        m_table->selectRow(row);
    else if (m_scanned && !path.empty() && !isToFetch && !m_scan->isWorking())
        scan();
    showDetails();
}

void ModelPage::showDetails() {
    const int row = currentRow();
    m_use->setVisible(row >= 0);
    m_name->setText(row < 0 ? tr("No model is chosen") : pageText(m_list->at(row).name));
    const QColor& dim = services().themes.theme().dim;
    const session::ModelSection& chosen = services().document.spec().model;
    const bool isOfProject = row >= 0 && m_list->at(row).path == chosen.path;
    const QString ownTemplate = isOfProject ? QFileInfo(pageText(chosen.chatTemplate)).fileName() : QString();
    const std::vector<ModelFact> facts = row < 0 ? std::vector<ModelFact>() : factsOf(m_list->at(row), ownTemplate);
    const std::vector<ModelFact> costs = row < 0 ? std::vector<ModelFact>() : m_list->verdictOf(row).facts;
    int nameWidth = 0;
    for (const std::vector<ModelFact>* table : {&facts, &costs})
        for (const ModelFact& fact : *table)
            nameWidth = std::max(nameWidth, m_facts->fontMetrics().horizontalAdvance(fact.first));
    m_facts->setText(row < 0 ? QString() : tableOf(facts, dim, nameWidth));
    m_cost->setVisible(row >= 0 && m_list->verdictOf(row).kind == ModelVerdict::Kind::kFits);
    m_problem->clear();
    m_verdict->say({});
    if (row < 0) return;
    const arch::ModelFolder& folder = m_list->at(row);
    const ModelVerdict& verdict = m_list->verdictOf(row);
    const bool isUsed = folder.path == services().document.spec().model.path;
    m_use->setEnabled(folder.problem.empty() && !isUsed);
    m_use->setText(isUsed ? tr("In use") : tr("Use this model"));
    if (!folder.problem.empty()) {
        m_verdict->say(tr("Cannot be trained"), widgets::Tone::kBad);
        m_problem->setText(pageText(folder.problem + " " + folder.advice));
    } else if (verdict.kind == ModelVerdict::Kind::kFits) {
        m_verdict->say(tr("Fits"), widgets::Tone::kGood);
        m_rig->setText(verdict.rig);
        m_costs->setText(tableOf(verdict.facts, dim, nameWidth));
        m_outline->setText(verdict.outline);
    } else if (verdict.kind == ModelVerdict::Kind::kDoesNotFit) {
        m_verdict->say(tr("Does not fit"), widgets::Tone::kWarning);
        m_problem->setText(verdict.text);
    } else {
        m_problem->setText(verdict.text);
    }
}

void ModelPage::useCurrent() {
    const int row = currentRow();
    if (row < 0 || !m_list->at(row).problem.empty()) return;
    services().document.set(session::fieldByKey("model.path"), m_list->at(row).path.string());
}

PageStatus ModelPage::status() const {
    const std::string& path = services().document.spec().model.path;
    if (path.empty()) return {PageStatus::Mark::kMissing, tr("none yet")};
    if (session::isHubName(path)) return {PageStatus::Mark::kMissing, tr("to be fetched")};
    const int row = m_list->rowOf(path);
    const QString name = row >= 0 ? pageText(m_list->at(row).name) : QFileInfo(pageText(path)).fileName();
    const bool isRefused = row >= 0 && !m_list->at(row).problem.empty();
    return {isRefused ? PageStatus::Mark::kMissing : PageStatus::Mark::kDone, name};
}

std::vector<Missing> ModelPage::missing() const {
    const std::string& path = services().document.spec().model.path;
    if (session::isHubName(path)) return {{tr("fetch the model"), look().id, QStringLiteral("model.path")}};
    if (!path.empty()) return {};
    return {{tr("choose a model"), look().id, QStringLiteral("model.path")}};
}

void ModelPage::showField(const QString& key) {
    if (key == QLatin1String("model.path")) return m_table->setFocus(Qt::OtherFocusReason);
    m_usesAdded = true; // once it is read: one that can't be trained only says why
    addFolder(key);
}

// Folders are looked through when someone looks at the page for the first time.
void ModelPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (!m_scanned) scan();
    m_verdicts->setWatched(true);
}

void ModelPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    m_verdicts->setWatched(false);
}

} // namespace roundpipe::ui::pages
