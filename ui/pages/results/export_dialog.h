// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be made of a run for other programs, and what they will say of it.
#pragma once

#include "ui/bridge/run_library_controller.h"
#include "ui/pages/contract/services.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QVBoxLayout;

namespace roundpipe::ui::pages {

// Deletes itself when it is closed; accepted, it has begun the export.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(const Services& services, const bridge::RunDetails& details, QWidget* parent);

private:
    QWidget* buildChoices(const bridge::RunDetails& details);
    QWidget* buildFoot();
    void fillTypes();
    session::ExportTask request() const;
    void ask(); // what is to be known of the present choice
    void showRemarks(const session::ExportRemarks& found);
    void say(const QString& text, const char* look);
    void clearWords();

    Services m_services;
    std::filesystem::path m_run;
    QComboBox *m_what, *m_type, *m_from;
    QLabel* m_typeLabel;
    QCheckBox* m_isProved;
    QVBoxLayout* m_words;
};

} // namespace roundpipe::ui::pages
