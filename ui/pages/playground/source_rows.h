// SPDX-License-Identifier: GPL-3.0-or-later
// Who answers: one adapter or the model alone, and further adapters beside the first, a row each.
#pragma once

#include "ui/pages/playground/chat_sources.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QVBoxLayout;

namespace roundpipe::ui::document {
class Document;
}

namespace roundpipe::ui::pages {

class SourceRows : public QWidget {
    Q_OBJECT
public:
    // An adapter's folder that somebody chooses is taken for one of the project's model, where it names none.
    explicit SourceRows(const document::Document& document, QWidget* parent = nullptr);

    void offer(std::vector<ChatSource> sources);              // folders that somebody chose stay
    void choose(const std::filesystem::path& adapterOrModel); // where it is offered
    void forgetChoice();                                      // the first that is offered next is chosen
    bool wasChosen() const { return m_wasChosen; }

    const std::optional<ChatSource>& first() const { return m_rows.front()->source; }
    std::vector<std::filesystem::path> adapters() const;

signals:
    void changed();     // by somebody
    void firstChosen(); // by somebody: the model goes with it

private:
    struct Row {
        QWidget* place;
        QComboBox* box;
        std::optional<ChatSource> source; // chosen in it
    };
    void addRow();
    void removeRow(QWidget* place);
    void fill(Row& row);
    void chosen(Row& row);
    void chooseFolder(Row& row);
    void showMore();

    const document::Document& m_document;
    std::vector<ChatSource> m_sources; // that are offered
    std::vector<std::unique_ptr<Row>> m_rows;
    QVBoxLayout* m_layout;
    QPushButton* m_more;
    bool m_wasChosen = false; // by the user: stays when more is offered
};

} // namespace roundpipe::ui::pages
