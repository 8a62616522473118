// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/foreign_run_dialog.h"

#include "ui/theme/table_row.h"
#include "ui/widgets/whole_rows.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::shell {
namespace {

constexpr QSize kSize(760, 420);
constexpr int kLongestValue = 80; // a list of datasets may be pages long
constexpr int kWidestValue = 240;

struct ForeignRunDialog {
    Q_DECLARE_TR_FUNCTIONS(ForeignRunDialog)
};

// A tree takes each row for one of one line; here it has as many as its longest cell.
class WrappedRows : public widgets::WholeRows {
public:
    explicit WrappedRows(QTreeView* view) : WholeRows(view), m_view(view) {}
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kAtSides = 10, kAboveAndBelow = 14; // as a row of one line has them
        const QRect room(0, 0, m_view->columnWidth(index.column()) - kAtSides, QWIDGETSIZE_MAX);
        const QRect text = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, index.data().toString());
        return {text.width() + kAtSides, std::max(theme::kTableRow, text.height() + kAboveAndBelow)};
    }

private:
    const QTreeView* m_view;
};

QString shownText(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QTreeWidget* listOf(const std::vector<session::NotTaken>& items) {
    auto* list = new QTreeWidget;
    list->setHeaderLabels(
        {ForeignRunDialog::tr("Setting"), ForeignRunDialog::tr("Value"), ForeignRunDialog::tr("Why")});
    list->setAccessibleName(ForeignRunDialog::tr("Settings without a counterpart"));
    list->setRootIsDecorated(false);
    list->setWordWrap(true);
    for (const session::NotTaken& item : items) {
        const QString value = shownText(item.value), reason = shownText(item.reason);
        const QString shown = value.size() > kLongestValue ? value.left(kLongestValue) + QStringLiteral("…") : value;
        auto* row = new QTreeWidgetItem(list, {shownText(item.key), shown, reason});
        row->setToolTip(1, value);
        row->setToolTip(2, reason);
    }
    list->header()->setStretchLastSection(true);
    list->resizeColumnToContents(0);
    list->resizeColumnToContents(1);
    list->setColumnWidth(1, std::min(list->columnWidth(1), kWidestValue));
    list->setItemDelegate(new WrappedRows(list)); // of columns as wide as they are now
    list->setCurrentItem(list->topLevelItem(0));
    QObject::connect(list->header(), &QHeaderView::sectionResized, list, &QTreeWidget::doItemsLayout);
    return list;
}

} // namespace

void showNotTaken(QWidget& parent, const session::ForeignRun& run) {
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ForeignRunDialog::tr("A run of %1").arg(shownText(run.program)));
    auto* words = new QLabel(
        ForeignRunDialog::tr("The run was opened as a new project. %n of its settings has no counterpart here; the "
                             "others stand on the page Settings.",
                             nullptr, static_cast<int>(run.notTaken.size())));
    words->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(words);
    layout->addWidget(listOf(run.notTaken), 1);
    layout->addWidget(buttons);
    dialog->resize(kSize);
    dialog->open();
}

} // namespace roundpipe::ui::shell
