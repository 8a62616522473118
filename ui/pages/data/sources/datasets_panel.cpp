// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/sources/datasets_panel.h"

#include "base/error.h"
#include "session/spec/run_shape.h"
#include "session/spec/run_spec_fields.h"
#include "ui/editors/field_text.h"
#include "ui/translations/number_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

enum Column { kName, kRows, kTokens, kShare, kOfEpoch, kNumColumns };

constexpr double kMostOfAll = 1e12; // as the settings have it

const session::Field& fieldOf(const char* key) {
    return session::fieldByKey(key);
}

QComboBox* choicesOf(const session::Field& field) {
    auto* box = new QComboBox;
    for (const std::string& choice : field.choices)
        box->addItem(editors::choiceText(field, choice), QString::fromStdString(choice));
    box->setAccessibleName(editors::labelOf(field));
    box->setToolTip(editors::helpOf(field));
    return box;
}

// "2" and "0.5" instead of "2.000" and "0.500".
class AmountBox : public QDoubleSpinBox {
public:
    QString textFromValue(double value) const override {
        QString text = QDoubleSpinBox::textFromValue(value);
        if (decimals() == 0) return text;
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (const QString point = locale().decimalPoint(); text.endsWith(point)) text.chop(point.size());
        return text;
    }
};

QDoubleSpinBox* numberOf(const session::Field& field, double least) {
    auto* box = new AmountBox;
    box->setRange(least, kMostOfAll);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false); // a number counts once it is typed
    box->setAccessibleName(editors::labelOf(field));
    box->setToolTip(editors::helpOf(field));
    return box;
}

QString nameOf(const session::DatasetSection& dataset) {
    if (dataset.files.empty()) return DatasetsPanel::tr("no files yet");
    const QString first = QFileInfo(QString::fromStdString(dataset.files.front())).fileName();
    const auto more = static_cast<int>(dataset.files.size()) - 1;
    return more == 0 ? first : DatasetsPanel::tr("%1 and %n more", nullptr, more).arg(first);
}

QString shareText(const session::DatasetSection& dataset) {
    const QString amount = QLocale().toString(dataset.shareAmount, 'g', 6);
    switch (dataset.share) {
    case ShareKind::kEpochs:
        return DatasetsPanel::tr("%1 ×").arg(amount);
    case ShareKind::kWeight:
        return DatasetsPanel::tr("weight %1").arg(amount);
    case ShareKind::kRows:
        return DatasetsPanel::tr("%1 rows").arg(translations::countText(dataset.shareAmount));
    case ShareKind::kTokens:
        break;
    }
    return DatasetsPanel::tr("%1 tokens").arg(translations::countText(dataset.shareAmount));
}

// None where they cannot be told: an amount may be beyond all measure.
std::vector<session::EpochPart> partsOf(const session::RunSpec& spec, const session::DatasetReport* report) {
    if (report == nullptr || !report->isComplete) return {};
    try {
        return session::epochPartsOf(spec, report->training);
    } catch (const Error&) {
        return {};
    }
}

QString percentText(double part, double whole) {
    return DatasetsPanel::tr("%1 %").arg(QLocale().toString(whole > 0 ? 100 * part / whole : 0, 'f', 1));
}

} // namespace

DatasetsPanel::DatasetsPanel(document::Document& document, QWidget* parent)
    : Card(tr("Datasets"), parent)
    , m_document(document)
    , m_tree(new QTreeWidget)
    , m_add(new QPushButton(tr("Add…")))
    , m_remove(new QPushButton(tr("Remove")))
    , m_share(choicesOf(fieldOf("data.share")))
    , m_amount(numberOf(fieldOf("data.share_amount"), 0.001))
    , m_maxRows(numberOf(fieldOf("data.max_rows"), 0))
    , m_subset(choicesOf(fieldOf("data.subset")))
    , m_epoch(new QLabel) {
    m_add->setAccessibleName(tr("Add a dataset"));
    m_add->setToolTip(tr("Train on another dataset too, with a format and a share of its own"));
    m_remove->setAccessibleName(tr("Remove the dataset"));
    m_remove->setToolTip(tr("Take the chosen dataset out of the project; nothing is deleted on the disk"));
    titleRow()->addWidget(m_add);
    titleRow()->addWidget(m_remove);
    connect(m_add, &QPushButton::clicked, this, &DatasetsPanel::datasetWanted);
    connect(m_remove, &QPushButton::clicked, this, &DatasetsPanel::remove);
    buildTree();
    buildSettings();
    connectSettings();
    for (const auto signal : {&document::Document::opened, &document::Document::datasetChanged})
        connect(&m_document, signal, this, &DatasetsPanel::showAll);
    connect(&m_document, &document::Document::changed, this, &DatasetsPanel::showAll);
    showAll();
}

