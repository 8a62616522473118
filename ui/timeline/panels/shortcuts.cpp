// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/shortcuts.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::timeline {
namespace {

struct ShortcutWords { // the context of their translations
    Q_DECLARE_TR_FUNCTIONS(timeline)
};

} // namespace

std::vector<Shortcut> shortcuts(Gestures gestures) {
    const bool zooms = gestures == Gestures::kZoomAndPan;
    return {{zooms ? ShortcutWords::tr("Wheel, W, S") : ShortcutWords::tr("Ctrl+wheel, wheel on the ruler, W, S"),
             ShortcutWords::tr("zoom at the cursor; faster the faster it turns")},
            {zooms ? ShortcutWords::tr("Drag, A, D, ←, →, Shift+wheel")
                   : ShortcutWords::tr("Shift+drag, A, D, ←, →, Shift+wheel"),
             ShortcutWords::tr("move in time")},
            {zooms ? ShortcutWords::tr("Alt+wheel") : ShortcutWords::tr("Wheel, Alt+wheel"),
             ShortcutWords::tr("scroll the lanes")},
            {zooms ? ShortcutWords::tr("Shift+drag, drag on the ruler") : ShortcutWords::tr("Drag"),
             ShortcutWords::tr("measure a range; its edges can be dragged")},
            {ShortcutWords::tr("Click"), ShortcutWords::tr("pin a slice and light its microbatch")},
            {ShortcutWords::tr("Double click, Enter"), ShortcutWords::tr("zoom to the range or the pinned slice")},
            {ShortcutWords::tr("F, F F"), ShortcutWords::tr("bring it into the middle; once more: zoom to it")},
            {ShortcutWords::tr("Backspace, Alt+←"), ShortcutWords::tr("back to the view before")},
            {ShortcutWords::tr("0, Home"), ShortcutWords::tr("the whole run")},
            {ShortcutWords::tr("End"), ShortcutWords::tr("follow the newest steps")},
            {ShortcutWords::tr("L"), ShortcutWords::tr("go on following")},
            {ShortcutWords::tr(". and ,"), ShortcutWords::tr("next and previous slice of the lane")},
            {ShortcutWords::tr("N, Shift+N"), ShortcutWords::tr("next and previous of the same kind")},
            {ShortcutWords::tr("] and ["), ShortcutWords::tr("along the pinned microbatch")},
            {ShortcutWords::tr("↑ and ↓, then Space or T"),
             ShortcutWords::tr("choose a device; fold its lanes, or keep it on top")},
            {ShortcutWords::tr("/"), ShortcutWords::tr("search: backward S3, m2 step 14, waits for weights")},
            {ShortcutWords::tr("M"), ShortcutWords::tr("set or remove a bookmark")},
            {ShortcutWords::tr("P"), ShortcutWords::tr("show or hide the steps as they were planned")},
            {ShortcutWords::tr("Esc"), ShortcutWords::tr("let go of slice and range")},
            {ShortcutWords::tr("?"), ShortcutWords::tr("this sheet")}};
}

void showShortcuts(QWidget* parent, Gestures gestures) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ShortcutWords::tr("Timeline: keys and gestures"));
    auto* column = new QVBoxLayout(dialog);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    int row = 0;
    for (const Shortcut& shortcut : shortcuts(gestures)) {
        auto* keys = new QLabel(shortcut.keys);
        QFont bold = keys->font();
        bold.setWeight(QFont::DemiBold);
        keys->setFont(bold);
        grid->addWidget(keys, row, 0);
        grid->addWidget(new QLabel(shortcut.does), row++, 1);
    }
    column->addLayout(grid);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->open();
}

} // namespace roundpipe::ui::timeline
