// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_text.h"

#include "ui/models/coded_text.h"
#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace roundpipe::ui::models {

QString runText(const session::RunEvent& event) {
    if (event.coded.empty()) return QString::fromStdString(event.text);
    QStringList sentences;
    for (const session::RunText& sentence : event.coded)
        sentences.append(runText(sentence));
    return sentences.join(QLatin1Char(' '));
}

QString runText(const session::RunText& text) {
    if (text.code == session::RunTextCode::kAsSaid) return QString::fromStdString(text.text());
    session::RunText worded = text;
    if (text.code == session::RunTextCode::kSimulated || text.code == session::RunTextCode::kSimulatedAtSpeed)
        worded.arguments.front() = rigText(text.arguments.front()).toStdString();
    return wordsOf("RunText", worded);
}

bool isLasting(const session::RunEvent& warning) {
    using enum session::RunTextCode;
    return std::ranges::any_of(warning.coded, [](const session::RunText& text) {
        return text.code == kCurvesNotWritten || text.code == kCheckpointNotWritten ||
               text.code == kCheckpointNotRenewed || text.code == kDiskFull || text.code == kLittleRoom ||
               text.code == kMemoryShort;
    });
}

QString betterText(const session::SpecRemark& remark) {
    return QCoreApplication::translate("SpecRemark", "Set to %1")
        .arg(translations::localText(remark.text.arguments.back()));
}

} // namespace roundpipe::ui::models
