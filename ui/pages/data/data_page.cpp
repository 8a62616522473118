#include "ui/pages/data/data_page.h"

#include "base/error.h"
#include "session/spec/run_shape.h"
#include "ui/hub/hub_dialog.h"
#include "ui/models/row_remark_text.h"
#include "ui/pages/data/columns_panel.h"
#include "ui/pages/data/count_text.h"
#include "ui/pages/data/datasets_panel.h"
#include "ui/pages/data/findings_list.h"
#include "ui/pages/data/length_histogram.h"
#include "ui/pages/data/lens_panel.h"
#include "ui/pages/data/row_finder.h"
#include "ui/pages/data/rows_table.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/tile_row.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

using session::WorkbenchState;

constexpr int kLowerHeight = 200;
constexpr int kFindAfterMs = 250; // the last letter
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

// By the datasets' shares; all tokens once where an amount is beyond all measure.
int64_t tokensPerEpoch(const session::RunSpec& spec, const session::DatasetReport& report) {
    double tokens = 0;
    try {
        for (const session::EpochPart& part : session::epochPartsOf(spec, report.training))
            tokens += part.tokens;
    } catch (const Error&) {
        return report.training.numTokens();
    }
    return std::llround(tokens);
}

} // namespace

DataPage::DataPage(const Services& given, QWidget* parent)
    : Page(given, {QStringLiteral("data"), tr("Data"), theme::Icon::kData}, parent)
    , m_workbench(given.workbench)
    , m_model(new RowsModel(given.workbench, this))
    , m_stack(new QStackedWidget)
    , m_used(new widgets::StatTile(tr("Rows")))
    , m_split(new widgets::StatTile(tr("Split")))
    , m_tokens(new widgets::StatTile(tr("Tokens an epoch")))
    , m_trained(new widgets::StatTile(tr("Trained")))
    , m_length(new widgets::StatTile(tr("Median length")))
    , m_table(new RowsTable(*m_model, given.themes))
    , m_count(new QLabel)
    , m_finder(new RowFinder(given.workbench, this))
    , m_find(new QLineEdit)
    , m_goTo(new QLineEdit)
    , m_all(new QPushButton(tr("All")))
    , m_listed(new QPushButton)
    , m_lengths(new LengthHistogram(given.themes))
    , m_findings(new FindingsList(given.themes))
    , m_right(new QStackedWidget)
    , m_lens(new LensPanel(given.themes))
    , m_columns(new ColumnsPanel(given.document))
    , m_datasets(new DatasetsPanel(given.document))
    , m_showColumns(new QAction(tr("Files and columns"), this))
    , m_showDatasets(new QAction(tr("Datasets"), this)) {
    widgets::setHelpPlace(*m_lens, QStringLiteral("trained-tokens.md"));
    widgets::setHelpPlace(*m_columns, QStringLiteral("row-formats.md#columns-by-other-names"));
    widgets::setHelpPlace(*m_datasets, QStringLiteral("mixtures.md"));
    widgets::setHelpPlace(*m_findings, QStringLiteral("dropped-rows.md"));
    widgets::setHelpPlace(*m_lengths, QStringLiteral("settings.md#data.max_length"));
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(buildFilled());
    body()->addWidget(m_stack, 1);
    buildCommands();
    m_openSoon.setSingleShot(true);
    connect(&m_openSoon, &QTimer::timeout, this, &DataPage::openDataset);
    connectDocument();
    connectWorkbench();
    reopen();
}

// What there is -------------------------------------------------------------------------------------------------------

