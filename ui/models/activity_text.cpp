// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity_text.h"

#include "ui/models/coded_text.h"

#include <QStringList>

namespace roundpipe::ui::models {

QString activityText(const std::vector<session::Activity>& activities) {
    QStringList parts;
    for (const session::Activity& activity : activities)
        parts.append(wordsOf("Activity", activity));
    return parts.join(QStringLiteral(" · "));
}

} // namespace roundpipe::ui::models
