// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/data_page.h"

#include "session/spec/hub_prefix.h"
#include "ui/hub/fetch_notice.h"
#include "ui/models/row_remark_text.h"
#include "ui/pages/contract/remark_lines.h"
#include "ui/pages/data/lens/lens_feed.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/report/dataset_tiles.h"
#include "ui/pages/data/report/findings_list.h"
#include "ui/pages/data/report/length_histogram.h"
#include "ui/pages/data/rows/rows_card.h"
#include "ui/pages/data/sources/columns_panel.h"
#include "ui/pages/data/sources/datasets_panel.h"
#include "ui/pages/data/sources/names_to_fetch.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/help_place.h"

#include <QAction>
#include <QActionGroup>
#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

using session::WorkbenchState;

constexpr int kLowerHeight = 200;
constexpr int kOpenAfterMs = 150; // a change, so that a number that is typed opens the dataset once

QString shortCount(int64_t value) {
    return translations::countText(static_cast<double>(value));
}

QStringList filesOf(const session::HubFetched& rows) {
    QStringList files;
    for (const std::string& file : rows.files)
        files.append(QString::fromStdString(file));
    return files;
}

// How often rows are drawn changes none of them.
bool isReadBy(const QString& key) {
    if (key.startsWith(QStringLiteral("data.share"))) return false;
    static const QString kSections[] = {QStringLiteral("data."), QStringLiteral("model.")};
    return key == QStringLiteral("seed") ||
           std::ranges::any_of(kSections, [&](const QString& section) { return key.startsWith(section); });
}

} // namespace

DataPage::DataPage(const Services& given, QWidget* parent)
    : Page(given, {QStringLiteral("data"), tr("Data"), theme::Icon::kData}, parent)
    , m_workbench(given.workbench)
    , m_stack(new QStackedWidget)
    , m_tiles(new DatasetTiles)
    , m_rows(new RowsCard(given.workbench, given.themes))
    , m_lengths(new LengthHistogram(given.themes))
    , m_howToLimit(new widgets::ElidedLabel(tr("drag the line, or ← → with it focused")))
    , m_findings(new FindingsList(given.themes))
    , m_right(new QStackedWidget)
    , m_lens(new LensPanel(given.themes))
    , m_lensFeed(new LensFeed(given.workbench, given.document, *m_rows, *m_lens, this))
    , m_columns(new ColumnsPanel(given.document))
    , m_datasets(new DatasetsPanel(given.document))
    , m_showLens(new QAction(tr("Token lens"), this))
    , m_showColumns(new QAction(tr("Files and columns"), this))
    , m_showDatasets(new QAction(tr("Datasets"), this)) {
    widgets::setHelpPlace(*m_lens, QStringLiteral("trained-tokens.md"));
    widgets::setHelpPlace(*m_columns, QStringLiteral("row-formats.md#columns-by-other-names"));
    widgets::setHelpPlace(*m_datasets, QStringLiteral("mixtures.md"));
    widgets::setHelpPlace(*m_findings, QStringLiteral("dropped-rows.md"));
    widgets::setHelpPlace(*m_lengths, QStringLiteral("settings.md#data.max_length"));
    if (given.makeHub) {
        m_toFetch = new hub::FetchNotice(session::HubKind::kDataset, given.makeHub);
        connect(m_toFetch, &hub::FetchNotice::fetched, this, &DataPage::takeFetched);
        body()->addWidget(m_toFetch);
    }
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(buildFilled());
    body()->addWidget(m_stack, 1);
    buildCommands();
    addAction(m_rows->findAction());
    connect(m_lens, &LensPanel::rowChosen, this, &DataPage::chooseRow);
    m_openSoon.setSingleShot(true);
    connect(&m_openSoon, &QTimer::timeout, this, &DataPage::openDataset);
    connectDocument();
    connectWorkbench();
    reopen();
    leadOnTo(QStringLiteral("settings"), tr("Next: Settings"));
}

// What there is -------------------------------------------------------------------------------------------------------

QWidget* DataPage::buildEmpty() {
    auto* empty = new widgets::EmptyState(
        services().themes, theme::Icon::kDrop, tr("Drop files or a folder here"),
        tr("JSONL, JSON, CSV, TSV, Parquet, Arrow, text and markdown, also as .gz and .zst. Chats (OpenAI's messages, "
           "ShareGPT), Alpaca, prompt and completion are recognised by their columns; others can be mapped."));
    connect(empty->addButton(tr("Choose files…"), true), &QPushButton::clicked, this, [this] { addFiles(false); });
    connect(empty->addButton(tr("Choose a folder…")), &QPushButton::clicked, this, [this] { addFiles(true); });
    auto* card = new widgets::Card;
    card->body()->addWidget(empty, 1);
    return card;
}

