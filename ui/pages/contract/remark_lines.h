// SPDX-License-Identifier: GPL-3.0-or-later
// What deserves a word of the project's settings, a line each, with a button that sets the better value; and what other
// programs would refuse of the result.
#pragma once

#include "ui/pages/contract/services.h"

#include <QWidget>

#include <vector>

namespace roundpipe::ui::pages {

// Follows the project and its plan; hidden where there is nothing to say.
class RemarkLines : public QWidget {
    Q_OBJECT
public:
    // `keys`: what fields' keys begin with, "data."; empty: of all fields, and of the result.
    RemarkLines(const Services& services, QString keys, QWidget* parent = nullptr);

private:
    void showRemarks();
    QWidget* lineOf(const session::SpecRemark& remark) const;

    Services m_services;
    QString m_keys;
    std::vector<session::SpecRemark> m_shown;
    std::vector<session::ExportRemark> m_refusals;
    QWidget* m_lines = nullptr;
};

} // namespace roundpipe::ui::pages