void DatasetsPanel::buildTree() {
    m_tree->setHeaderLabels({tr("Dataset"), tr("Rows"), tr("Tokens"), tr("Share"), tr("Of an epoch")});
    m_tree->headerItem()->setToolTip(kOfEpoch, tr("Part of an epoch's tokens"));
    m_tree->setRootIsDecorated(false);
    m_tree->setAccessibleName(tr("Datasets of the project"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(kName, QHeaderView::Stretch);
    for (int column = kRows; column < kNumColumns; ++column)
        m_tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item != nullptr) m_document.setDataset(static_cast<std::size_t>(m_tree->indexOfTopLevelItem(item)));
    });
    body()->addWidget(m_tree, 1);
}

void DatasetsPanel::buildSettings() {
    m_maxRows->setDecimals(0);
    m_maxRows->setSpecialValueText(tr("all"));
    m_epoch->setObjectName(QStringLiteral("dim"));
    m_epoch->setWordWrap(true);
    const auto pair = [](QWidget* left, QWidget* right) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(left, 1);
        row->addWidget(right, 1);
        return row;
    };
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("Share of an epoch"), pair(m_share, m_amount));
    form->addRow(editors::labelOf(fieldOf("data.max_rows")), pair(m_maxRows, m_subset));
    form->addRow(m_epoch);
    body()->addLayout(form);
}

void DatasetsPanel::connectSettings() {
    connect(m_share, &QComboBox::activated, this, &DatasetsPanel::chooseShare);
    connect(m_amount, &QDoubleSpinBox::valueChanged, this,
            [this](double amount) { m_document.set(fieldOf("data.share_amount"), amount, true); });
    connect(m_maxRows, &QDoubleSpinBox::valueChanged, this,
            [this](double rows) { m_document.set(fieldOf("data.max_rows"), static_cast<int64_t>(rows), true); });
    connect(m_subset, &QComboBox::activated, this,
            [this] { m_document.set(fieldOf("data.subset"), m_subset->currentData().toString().toStdString()); });
}

void DatasetsPanel::setReport(std::shared_ptr<const session::DatasetReport> report) {
    m_report = std::move(report);
    showAll();
}

// A kind's amount means nothing to another kind: what is there comes as it is, once.
void DatasetsPanel::chooseShare() {
    const auto kind = fromSpelling<ShareKind>(m_share->currentData().toString().toStdString()).value();
    const batch::DatasetLengths* training = trainingOf(m_document.dataset());
    double amount = 1;
    if (kind == ShareKind::kRows && training != nullptr) amount = static_cast<double>(training->size);
    if (kind == ShareKind::kTokens && training != nullptr) amount = static_cast<double>(training->numTokens);
    m_document.change(tr("change a dataset's share"), [&](session::RunSpec& spec) {
        session::DatasetSection& dataset = spec.data.datasets.at(m_document.dataset());
        if (std::exchange(dataset.share, kind) != kind) dataset.shareAmount = std::max(1.0, amount);
    });
}

void DatasetsPanel::remove() {
    m_document.change(tr("remove a dataset"), [this](session::RunSpec& spec) {
        auto& datasets = spec.data.datasets;
        if (datasets.size() > 1) datasets.erase(datasets.begin() + static_cast<std::ptrdiff_t>(m_document.dataset()));
    });
}

