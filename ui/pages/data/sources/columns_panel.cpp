// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/sources/columns_panel.h"

#include "ui/editors/field_text.h"
#include "ui/models/row_remark_text.h"
#include "ui/pages/data/sources/row_settings.h"
#include "ui/theme/table_row.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/roomy_items.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <set>

namespace roundpipe::ui::pages {
namespace {

constexpr const char* kFieldProperty = "field"; // which one an input is for
constexpr int kSize = 3;                        // a column
constexpr int kMostFilesShown = 4;              // the others are scrolled to: the columns need the room

const session::Field& formatField() {
    return session::fieldByKey("data.format");
}

bool isBelow(const std::string& path, const std::string& folder) {
    const std::filesystem::path inside = std::filesystem::path(path).lexically_relative(folder);
    return !inside.empty() && *inside.begin() != ".." && *inside.begin() != ".";
}

// What told its format; where nothing did, what is wanted. Why a file cannot be read stands above.
QString whyOf(const session::DataFile& file) {
    if (!file.problem.empty()) return {};
    if (!file.suggested.empty())
        return ColumnsPanel::tr("Its columns are none of a known format. They may be meant so:");
    return file.wanted.empty() ? models::remarkText(file.reason) : QString::fromStdString(file.wanted);
}

} // namespace

QString formatName(const session::DataFile& file) {
    if (!file.problem.empty()) return ColumnsPanel::tr("cannot be read");
    if (file.format == DataFormat::kAuto) return ColumnsPanel::tr("no known format");
    return editors::choiceText(formatField(), spellingOf(file.format));
}

ColumnsPanel::ColumnsPanel(document::Document& document, QWidget* parent)
    : Card(tr("Files and columns"), parent)
    , m_document(document)
    , m_tree(new QTreeWidget)
    , m_remove(new QPushButton(tr("Remove")))
    , m_format(new QComboBox)
    , m_why(new QLabel)
    , m_useSuggested(new QPushButton)
    , m_mapping(new QFormLayout)
    , m_settings(new RowSettings(document))
    , m_broken(new QLabel)
    , m_leaveOut(new QPushButton(tr("Leave it out"))) {
    m_tree->setHeaderLabels({tr("File"), tr("Kind"), tr("Read as"), tr("Size")});
    m_tree->setRootIsDecorated(false);
    m_tree->setItemDelegate(new widgets::RoomyItems(m_tree));
    m_tree->setAccessibleName(tr("Files of the dataset"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->headerItem()->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
    m_remove->setEnabled(false);
    m_remove->setToolTip(tr("Take the chosen file out of the project; nothing is deleted on the disk"));
    titleRow()->addWidget(m_remove);
    connect(m_remove, &QPushButton::clicked, this, &ColumnsPanel::removeCurrent);
    connect(m_tree, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { m_remove->setEnabled(item != nullptr); });

    m_format->setAccessibleName(editors::labelOf(formatField()));
    m_format->setToolTip(editors::helpOf(formatField()));
    for (const char* choice : spellings(DataFormat()))
        m_format->addItem(editors::choiceText(formatField(), choice), QString::fromLatin1(choice));
    connect(m_format, &QComboBox::activated, this,
            [this] { m_document.set(formatField(), m_format->currentData().toString().toStdString()); });
    connect(&m_document, &document::Document::opened, this, &ColumnsPanel::showFormat);
    connect(&m_document, &document::Document::changed, this, &ColumnsPanel::showFormat);
    showFormat();

    m_why->setObjectName(QStringLiteral("dim"));
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_mapping->setHorizontalSpacing(16);
    m_mapping->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addInput(tr("Rows are read as"), *m_format);
    m_mapping->addRow(m_why);
    m_mapping->addRow(m_useSuggested);
    connect(m_useSuggested, &QPushButton::clicked, this, &ColumnsPanel::useSuggested);
    auto* content = new QWidget;
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 4, 0);
    rows->addLayout(m_mapping);
    rows->addWidget(m_settings);
    rows->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* broken = new QHBoxLayout;
    broken->addWidget(m_broken, 1);
    broken->addWidget(m_leaveOut);
    m_broken->setObjectName(QStringLiteral("problem"));
    m_broken->setTextFormat(Qt::PlainText);
    m_broken->setWordWrap(true);
    connect(m_leaveOut, &QPushButton::clicked, this, [this] {
        if (const session::DataFile* file = firstBroken()) leaveOutAlone(file->path);
    });
    body()->addWidget(m_tree);
    body()->addLayout(broken);
    body()->addWidget(scroll, 1);
}

void ColumnsPanel::setFiles(session::FilesResult files) {
    m_files = std::move(files);
    std::erase_if(m_files.files, [this](const session::DataFile& file) {
        return static_cast<std::size_t>(file.dataset) != m_document.dataset();
    });
    showFiles();
    showBroken();
    showFormat();
    showMapping();
    m_settings->setTables(std::ranges::any_of(
        m_files.files, [](const session::DataFile& file) { return file.kind == "CSV" || file.kind == "TSV"; }));
}

void ColumnsPanel::showField(const QString& key) {
    if (key == QStringLiteral("data.format")) m_format->setFocus();
    m_settings->showField(key);
}

const session::DataFile* ColumnsPanel::firstBroken() const {
    const auto found =
        std::ranges::find_if(m_files.files, [](const session::DataFile& file) { return !file.problem.empty(); });
    return found == m_files.files.end() ? nullptr : &*found;
}

// One file that can't be read keeps all others from being used.
void ColumnsPanel::showBroken() {
    const session::DataFile* file = firstBroken();
    for (QWidget* widget : {static_cast<QWidget*>(m_broken), static_cast<QWidget*>(m_leaveOut)})
        widget->setVisible(file != nullptr);
    if (file == nullptr) return;
    m_broken->setText(QString::fromStdString(file->problem));
    m_leaveOut->setAccessibleName(tr("Leave out %1").arg(QFileInfo(QString::fromStdString(file->path)).fileName()));
}

// Files ---------------------------------------------------------------------------------------------------------------

void ColumnsPanel::showFiles() {
    m_tree->clear();
    const auto add = [&](const std::string& path, const QStringList& cells, const QString& why) {
        auto* item =
            new QTreeWidgetItem(m_tree, QStringList(QFileInfo(QString::fromStdString(path)).fileName()) + cells);
        item->setToolTip(0, QString::fromStdString(path));
        item->setToolTip(2, why);
        item->setTextAlignment(kSize, Qt::AlignRight | Qt::AlignVCenter);
        return item;
    };
    for (const session::DataFile& file : m_files.files)
        add(file.path,
            {QString::fromStdString(file.kind),
             file.isValidation ? tr("%1, to validate on").arg(formatName(file)) : formatName(file),
             translations::bytesText(file.bytes)},
            whyOf(file));
    for (const session::LeftOutFile& file : m_files.leftOut)
        add(file.path, {{}, tr("left out: it %1").arg(models::remarkText(file.reason)), {}},
            models::remarkText(file.reason))
            ->setDisabled(true);
    const int shown = std::clamp(m_tree->topLevelItemCount(), 1, kMostFilesShown);
    m_tree->setFixedHeight(m_tree->header()->sizeHint().height() + shown * theme::kTableRow + 2);
}

void ColumnsPanel::removeCurrent() {
    if (const QTreeWidgetItem* item = m_tree->currentItem()) remove(item->toolTip(0).toStdString());
}

// A dataset goes with its last file, where there are others.
void ColumnsPanel::removeFile(session::RunSpec& spec, const std::string& path) const {
    auto& datasets = spec.data.datasets;
    std::erase(datasets[m_document.dataset()].files, path);
    if (datasets[m_document.dataset()].files.empty() && datasets.size() > 1)
        datasets.erase(datasets.begin() + static_cast<std::ptrdiff_t>(m_document.dataset()));
}

// A file that the project names goes at once; one that was found in a folder may go alone, or with its folder.
void ColumnsPanel::remove(const std::string& path) {
    const std::vector<std::string>& named = m_document.spec().data.datasets[m_document.dataset()].files;
    if (path == m_document.spec().data.validationFile || std::ranges::find(named, path) != named.end()) {
        m_document.change(tr("remove data"), [&](session::RunSpec& spec) {
            removeFile(spec, path);
            if (path == spec.data.validationFile) spec.data.validationFile.clear();
        });
        return;
    }
    const auto folder = std::ranges::find_if(named, [&](const std::string& one) { return isBelow(path, one); });
    if (folder != named.end()) askWhatGoes(path, *folder);
}

void ColumnsPanel::leaveOutAlone(const std::string& path) {
    const std::vector<std::string>& named = m_document.spec().data.datasets[m_document.dataset()].files;
    const auto folder = std::ranges::find_if(named, [&](const std::string& one) { return isBelow(path, one); });
    folder == named.end() ? remove(path) : leaveOut(path, *folder);
}

// A project says which files and folders it reads, so a folder of which one file goes becomes the list of its others.
void ColumnsPanel::leaveOut(const std::string& path, const std::string& folder) {
    m_document.change(tr("leave a file out"), [&](session::RunSpec& spec) {
        std::vector<std::string>& named = spec.data.datasets[m_document.dataset()].files;
        const auto place = named.erase(std::ranges::find(named, folder));
        std::vector<std::string> others, validation; // what a name says of a file holds in folders only
        for (const session::DataFile& file : m_files.files)
            if (file.path != path && isBelow(file.path, folder))
                (file.isValidation ? validation : others).push_back(file.path);
        named.insert(place, others.begin(), others.end());
        if (m_document.dataset() == 0 && spec.data.validationFile.empty() && validation.size() == 1)
            spec.data.validationFile = validation.front();
    });
}

void ColumnsPanel::askWhatGoes(const std::string& path, const std::string& folder) {
    const auto numFiles = static_cast<int>(std::ranges::count_if(
        m_files.files, [&](const session::DataFile& file) { return isBelow(file.path, folder); }));
    const QString name = QFileInfo(QString::fromStdString(path)).fileName();
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove data"),
                                tr("“%1” was found in the folder “%2”.").arg(name, QString::fromStdString(folder)),
                                QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("The project reads the whole folder, %n file(s). Without this one it names the others "
                               "one by one, and files that come into the folder later are not read. Nothing is deleted "
                               "on the disk.",
                               nullptr, numFiles));
    const QPushButton* one =
        numFiles > 1 ? box->addButton(tr("Leave out this file"), QMessageBox::AcceptRole) : nullptr;
    const QPushButton* all = box->addButton(tr("Remove the folder"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::buttonClicked, this, [=, this](const QAbstractButton* clicked) {
        if (clicked == one) leaveOut(path, folder);
        if (clicked == all)
            m_document.change(tr("remove data"), [&](session::RunSpec& spec) { removeFile(spec, folder); });
    });
    box->open();
}

// Columns -------------------------------------------------------------------------------------------------------------

void ColumnsPanel::showFormat() {
    const char* chosen = spellingOf(m_document.spec().data.datasets[m_document.dataset()].format);
    m_format->setCurrentIndex(m_format->findData(QString::fromLatin1(chosen)));
}

DataFormat ColumnsPanel::shownFormat() const {
    const DataFormat chosen = m_document.spec().data.datasets[m_document.dataset()].format;
    if (chosen != DataFormat::kAuto || m_files.files.empty()) return chosen;
    return m_files.files.front().format;
}

void ColumnsPanel::showMapping() {
    constexpr int kOwnRows = 3; // the format, why, and what may be meant
    const QWidget* focused = focusWidget() != nullptr && focusWidget()->hasFocus() ? focusWidget() : nullptr;
    const QString chosenIn = focused != nullptr ? focused->property(kFieldProperty).toString() : QString();
    while (m_mapping->rowCount() > kOwnRows)
        m_mapping->removeRow(kOwnRows);
    m_mapping->setRowVisible(m_useSuggested, false);
    if (m_files.files.empty()) return m_why->clear();
    const session::DataFile& first = m_files.files.front();
    const QString reason = whyOf(first);
    const bool isFound = first.problem.empty() && first.format != DataFormat::kAuto && !reason.isEmpty();
    m_why->setText(isFound ? tr("Found to be %1: %2.").arg(formatName(first), reason) : reason);
    m_mapping->setRowVisible(m_why, !m_why->text().isEmpty());
    showSuggested(first);
    for (const std::string& field : session::columnFieldsOf(shownFormat())) {
        QComboBox* input = inputFor(field);
        addInput(QString::fromStdString(field), *input);
        if (chosenIn.isEmpty() || chosenIn != QString::fromStdString(field)) continue;
        input->show(); // what is not on show takes no focus
        input->setFocus();
    }
}

void ColumnsPanel::showSuggested(const session::DataFile& file) {
    QStringList entries;
    for (const auto& [field, column] : file.suggested)
        entries += tr("%1 from “%2”").arg(QString::fromStdString(field), QString::fromStdString(column));
    m_useSuggested->setText(tr("Read %1").arg(entries.join(QStringLiteral(", "))));
    m_mapping->setRowVisible(m_useSuggested, !entries.isEmpty() && file.problem.empty());
}

void ColumnsPanel::useSuggested() {
    std::vector<std::string> columns;
    for (const auto& [field, column] : m_files.files.front().suggested)
        columns.push_back(field + "=" + column);
    m_document.set(session::fieldByKey("data.columns"), columns);
}

// With its label in the middle of its height.
void ColumnsPanel::addInput(const QString& name, QComboBox& input) {
    auto* label = new QLabel(name);
    label->setBuddy(&input);
    m_mapping->addRow(label, &input);
    label->setMinimumHeight(input.sizeHint().height());
}

QComboBox* ColumnsPanel::inputFor(const std::string& field) {
    auto* input = new QComboBox;
    input->setAccessibleName(tr("Column for the field %1").arg(QString::fromStdString(field)));
    input->setProperty(kFieldProperty, QString::fromStdString(field));
    input->setEditable(true); // a path into what a column holds: extra_info.answer
    input->setInsertPolicy(QComboBox::NoInsert);
    input->lineEdit()->setPlaceholderText(tr("no column"));
    input->addItem({});
    std::set<std::string> seen;
    for (const session::DataFile& file : m_files.files)
        for (const session::DataColumn& column : file.columns) {
            if (!seen.insert(column.name).second) continue;
            input->addItem(QString::fromStdString(column.name));
            input->setItemData(input->count() - 1, QString::fromStdString(column.types + ": " + column.example),
                               Qt::ToolTipRole);
        }
    std::string column = seen.contains(field) ? field : "";
    for (const session::ColumnChoice& choice : m_files.files.front().readFrom)
        if (choice.field == field) column = choice.column;
    input->setCurrentText(QString::fromStdString(column));
    const auto chosen = [this, field, input, before = input->currentText()] {
        if (input->currentText() != before) choose(field, input->currentText());
    };
    connect(input, &QComboBox::activated, this, chosen);
    connect(input->lineEdit(), &QLineEdit::editingFinished, this, chosen);
    return input;
}

void ColumnsPanel::choose(const std::string& field, const QString& column) {
    std::vector<std::string> columns;
    for (const std::string& entry : m_document.spec().data.datasets[m_document.dataset()].columns)
        if (!entry.starts_with(field + "=")) columns.push_back(entry);
    if (!column.isEmpty() && column.toStdString() != field) columns.push_back(field + "=" + column.toStdString());
    m_document.set(session::fieldByKey("data.columns"), columns);
}

} // namespace roundpipe::ui::pages