QWidget* DataPage::buildEmpty() {
    auto* empty = new widgets::EmptyState(
        services().themes, theme::Icon::kDrop, tr("Drop files or a folder here"),
        tr("JSONL, JSON, CSV, TSV, Parquet, text and markdown, also as .gz and .zst. Chats (OpenAI's messages, "
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
    lower->addWidget(buildRowsCard(), 0, 0);
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
    layout->addWidget(
        new widgets::TileRow({{m_used, 18}, {m_split, 20}, {m_tokens, 24}, {m_trained, 20}, {m_length, 21}}));
    layout->addLayout(lower, 1);
    return filled;
}

QWidget* DataPage::buildRowsCard() {
    auto* card = new widgets::Card(tr("Rows"));
    m_count->setObjectName(QStringLiteral("dim"));
    m_goTo->setPlaceholderText(tr("Go to row"));
    m_goTo->setAccessibleName(tr("Number of the row to go to"));
    m_goTo->setFixedWidth(96);
    m_goTo->setObjectName(QStringLiteral("goTo"));
    m_find->setObjectName(QStringLiteral("find"));
    m_find->setPlaceholderText(tr("Find a text in the rows ( / )"));
    m_find->setAccessibleName(tr("Text to find in the rows"));
    m_find->setClearButtonEnabled(true);
    m_find->installEventFilter(this);
    auto* slash = new QAction(this);
    slash->setShortcuts({QKeySequence(Qt::Key_Slash), QKeySequence(QKeySequence::Find)});
    slash->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(slash, &QAction::triggered, m_find, [this] { m_find->setFocus(Qt::ShortcutFocusReason); });
    addAction(slash);
    m_findSoon.setSingleShot(true);
    m_findSoon.setInterval(kFindAfterMs);
    connect(m_find, &QLineEdit::textChanged, &m_findSoon, qOverload<>(&QTimer::start));
    connect(&m_findSoon, &QTimer::timeout, this, &DataPage::find);
    connect(m_finder, &RowFinder::found, this, &DataPage::showFound);
    connect(m_finder, &RowFinder::failed, this, [this](const QString& why) { m_listed->setText(why); });
    for (QPushButton* button : {m_all, m_listed})
        button->setCheckable(true);
    m_all->setChecked(true);
    m_listed->hide();
    card->titleRow()->insertWidget(1, m_count);
    card->titleRow()->addWidget(m_listed);
    card->titleRow()->addWidget(m_all);
    auto* fields = new QHBoxLayout;
    fields->setSpacing(8);
    fields->addWidget(m_find, 1);
    fields->addWidget(m_goTo);
    card->body()->addLayout(fields);
    card->body()->addWidget(m_table, 1);
    connect(m_all, &QPushButton::clicked, this, [this] { showRows({}, {}); });
    connect(m_listed, &QPushButton::clicked, m_listed, [this] { m_listed->setChecked(true); });
    connect(m_goTo, &QLineEdit::returnPressed, this, &DataPage::goToRow);
    connect(m_table, &RowsTable::placeChosen, this, &DataPage::requestLens);
    connect(m_lens, &LensPanel::rowChosen, this, &DataPage::chooseRow);
    connect(m_table, &RowsTable::deletePressed, this, [this] {
        const session::RowPlace shown = m_lens->view().lens().place, current = m_table->currentPlace();
        if (shown.file == current.file && shown.number == current.number) m_lens->chooseRow();
    });
    connect(m_model, &RowsModel::countChanged, this, &DataPage::showCount);
    return card;
}

QWidget* DataPage::buildLengthsCard() {
    auto* card = new widgets::Card(tr("Lengths"));
    card->titleRow()->insertWidget(1, new widgets::ElidedLabel(tr("drag the line, or ← → with it focused")), 100);
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
    connect(m_findings, &FindingsList::rowsWanted, this, &DataPage::showRows);
    connect(m_findings, &FindingsList::choiceMade, this, &DataPage::choose);
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
    m_showColumns->setCheckable(true);
    m_showColumns->setToolTip(tr("What the files are, and which column is read as what"));
    m_showDatasets->setCheckable(true);
    m_showDatasets->setToolTip(tr("Which datasets the run trains on, and how much an epoch takes of each"));
    for (QAction* action : {m_showDatasets, m_showColumns}) {
        QAction* other = action == m_showColumns ? m_showDatasets : m_showColumns;
        connect(action, &QAction::toggled, this, [this, other](bool shows) {
            if (shows) other->setChecked(false);
            showPanels();
        });
        addCommand(action);
    }
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

void DataPage::showPanels() {
    QWidget* panel = m_lens;
    if (m_showColumns->isChecked()) panel = m_columns;
    if (m_showDatasets->isChecked()) panel = m_datasets;
    m_right->setCurrentWidget(panel);
}

void DataPage::addFiles(bool folder) {
    const QString title = tr("Rows to train on");
    add(folder ? QStringList{QFileDialog::getExistingDirectory(this, title)}
               : QFileDialog::getOpenFileNames(this, title),
        services().document.dataset());
}

void DataPage::addDataset() {
    const std::size_t numDatasets = services().document.spec().data.datasets.size();
    add(QFileDialog::getOpenFileNames(this, tr("Rows of another dataset")), numDatasets);
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
    connect(&document, &document::Document::opened, this, &DataPage::reopen);
    connect(&document, &document::Document::changed, this, [this](const QStringList& keys) {
        m_lengths->setLimit(services().document.spec().data.maxLength);
        if (m_report != nullptr) showTiles(*m_report);
        if (std::ranges::any_of(keys, isReadBy)) reopen();
    });
}

void DataPage::reopen() {
    m_stack->setCurrentIndex(hasFiles() ? 1 : 0);
    m_lengths->setLimit(services().document.spec().data.maxLength);
    m_lengths->setDrops(services().document.spec().data.overLength == OverLength::kDrop);
    m_openSoon.start(m_opened ? kOpenAfterMs : 0);
    showState();
    emit statusChanged();
}

void DataPage::openDataset() {
    m_filesRequest = m_lensRequest = 0; // what was asked before is never answered
    const bool wasOpened = std::exchange(m_opened, hasFiles());
    if (!m_opened) {
        if (wasOpened) m_workbench.cancel();
        m_report = nullptr;
        m_paths.clear();
        m_lensPlace = {};
        return;
    }
    m_workbench.open(services().document.spec());
    m_filesRequest = m_workbench.requestFiles();
    m_model->refresh();
    if (!m_find->text().isEmpty()) find(); // what was asked before is not answered
    if (m_lensPlace.number > 0) requestLens(m_lensPlace);
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
    if (result.request == m_filesRequest) {
        m_filesRequest = 0;
        if (const auto* files = std::get_if<session::FilesResult>(&result.value)) takeFiles(*files);
    } else if (result.request == m_lensRequest) {
        m_lensRequest = 0;
        if (const auto* failed = std::get_if<session::LookupFailed>(&result.value))
            m_lens->showProblem(services().document.spec().model.path.empty()
                                    ? tr("Tokens are told by a model. Choose one on the page Model.")
                                    : QString::fromStdString(failed->problem + "\n" + failed->advice));
        else if (const auto* lens = std::get_if<session::TokenLens>(&result.value))
            showLens(*lens);
        // Somebody who walks on meanwhile sees the row where they are now.
        const session::RowPlace current = m_table->currentPlace();
        if (current.number > 0 && (current.file != m_lensPlace.file || current.number != m_lensPlace.number))
            requestLens(current);
    }
}

// A row alone does not tell that it repeats another one: the report does. Null: no rule leaves the row out.
const session::DroppedRow* DataPage::leftOutByRule(session::RowPlace place) const {
    const auto placeOf = [](session::RowPlace of) { return std::pair(of.file, of.number); };
    if (m_report == nullptr) return nullptr;
    const auto row = std::ranges::lower_bound(m_report->dropped, placeOf(place), {},
                                              [&](const session::DroppedRow& one) { return placeOf(one.place); });
    const bool isThere = row != m_report->dropped.end() && placeOf(row->place) == placeOf(place);
    const bool isByRule =
        isThere && row->reason == session::DropReason::kLeftOut && row->problem.code != session::RowRemark::kLeftOutRow;
    return isByRule ? &*row : nullptr;
}

void DataPage::showLens(session::TokenLens lens) {
    if (const session::DroppedRow* row = leftOutByRule(lens.place); row != nullptr && !lens.dropReason) {
        lens.dropReason = row->reason;
        lens.dropped = row->problem;
    }
    const QString name = tr("%1, row %2").arg(m_fileNames.value(lens.place.file), countText(lens.place.number));
    m_lens->show(std::move(lens), name);
}

// Once the report says something else of the row on show than it did.
void DataPage::refreshLens() {
    const session::TokenLens& shown = m_lens->view().lens();
    const session::DroppedRow* row = leftOutByRule(shown.place);
    const bool wasByRule =
        shown.dropReason == session::DropReason::kLeftOut && shown.dropped.code != session::RowRemark::kLeftOutRow;
    if ((row != nullptr || wasByRule) && shown.dropped != (row != nullptr ? row->problem : session::Remark()))
        requestLens(m_lensPlace);
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
        m_showColumns->setChecked(true);
    }
    m_columns->setFiles(m_files);
    if (paths != m_paths) {
        m_paths = paths;
        m_lensPlace = {};
        m_table->showFiles(paths.size() > 1);
        showRows({}, {});
        m_model->open(m_fileNames);
    }
    QStringList words{files.files.size() == 1 ? tr("1 file") : tr("%1 files").arg(files.files.size())};
    for (const session::DataFile& file : files.files)
        if (const QString format = formatName(file); !words.contains(format)) words += format;
    if (!files.leftOut.empty()) words += tr("%1 left out").arg(files.leftOut.size());
    setSubtitle(words.join(QStringLiteral(" · ")));
}

void DataPage::requestLens(session::RowPlace place) {
    if (place.number == 0 || m_lensRequest != 0 || !m_opened)
        return; // the answer asks for the row that is current then
    m_lensPlace = place;
    m_lensRequest = m_workbench.requestLens(place);
}

// What is shown -------------------------------------------------------------------------------------------------------

void DataPage::showState() {
    const session::WorkbenchStatus& status = m_workbench.status();
    const bool hasModel = !services().document.spec().model.path.empty();
    if (!hasFiles()) {
        setSubtitle(tr("Rows to train on: files and folders, as many as you like"));
        pill().say({});
    } else if (!m_opened || status.state == WorkbenchState::kOpening) {
        pill().say(tr("Opening…"));
    } else if (status.state == WorkbenchState::kReading) {
        pill().say(tr("Reading, %1 %").arg(static_cast<int>(100 * status.fraction)));
    } else if (status.state == WorkbenchState::kFailed) {
        pill().say(hasModel ? tr("Cannot be used") : tr("Needs a model"),
                   hasModel ? widgets::Tone::kBad : widgets::Tone::kWarning);
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
    const bool hasModel = !services().document.spec().model.path.empty();
    const QString why = hasModel
                            ? QString::fromStdString(status.problem + " " + status.advice)
                            : tr("Tokens, lengths and masks are told by a model's tokenizer and template. Choose one "
                                 "on the page Model.");
    if (std::exchange(m_failure, why) == why) return; // said already
    m_report = nullptr;
    m_datasets->setReport(nullptr);
    for (widgets::StatTile* tile : {m_used, m_split, m_tokens, m_trained, m_length}) // nothing of the rows before
        tile->set(QStringLiteral("–"));
    m_lengths->setStatistics({});
    m_findings->setFindings({{hasModel ? Finding::Weight::kBad : Finding::Weight::kWarning,
                              hasModel ? tr("Cannot be used") : tr("Needs a model"),
                              why,
                              {}}});
}

void DataPage::showReport() {
    m_failure.clear();
    m_lengths->setStatistics(m_report->lengths);
    m_lengths->setLimit(services().document.spec().data.maxLength);
    showTiles(*m_report);
    m_datasets->setReport(m_report);
    if (!m_report->isComplete) return;
    std::vector<Finding> findings = findingsOf(*m_report, m_fileNames);
    std::vector<ListedRow> notes;
    for (const Finding& finding : findings)
        notes.insert(notes.end(), finding.rows.begin(), finding.rows.end());
    m_model->setNotes(notes);
    m_findings->setFindings(std::move(findings));
    refreshLens();
}

void DataPage::showTiles(const session::DatasetReport& report) {
    m_used->set(countText(report.numUsed), tr("of %1 used").arg(countText(report.numRows)));
    const double share = report.numTokens > 0
                             ? 100.0 * static_cast<double>(report.numTrained) / static_cast<double>(report.numTokens)
                             : 0;
    m_trained->set(tr("%1 %").arg(QLocale().toString(share, 'f', 1)),
                   tr("%1 tokens").arg(countText(report.numTrained)));
    m_length->set(countText(report.lengths.p50),
                  tr("p99 %1 · max %2").arg(countText(report.lengths.p99), countText(report.lengths.max)));
    const int64_t epoch = report.isComplete ? tokensPerEpoch(services().document.spec(), report) : report.numTokens;
    m_tokens->set(shortCount(epoch),
                  report.isComplete ? tr("at most %1 a row").arg(countText(report.lengthLimit)) : tr("so far"));
    if (report.isComplete)
        m_split->set(countText(report.training.size()),
                     tr("train · %1 validate").arg(countText(report.validation.size())));
    else
        m_split->set(QStringLiteral("–"), tr("once all rows are read"));
}

void DataPage::showRows(const QString& title, std::vector<ListedRow> rows) {
    const QSignalBlocker quiet(m_find);
    m_find->clear();
    m_findSoon.stop();
    m_finder->stop();
    list(title, std::move(rows));
    if (m_table->currentIndex().isValid()) m_table->setFocus();
}

void DataPage::list(const QString& title, std::vector<ListedRow> rows) {
    const bool all = title.isEmpty();
    m_listed->setText(title);
    m_listed->setVisible(!all);
    m_listed->setChecked(!all);
    m_all->setChecked(all);
    const session::RowPlace current = m_table->currentPlace();
    const session::RowPlace first = rows.empty() ? session::RowPlace{} : rows.front().place;
    if (all)
        m_model->showAll();
    else
        m_model->showOnly(std::move(rows));
    m_table->select(all ? current : first);
}

void DataPage::find() {
    m_findSoon.stop();
    const QString text = m_find->text();
    m_finder->stop();
    if (text.isEmpty() || !m_opened) return list({}, {});
    list(tr("“%1”: looking…").arg(text), {});
    m_finder->find(text);
}

void DataPage::showFound(const std::vector<session::RowPlace>& rows) {
    std::vector<ListedRow> listed;
    for (const session::RowPlace& place : rows)
        listed.push_back({place, {}});
    m_model->addListed(listed);
    if (!m_table->currentIndex().isValid() && !rows.empty()) m_table->select(rows.front());
    const auto numFound = static_cast<int>(m_finder->numFound());
    const QString text = m_finder->text();
    if (m_finder->isBusy())
        m_listed->setText(tr("“%1”: %n row(s) so far, %2 %", nullptr, numFound)
                              .arg(text)
                              .arg(static_cast<int>(100 * m_finder->fraction())));
    else if (m_finder->numFound() == RowFinder::kMost)
        m_listed->setText(tr("“%1”: the first %n row(s)", nullptr, numFound).arg(text));
    else
        m_listed->setText(tr("“%1”: %n row(s)", nullptr, numFound).arg(text));
}

bool DataPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_find || event->type() != QEvent::KeyPress) return Page::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) showRows({}, {});
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down) {
        if (m_findSoon.isActive()) find();
        m_table->setFocus();
    }
    return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down;
}