QWidget* DataPage::buildFilled() {
    auto* lower = new QGridLayout;
    lower->setSpacing(theme::kSpacing);
    lower->addWidget(m_rows, 0, 0);
    m_right->addWidget(m_lens);
    m_right->addWidget(m_columns);
    m_right->addWidget(m_datasets);
    lower->addWidget(m_right, 0, 1);
    lower->addWidget(buildLengthsCard(), 1, 0);
    lower->addWidget(buildFindingsCard(), 1, 1);
    lower->setRowStretch(0, 5);
    lower->setRowStretch(1, 3);
    lower->setRowMinimumHeight(1, kLowerHeight);
    lower->setColumnStretch(0, 1);
    lower->setColumnStretch(1, 1);
    for (int i = 0; i < lower->count(); ++i) // halves, whatever they hold
        lower->itemAt(i)->widget()->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* filled = new QWidget;
    auto* layout = new QVBoxLayout(filled);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpacing);
    layout->addWidget(m_tiles);
    layout->addWidget(new RemarkLines(services(), QStringLiteral("data.")));
    layout->addLayout(lower, 1);
    return filled;
}

QWidget* DataPage::buildLengthsCard() {
    auto* card = new widgets::Card(tr("Lengths"));
    m_howToLimit->hide();
    card->titleRow()->insertWidget(1, m_howToLimit, 100);
    card->body()->addWidget(m_lengths, 1);
    connect(m_lengths, &LengthHistogram::limitChosen, this, [this](qint64 limit) {
        services().document.set(session::fieldByKey("data.max_length"), static_cast<int64_t>(limit), true);
    });
    return card;
}

QWidget* DataPage::buildFindingsCard() {
    auto* card = new widgets::Card(tr("Worth a look"));
    card->titleRow()->insertWidget(
        1, new widgets::ElidedLabel(tr("every line leads to its rows; nothing is changed on disk")), 100);
    card->body()->addWidget(m_findings, 1);
    connect(m_findings, &FindingsList::rowsWanted, m_rows, &RowsCard::showRows);
    connect(m_findings, &FindingsList::choiceMade, this, &DataPage::choose);
    connect(m_findings, &FindingsList::leadFollowed, this, &Page::pageWanted);
    return card;
}

// Rows that are left out ----------------------------------------------------------------------------------------------

void DataPage::choose(const RowsChoice& choice) {
    const QString text = choice.leavesOut ? tr("leave rows out") : tr("take rows back");
    services().document.change(text, [&](session::RunSpec& spec) {
        for (session::DatasetSection& dataset : spec.data.datasets) { // the report's findings are about all of them
            if (!choice.rule) {
                dataset.leaveOutRows.clear();
                continue;
            }
            std::erase(dataset.leaveOut, *choice.rule);
            if (choice.leavesOut) dataset.leaveOut.push_back(*choice.rule);
            std::ranges::sort(dataset.leaveOut);
        }
    });
}

void DataPage::chooseRow(const QString& key, bool leavesOut) {
    const QString text = leavesOut ? tr("leave a row out") : tr("take a row back");
    const auto file = static_cast<std::size_t>(m_lens->view().lens().place.file);
    if (file >= m_files.files.size()) return;
    const auto dataset = static_cast<std::size_t>(m_files.files[file].dataset);
    if (dataset >= services().document.spec().data.datasets.size()) return; // it is being removed
    services().document.change(text, [&](session::RunSpec& spec) {
        std::vector<std::string>& rows = spec.data.datasets.at(dataset).leaveOutRows;
        std::erase(rows, key.toStdString());
        if (leavesOut) rows.push_back(key.toStdString());
    });
}

void DataPage::buildCommands() {
    m_showLens->setToolTip(tr("What becomes of a row, token by token"));
    m_showColumns->setToolTip(tr("What the files are, and which column is read as what"));
    m_showDatasets->setToolTip(tr("Which datasets the run trains on, and how much an epoch takes of each"));
    auto* panels = new QActionGroup(this); // one of them is on
    for (QAction* action : {m_showLens, m_showColumns, m_showDatasets}) {
        action->setCheckable(true);
        panels->addAction(action);
        m_panelButtons.push_back(addCommand(action));
    }
    m_showLens->setChecked(true);
    connect(panels, &QActionGroup::triggered, this, &DataPage::showPanels);
    connect(m_datasets, &DatasetsPanel::datasetWanted, this, &DataPage::addDataset);
    connect(&services().document, &document::Document::datasetChanged, this, [this] { m_columns->setFiles(m_files); });
    auto* files = new QAction(tr("Add files…"), this);
    connect(files, &QAction::triggered, this, [this] { addFiles(false); });
    addCommand(files);
    auto* folder = new QAction(tr("Add a folder…"), this);
    connect(folder, &QAction::triggered, this, [this] { addFiles(true); });
    addCommand(folder);
    if (services().makeHub)
        addCommand(hub::makeHubAction(
            session::HubKind::kDataset, services().makeHub, this,
            [this](const session::HubFetched& rows) { add(filesOf(rows), services().document.dataset()); }));
}