const batch::DatasetLengths* DatasetsPanel::trainingOf(std::size_t dataset) const {
    const bool isKnown = m_report != nullptr && m_report->isComplete && dataset < m_report->training.datasets().size();
    return isKnown ? &m_report->training.datasets()[dataset] : nullptr;
}

// What is shown -------------------------------------------------------------------------------------------------------

void DatasetsPanel::showAll() {
    showList();
    showSettings();
}

QStringList DatasetsPanel::cellsOf(std::size_t dataset) const {
    const session::DatasetSection& section = m_document.spec().data.datasets[dataset];
    const std::vector<session::EpochPart> parts = partsOf(m_document.spec(), m_report.get());
    const batch::DatasetLengths* training = trainingOf(dataset);
    QStringList cells{nameOf(section), {}, {}, shareText(section), {}};
    if (training == nullptr || dataset >= parts.size()) return cells;
    double tokens = 0;
    for (const session::EpochPart& part : parts)
        tokens += part.tokens;
    cells[kRows] = translations::wholeText(training->size);
    cells[kTokens] = translations::countText(static_cast<double>(training->numTokens));
    cells[kOfEpoch] = percentText(parts[dataset].tokens, tokens);
    return cells;
}

void DatasetsPanel::showList() {
    const QSignalBlocker quiet(m_tree);
    const auto numDatasets = static_cast<int>(m_document.spec().data.datasets.size());
    while (m_tree->topLevelItemCount() > numDatasets)
        delete m_tree->takeTopLevelItem(numDatasets);
    while (m_tree->topLevelItemCount() < numDatasets)
        m_tree->addTopLevelItem(new QTreeWidgetItem);
    for (int i = 0; i < numDatasets; ++i) {
        const auto dataset = static_cast<std::size_t>(i);
        QTreeWidgetItem* item = m_tree->topLevelItem(i);
        const QStringList cells = cellsOf(dataset);
        for (int column = 0; column < kNumColumns; ++column) {
            item->setText(column, cells[column]);
            if (column > kName) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        QStringList files;
        for (const std::string& file : m_document.spec().data.datasets[dataset].files)
            files += QString::fromStdString(file);
        item->setToolTip(kName, files.join(QLatin1Char('\n')));
    }
    m_tree->setCurrentItem(m_tree->topLevelItem(static_cast<int>(m_document.dataset())));
    m_remove->setEnabled(numDatasets > 1);
}

void DatasetsPanel::showSettings() {
    const session::DatasetSection& dataset = m_document.spec().data.datasets[m_document.dataset()];
    const QSignalBlocker quiet[] = {QSignalBlocker(m_amount), QSignalBlocker(m_maxRows)};
    m_share->setCurrentIndex(m_share->findData(QString::fromLatin1(spellingOf(dataset.share))));
    const bool isCount = dataset.share == ShareKind::kRows || dataset.share == ShareKind::kTokens;
    m_amount->setDecimals(isCount ? 0 : 3);
    m_amount->setMinimum(isCount ? 1 : 0.001);
    m_amount->setSingleStep(isCount ? 100 : 0.5);
    m_amount->setValue(dataset.shareAmount);
    m_maxRows->setSingleStep(100);
    m_maxRows->setValue(static_cast<double>(dataset.maxRows));
    m_subset->setCurrentIndex(m_subset->findData(QString::fromLatin1(spellingOf(dataset.subset))));
    m_subset->setEnabled(dataset.maxRows > 0);
    const std::vector<session::EpochPart> parts = partsOf(m_document.spec(), m_report.get());
    const batch::DatasetLengths* training = trainingOf(m_document.dataset());
    if (training == nullptr || m_document.dataset() >= parts.size())
        return m_epoch->setText(tr("Its rows are not counted yet."));
    double examples = 0;
    for (const session::EpochPart& part : parts)
        examples += static_cast<double>(part.examples);
    const auto own = static_cast<double>(parts[m_document.dataset()].examples);
    m_epoch->setText(tr("An epoch draws %1 times from its %2 rows to train on: %3 of all draws.")
                         .arg(translations::wholeText(parts[m_document.dataset()].examples),
                              translations::wholeText(training->size), percentText(own, examples)));
}

} // namespace roundpipe::ui::pages
