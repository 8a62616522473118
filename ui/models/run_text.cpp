#include "ui/models/run_text.h"

#include "ui/models/coded_text.h"

namespace roundpipe::ui::models {

QString runText(const session::RunEvent& event) {
    if (event.coded.empty()) return QString::fromStdString(event.text);
    QStringList sentences;
    for (const session::RunText& sentence : event.coded)
        sentences.append(sentence.code == session::RunTextCode::kAsSaid ? QString::fromStdString(sentence.text())
                                                                        : wordsOf("RunText", sentence));
    return sentences.join(QLatin1Char(' '));
}

} // namespace roundpipe::ui::models