// Files ---------------------------------------------------------------------------------------------------------------

bool DataPage::hasFiles() const {
    return std::ranges::any_of(services().document.spec().data.datasets,
                               [](const session::DatasetSection& dataset) { return !dataset.files.empty(); });
}

// One of the Hub is no model of this machine yet: the page Model fetches it.
bool DataPage::hasModel() const {
    const std::string& path = services().document.spec().model.path;
    return !path.empty() && !session::isHubName(path);
}

bool DataPage::isToFetch() const {
    return !namesToFetch(services().document.spec()).empty();
}

void DataPage::takeFetched(const std::string& name, const session::HubFetched& rows) {
    if (isToValidateOn(name, services().document.spec()) && rows.files.size() != 1)
        return emit failed(tr("The rows to validate on are of one file, but %1 has %2.")
                               .arg(QString::fromStdString(name))
                               .arg(rows.files.size()),
                           tr("Choose one of those files, which are in the cache now."));
    services().document.change(tr("fetch data"), [&](session::RunSpec& spec) { putFiles(name, rows.files, spec); });
}

void DataPage::showPanels() {
    QWidget* panel = m_lens;
    if (m_showColumns->isChecked()) panel = m_columns;
    if (m_showDatasets->isChecked()) panel = m_datasets;
    m_right->setCurrentWidget(panel);
}

void DataPage::addFiles(bool folder) {
    const QString title = tr("Rows to train on");
    add(folder ? QStringList{widgets::askForFolder(this, title)} : widgets::askForFiles(this, title),
        services().document.dataset());
}

void DataPage::addDataset() {
    const std::size_t numDatasets = services().document.spec().data.datasets.size();
    add(widgets::askForFiles(this, tr("Rows of another dataset")), numDatasets);
    if (services().document.spec().data.datasets.size() > numDatasets) services().document.setDataset(numDatasets);
}

// To the dataset, or as a new one behind all others.
void DataPage::add(const QStringList& paths, std::size_t dataset) {
    if (std::ranges::all_of(paths, &QString::isEmpty)) return;
    services().document.change(tr("add data"), [&](session::RunSpec& spec) {
        auto& datasets = spec.data.datasets;
        if (dataset == datasets.size()) datasets.emplace_back();
        std::vector<std::string>& files = datasets[dataset].files;
        for (const QString& path : paths)
            if (!path.isEmpty() && std::ranges::find(files, path.toStdString()) == files.end())
                files.push_back(path.toStdString());
    });
}

void DataPage::connectDocument() {
    document::Document& document = services().document;
    connect(&document, &document::Document::opened, this, [this] {
        if (std::exchange(m_opened, false)) m_workbench.forget(); // what was said of the rows before goes at once
        m_report = nullptr;
        reopen();
    });
    connect(&document, &document::Document::changed, this, [this](const QStringList& keys) {
        m_lengths->setLimit(services().document.spec().data.maxLength);
        if (m_report != nullptr) m_tiles->show(*m_report, services().document.spec());
        if (std::ranges::any_of(keys, isReadBy)) reopen();
    });
}

void DataPage::reopen() {
    m_stack->setCurrentIndex(hasFiles() ? 1 : 0);
    for (QPushButton* panel : m_panelButtons) // there is nothing for them to show
        panel->setVisible(hasFiles());
    if (m_toFetch != nullptr) m_toFetch->setNames(namesToFetch(services().document.spec()));
    m_lengths->setLimit(services().document.spec().data.maxLength);
    m_lengths->setOverLength(services().document.spec().data.overLength);
    m_openSoon.start(m_opened ? kOpenAfterMs : 0);
    showState();
    emit statusChanged();
}

