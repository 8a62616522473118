#include "ui/timeline/shortcuts.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::timeline {
namespace {

QString worded(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

} // namespace

std::vector<Shortcut> shortcuts(Gestures gestures) {
    const bool zooms = gestures == Gestures::kZoomAndPan;
    return {
        {zooms ? worded("Wheel, W, S") : worded("Ctrl+wheel, wheel on the ruler, W, S"),
         worded("zoom at the cursor; faster the faster it turns")},
        {zooms ? worded("Drag, A, D, Shift+wheel") : worded("Shift+drag, A, D, Shift+wheel"), worded("move in time")},
        {zooms ? worded("Alt+wheel") : worded("Wheel, Alt+wheel"), worded("scroll the lanes")},
        {zooms ? worded("Shift+drag, drag on the ruler") : worded("Drag"),
         worded("measure a range; its edges can be dragged")},
        {worded("Click"), worded("pin a slice and light its microbatch")},
        {worded("Double click, Enter, F"), worded("zoom to the range or the pinned slice")},
        {worded("Backspace"), worded("back to the view before")},
        {worded("0, Home"), worded("the whole run")},
        {worded("End"), worded("follow the newest steps")},
        {worded("L"), worded("go on following")},
        {worded(". and ,"), worded("next and previous slice of the lane")},
        {worded("N, Shift+N"), worded("next and previous of the same kind")},
        {worded("] and ["), worded("along the pinned microbatch")},
        {worded("/"), worded("search: backward S3, m2 step 14, waits for weights")},
        {worded("M"), worded("set or remove a bookmark")},
        {worded("Esc"), worded("let go of slice and range")},
        {worded("?"), worded("this sheet")}};
}

void showShortcuts(QWidget* parent, Gestures gestures) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(worded("Timeline: keys and gestures"));
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
