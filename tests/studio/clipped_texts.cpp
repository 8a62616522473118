// SPDX-License-Identifier: GPL-3.0-or-later
#include "clipped_texts.h"

#include "ui/widgets/elided_label.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>

namespace roundpipe::testing {
namespace {

QString called(const QWidget& widget, const QString& text) {
    QString shown = text.simplified();
    if (shown.size() > 60) shown = shown.left(60) + QStringLiteral("…");
    return QStringLiteral("%1 “%2”").arg(QString::fromLatin1(widget.metaObject()->className()), shown);
}

void compare(QStringList& found, const QWidget& widget, const QString& text, int needed, int had) {
    if (needed > had + 1)
        found += QStringLiteral("%1 needs %2 px, has %3").arg(called(widget, text)).arg(needed).arg(had);
}

void checkLabel(QStringList& found, const QLabel& label) {
    if (label.text().isEmpty()) return;
    if (qobject_cast<const ui::widgets::ElidedLabel*>(&label) != nullptr)
        return compare(found, label, label.text(), label.fontMetrics().horizontalAdvance(label.text()),
                       label.contentsRect().width());
    if (label.text().endsWith(QChar(0x2026)) && !label.toolTip().isEmpty()) return;
    if (label.wordWrap())
        compare(found, label, label.text(), label.heightForWidth(label.width()), label.height());
    else
        compare(found, label, label.text(), label.sizeHint().width(), label.width());
}

void checkButton(QStringList& found, const QAbstractButton& button) {
    if (button.text().isEmpty()) return;
    compare(found, button, button.text(), button.sizeHint().width(), button.width());
    compare(found, button, button.text(), button.fontMetrics().height(), button.height());
}

void checkComboBox(QStringList& found, const QComboBox& box) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    compare(found, box, box.currentText(), box.fontMetrics().horizontalAdvance(box.currentText()), field.width());
}

void checkLineEdit(QStringList& found, const QLineEdit& edit) {
    const QString text = edit.text().isEmpty() ? edit.placeholderText() : QString();
    compare(found, edit, text, edit.fontMetrics().horizontalAdvance(text), edit.width() - 8);
}

void checkTabs(QStringList& found, const QTabBar& tabs) {
    for (int i = 0; i < tabs.count(); ++i)
        compare(found, tabs, tabs.tabText(i), tabs.tabRect(i).right() + 1, tabs.width());
}

void checkHeader(QStringList& found, const QHeaderView& header) {
    for (int i = 0; header.orientation() == Qt::Horizontal && i < header.count(); ++i)
        if (!header.isSectionHidden(i))
            compare(found, header, header.model()->headerData(i, Qt::Horizontal).toString(),
                    header.sectionSizeHint(i) - 8, header.sectionSize(i));
}

void checkTable(QStringList& found, const QTableView& table) {
    const QAbstractItemModel* model = table.model();
    if (model == nullptr) return;
    for (int row = std::max(0, table.rowAt(0)); row < model->rowCount() && row <= table.rowAt(0) + 40; ++row)
        for (int column = 0; column < model->columnCount(); ++column) {
            const QModelIndex index = model->index(row, column);
            if (table.isColumnHidden(column) || !index.data(Qt::ToolTipRole).toString().isEmpty()) continue;
            if (table.itemDelegateForIndex(index) != table.itemDelegate()) continue; // draws it in its own way
            for (const QString& line : index.data().toString().split(QLatin1Char('\n')))
                compare(found, table, line, table.fontMetrics().horizontalAdvance(line), table.columnWidth(column));
        }
}

// What can't be scrolled to must lie within its parent.
void checkPlace(QStringList& found, const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    if (parent == nullptr || widget.isWindow()) return;
    const QWidget* area = parent->parentWidget();
    if (qobject_cast<const QAbstractScrollArea*>(area) != nullptr || qobject_cast<const QAbstractScrollArea*>(parent))
        return;
    const QRect outer = parent->rect().adjusted(-1, -1, 1, 1);
    if (widget.geometry().isEmpty() || outer.contains(widget.geometry())) return;
    const QRect at = widget.geometry();
    found += QStringLiteral("%1 (%2) at %3,%4 %5×%6 lies outside of its %7 of %8×%9")
                 .arg(QString::fromLatin1(widget.metaObject()->className()), widget.accessibleName())
                 .arg(at.x())
                 .arg(at.y())
                 .arg(at.width())
                 .arg(at.height())
                 .arg(QString::fromLatin1(parent->metaObject()->className()))
                 .arg(parent->width())
                 .arg(parent->height());
}

// What is pressed, typed into or read must be whole: nothing that holds it, however far out, may cut it off. What can
// be scrolled to may be cut off above and below.
void checkWhole(QStringList& found, const QWidget& widget) {
    const bool isRead = qobject_cast<const QLabel*>(&widget) != nullptr;
    const bool isUsed = qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
                        qobject_cast<const QComboBox*>(&widget) != nullptr ||
                        qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                        qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
    if ((!isRead && !isUsed) || widget.isWindow()) return;
    QRect seen = widget.rect();
    int height = widget.height(); // of it that must be seen
    for (const QWidget* at = &widget; !at->isWindow(); at = at->parentWidget()) {
        seen.translate(at->pos());
        const QWidget& outer = *at->parentWidget();
        const auto* area = qobject_cast<const QAbstractScrollArea*>(outer.parentWidget());
        if (area != nullptr && area->viewport() == &outer) { // can be scrolled to any height
            seen = QRect(seen.left(), 0, seen.width(), 1);
            height = 1;
        }
        seen &= outer.rect();
    }
    if (seen.width() < widget.width() - 1 || seen.height() < height - 1)
        found += QStringLiteral("of %1 only %2×%3 px of %4×%5 are seen")
                     .arg(called(widget, isRead ? static_cast<const QLabel&>(widget).text() : widget.accessibleName()))
                     .arg(seen.width())
                     .arg(seen.height())
                     .arg(widget.width())
                     .arg(widget.height());
}

bool hasWords(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) return !label->text().isEmpty();
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

// Neighbours that lie over each other. A field's own buttons lie in it.
void checkNeighbours(QStringList& found, const QWidget& parent) {
    if (hasWords(parent) && parent.layout() == nullptr) return;
    const QList<QWidget*> children = parent.findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    for (qsizetype i = 0; i < children.size(); ++i)
        for (qsizetype j = 0; j < i; ++j) {
            const QWidget &one = *children[i], &other = *children[j];
            if (!one.isVisible() || !other.isVisible() || !hasWords(one) || !hasWords(other)) continue;
            if (one.isWindow() || other.isWindow()) continue;
            const QRect both = one.geometry() & other.geometry();
            if (both.width() > 1 && both.height() > 1)
                found += QStringLiteral("%1 lies over %2")
                             .arg(called(one, one.accessibleName()), called(other, other.accessibleName()));
        }
}

// What makes it as wide as it must be, from the outside in.
QString widestIn(const QWidget& widget) {
    const QWidget* widest = nullptr;
    for (const QWidget* child : widget.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (child->isVisible() &&
            (widest == nullptr || child->minimumSizeHint().width() > widest->minimumSizeHint().width()))
            widest = child;
    if (widest == nullptr) return {};
    return QStringLiteral(" > %1 “%2” %3")
               .arg(QString::fromLatin1(widest->metaObject()->className()),
                    widest->inherits("QLabel") ? static_cast<const QLabel*>(widest)->text() : widest->accessibleName())
               .arg(widest->minimumSizeHint().width()) +
           widestIn(*widest);
}

// What is wider than its view must be scrolled sideways, or can't be reached at all.
void checkScrolling(QStringList& found, const QScrollArea& area) {
    if (area.widget() == nullptr || area.widget()->width() <= area.viewport()->width()) return;
    found += QStringLiteral("what is scrolled is %1 px wide, its view %2%3")
                 .arg(area.widget()->width())
                 .arg(area.viewport()->width())
                 .arg(widestIn(*area.widget()));
}

} // namespace

QStringList clippedTexts(const QWidget& window) {
    // A number that has just become longer is laid out before it is painted.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QStringList found;
    checkNeighbours(found, window);
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible()) continue;
        if (const auto* label = qobject_cast<const QLabel*>(widget)) checkLabel(found, *label);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) checkButton(found, *button);
        if (const auto* box = qobject_cast<const QComboBox*>(widget)) checkComboBox(found, *box);
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) checkLineEdit(found, *edit);
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) checkTabs(found, *tabs);
        if (const auto* header = qobject_cast<const QHeaderView*>(widget)) checkHeader(found, *header);
        if (const auto* table = qobject_cast<const QTableView*>(widget)) checkTable(found, *table);
        if (const auto* area = qobject_cast<const QScrollArea*>(widget)) checkScrolling(found, *area);
        checkPlace(found, *widget);
        checkWhole(found, *widget);
        checkNeighbours(found, *widget);
    }
    found.removeDuplicates();
    return found;
}

} // namespace roundpipe::testing