void DataPage::openDataset() {
    m_filesRequest = 0; // what was asked before is never answered
    const bool wasOpened = std::exchange(m_opened, hasFiles() && !isToFetch());
    if (!m_opened) {
        if (wasOpened) m_workbench.forget();
        m_report = nullptr;
        m_paths.clear();
        m_rows->close();
        m_lensFeed->close();
        return;
    }
    m_workbench.open(services().document.spec());
    m_filesRequest = m_workbench.requestFiles();
    m_rows->reopen();
    m_lensFeed->reopen();
}

// The workbench -------------------------------------------------------------------------------------------------------

void DataPage::connectWorkbench() {
    connect(&m_workbench, &bridge::WorkbenchController::answered, this, &DataPage::take);
    connect(&m_workbench, &bridge::WorkbenchController::statusChanged, this, [this] {
        if (!m_opened) return;
        const auto& report = m_workbench.status().report;
        if (report != nullptr && report != m_report) {
            m_report = report;
            showReport();
        }
        showState();
        emit statusChanged();
    });
}

void DataPage::take(const session::WorkbenchResult& result) {
    if (m_filesRequest == 0 || result.request != m_filesRequest) return;
    m_filesRequest = 0;
    if (const auto* files = std::get_if<session::FilesResult>(&result.value)) takeFiles(*files);
}

// Those of other rows, unless these have been read meanwhile.
void DataPage::forgetFindings() {
    const WorkbenchState state = m_workbench.status().state;
    if (state != WorkbenchState::kOpening && state != WorkbenchState::kReading) return;
    m_failure.clear();
    m_rows->setNotes({});
    m_findings->sayWhy(tr("What deserves a look stands here when all rows are read."));
}

void DataPage::takeFiles(const session::FilesResult& files) {
    std::vector<std::string> paths;
    m_fileNames.clear();
    for (const session::DataFile& file : files.files) {
        paths.push_back(file.path);
        m_fileNames += QFileInfo(QString::fromStdString(file.path)).completeBaseName();
    }
    m_files = files;
    // A file that cannot be read, or whose rows have no format that we know, is what somebody has to see.
    const auto needsHelp = std::ranges::find_if(files.files, [](const session::DataFile& file) {
        return !file.problem.empty() || file.format == DataFormat::kAuto;
    });
    if (needsHelp != files.files.end()) {
        services().document.setDataset(static_cast<std::size_t>(needsHelp->dataset));
        m_showColumns->trigger();
    }
    m_columns->setFiles(m_files);
    m_lensFeed->setFiles(m_fileNames);
    if (std::exchange(m_paths, paths) != paths) {
        m_lensFeed->forgetRow();
        m_rows->showFiles(m_fileNames);
        forgetFindings();
    }
    QStringList words{files.files.size() == 1 ? tr("1 file") : tr("%1 files").arg(files.files.size())};
    for (const session::DataFile& file : files.files)
        if (const QString format = formatName(file); !words.contains(format)) words += format;
    if (!files.leftOut.empty()) words += tr("%1 left out").arg(files.leftOut.size());
    setSubtitle(words.join(QStringLiteral(" · ")), {words.front()});
}

// What is shown -------------------------------------------------------------------------------------------------------

void DataPage::showState() {
    const session::WorkbenchStatus& status = m_workbench.status();
    if (status.state != WorkbenchState::kFailed)
        m_lengths->setEmptyText(tr("Lengths appear once rows have been read with the model's tokenizer."));
    if (!hasFiles()) {
        setSubtitle(tr("Rows to train on: files and folders, as many as you like"), {tr("Rows to train on")});
        pill().say({});
    } else if (isToFetch()) {
        setSubtitle(tr("Rows that the project names on Hugging Face's Hub"));
        pill().say(tr("To be fetched"), widgets::Tone::kWarning);
    } else if (!m_opened || status.state == WorkbenchState::kOpening) {
        pill().say(tr("Opening…"));
    } else if (status.state == WorkbenchState::kReading) {
        pill().say(tr("Reading, %1 %").arg(static_cast<int>(100 * status.fraction)));
    } else if (status.state == WorkbenchState::kFailed) {
        pill().say(hasModel() ? tr("Cannot be used") : tr("Needs a model"),
                   hasModel() ? widgets::Tone::kBad : widgets::Tone::kWarning);
        showFailure();
    } else if (m_report != nullptr && !m_report->refusal.empty()) {
        pill().say(tr("Would not start"), widgets::Tone::kBad);
    } else if (status.state == WorkbenchState::kReady) {
        pill().say(tr("Ready"), widgets::Tone::kGood);
    } else {
        pill().say({});
    }
}

