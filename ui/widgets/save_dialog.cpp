// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_dialog.h"

#include <QFileDialog>
#include <QFileInfo>

namespace roundpipe::ui::widgets {

QString askWhereToSave(QWidget* parent, const QString& title, const std::vector<SaveKind>& kinds) {
    QFileDialog dialog(parent, title);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    const auto suggest = [&](const SaveKind& kind) {
        dialog.setDefaultSuffix(QFileInfo(kind.name).suffix());
        dialog.selectFile(kind.name);
    };
    QStringList filters;
    for (const SaveKind& kind : kinds)
        if (!kind.filter.isEmpty()) filters.append(kind.filter);
    if (!filters.isEmpty()) dialog.setNameFilters(filters);
    suggest(kinds.front());
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& filter) {
        for (const SaveKind& kind : kinds)
            if (kind.filter == filter) suggest(kind);
    });
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace roundpipe::ui::widgets