void DataPage::showCount() {
    m_count->setText(m_model->isCounted() ? countText(m_model->numCounted())
                                          : tr("%1 …").arg(countText(m_model->numCounted())));
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0 && m_model->showsAll()) m_table->select({0, 1});
}

void DataPage::goToRow() {
    bool isNumber = false;
    const int64_t number = QLocale().toLongLong(m_goTo->text(), &isNumber);
    const session::RowPlace current = m_table->currentPlace();
    showRows({}, {});
    if (isNumber && m_table->select({current.file, number})) m_table->setFocus();
}

// For the window ------------------------------------------------------------------------------------------------------

PageStatus DataPage::status() const {
    using Mark = PageStatus::Mark;
    if (!hasFiles()) return {Mark::kMissing, tr("no rows yet")};
    const session::WorkbenchStatus& status = m_workbench.status();
    if (!m_opened || status.state == WorkbenchState::kOpening) return {Mark::kRunning, tr("opening…")};
    if (status.state == WorkbenchState::kReading)
        return {Mark::kRunning, tr("%1 rows so far").arg(shortCount(status.numRows))};
    if (status.state == WorkbenchState::kFailed)
        return {Mark::kMissing,
                services().document.spec().model.path.empty() ? tr("needs a model") : tr("cannot be used")};
    if (m_report == nullptr) return {Mark::kNone, {}};
    if (!m_report->refusal.empty()) return {Mark::kMissing, tr("would not start")};
    return {Mark::kDone, tr("%1 rows").arg(shortCount(m_report->training.size()))};
}

std::vector<Missing> DataPage::missing() const {
    const QString page = look().id;
    if (!hasFiles()) return {{tr("Choose the rows to train on"), page, QStringLiteral("data.files")}};
    const session::WorkbenchStatus& status = m_workbench.status();
    const bool hasModel = !services().document.spec().model.path.empty();
    if (m_opened && status.state == WorkbenchState::kFailed && hasModel)
        return {{QString::fromStdString(status.problem), page, {}}};
    if (status.state == WorkbenchState::kReady && m_report != nullptr && !m_report->refusal.empty())
        return {{models::remarkText(m_report->refusal), page, {}}};
    return {};
}

void DataPage::showField(const QString& key) {
    if (!key.startsWith(QStringLiteral("data."))) return;
    if (key == QStringLiteral("data.max_length")) return m_lengths->setFocus();
    const bool isOfDatasets = key.startsWith(QStringLiteral("data.share")) || key == QStringLiteral("data.max_rows") ||
                              key == QStringLiteral("data.subset");
    if (hasFiles()) (isOfDatasets ? m_showDatasets : m_showColumns)->setChecked(true);
}

} // namespace roundpipe::ui::pages