void DataPage::showFailure() {
    const session::WorkbenchStatus& status = m_workbench.status();
    const QString why = hasModel()
                            ? QString::fromStdString(status.problem + " " + status.advice)
                            : tr("Tokens, lengths and masks are told by a model's tokenizer and template. Choose one "
                                 "on the page Model.");
    m_lensFeed->fail();
    if (std::exchange(m_failure, why) == why) return; // said already
    m_report = nullptr;
    m_datasets->setReport(nullptr);
    m_lensFeed->setReport(nullptr);
    m_tiles->clear();
    m_lengths->setStatistics({});
    m_lengths->setEmptyText(
        hasModel() ? tr("No lengths: the rows cannot be used. “Worth a look” says why.")
                   : tr("Lengths appear once a model has been chosen: its tokenizer tells how long rows are."));
    m_howToLimit->hide();
    Finding finding;
    finding.weight = hasModel() ? Finding::Weight::kBad : Finding::Weight::kWarning;
    finding.title = hasModel() ? tr("Cannot be used") : tr("Needs a model");
    finding.text = why;
    finding.lead = hasModel() ? leadTo(why) : FindingLead{tr("Choose a model"), QStringLiteral("model"), {}};
    m_findings->setFindings({finding});
}

void DataPage::showReport() {
    m_failure.clear();
    m_lengths->setStatistics(m_report->lengths);
    m_howToLimit->setVisible(!m_report->lengths.histogram.empty());
    m_lengths->setLimit(services().document.spec().data.maxLength);
    m_tiles->show(*m_report, services().document.spec());
    m_datasets->setReport(m_report);
    m_lensFeed->setReport(m_report);
    if (!m_report->isComplete) return;
    std::vector<Finding> findings = findingsOf(*m_report, m_fileNames);
    std::vector<ListedRow> notes;
    for (const Finding& finding : findings)
        notes.insert(notes.end(), finding.rows.begin(), finding.rows.end());
    m_rows->setNotes(notes);
    m_findings->setFindings(std::move(findings));
}

// For the window ------------------------------------------------------------------------------------------------------

PageStatus DataPage::status() const {
    using Mark = PageStatus::Mark;
    if (!hasFiles()) return {Mark::kMissing, tr("no rows yet")};
    if (isToFetch()) return {Mark::kMissing, tr("to be fetched")};
    const session::WorkbenchStatus& status = m_workbench.status();
    if (!m_opened || status.state == WorkbenchState::kOpening) return {Mark::kRunning, tr("opening…")};
    if (status.state == WorkbenchState::kReading)
        return {Mark::kRunning, tr("%1 rows so far").arg(shortCount(status.numRows))};
    if (status.state == WorkbenchState::kFailed)
        return {Mark::kMissing, hasModel() ? tr("cannot be used") : tr("needs a model")};
    if (m_report == nullptr) return {Mark::kNone, {}};
    if (!m_report->refusal.empty()) return {Mark::kMissing, tr("would not start")};
    return {Mark::kDone, tr("%1 rows").arg(shortCount(m_report->training.size()))};
}

// The page that has the setting which the advice names, or this one.
Missing DataPage::whereToMend(const QString& problem, const QString& advice) const {
    if (const auto lead = leadTo(problem + QLatin1Char(' ') + advice)) return {problem, lead->page, lead->field};
    return {problem, look().id, {}};
}

std::vector<Missing> DataPage::missing() const {
    const QString page = look().id;
    if (!hasFiles()) return {{tr("Choose the rows to train on"), page, QStringLiteral("data.files")}};
    if (isToFetch()) return {{tr("Fetch the rows that the project names"), page, QString()}};
    const session::WorkbenchStatus& status = m_workbench.status();
    if (m_opened && status.state == WorkbenchState::kFailed && hasModel())
        return {whereToMend(QString::fromStdString(status.problem), QString::fromStdString(status.advice))};
    if (status.state == WorkbenchState::kReady && m_report != nullptr && !m_report->refusal.empty())
        return {whereToMend(models::remarkText(m_report->refusal), QString::fromStdString(m_report->dropAdvice))};
    return {};
}

void DataPage::showField(const QString& key) {
    if (!key.startsWith(QStringLiteral("data."))) return;
    if (key == QStringLiteral("data.max_length")) return m_lengths->setFocus();
    const bool isOfDatasets = key.startsWith(QStringLiteral("data.share")) || key == QStringLiteral("data.max_rows") ||
                              key == QStringLiteral("data.subset");
    if (hasFiles()) (isOfDatasets ? m_showDatasets : m_showColumns)->trigger();
    if (hasFiles() && !isOfDatasets) m_columns->showField(key);
}

} // namespace roundpipe::ui::pages
