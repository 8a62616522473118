// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that differ from their defaults, each a click from its row.
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QPushButton;

namespace roundpipe::ui::pages {

class ChangesCard : public widgets::Card {
    Q_OBJECT
public:
    explicit ChangesCard(document::Document& document, QWidget* parent = nullptr);
    // Of any of its datasets. Without what is own to a run, and what has no effect.
    static std::vector<const session::Field*> changesOf(const session::RunSpec& spec);

signals:
    void chosen(const QString& key);

private:
    void showChanges();

    document::Document& m_document;
    QPushButton* m_reset;
    QWidget* m_list = nullptr;
};

} // namespace roundpipe::ui::pages
