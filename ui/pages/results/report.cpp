// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/report.h"

#include "base/file.h"
#include "base/secrets.h"
#include "session/spec/run_spec_fields.h"
#include "ui/editors/field_text.h"
#include "ui/models/stored_run_text.h"
#include "ui/pages/results/loss_picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

namespace roundpipe::ui::pages {
namespace {

constexpr QSize kPictureSize(1400, 520);
constexpr int kShownWidth = 640;

struct ReportWords { // the context of its translations
    Q_DECLARE_TR_FUNCTIONS(Report)
};

QString escaped(const std::string& utf8) {
    return QString::fromStdString(utf8).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
}

QString row(const QString& title, const QString& html) {
    return QStringLiteral("<tr><th>%1</th><td>%2</td></tr>\n").arg(title.toHtmlEscaped(), html);
}

QString numbersOf(const bridge::RunDetails& details) {
    const runs::StoredRun& run = details.run;
    QString rows = row(ReportWords::tr("State"), models::outcomeText(run.outcome));
    if (!run.problem.empty()) rows += row(ReportWords::tr("Problem"), escaped(run.problem));
    if (run.startedAt > 0)
        rows += row(ReportWords::tr("Started"),
                    QLocale().toString(QDateTime::fromSecsSinceEpoch(run.startedAt), QLocale::LongFormat));
    rows += row(ReportWords::tr("Model"), escaped(run.model));
    QStringList devices;
    for (const std::string& device : run.devices)
        devices.append(escaped(device));
    rows += row(ReportWords::tr("Devices"), devices.join(QStringLiteral(", ")));
    rows += row(ReportWords::tr("Steps"), models::stepsText(run));
    rows += row(ReportWords::tr("Took"), models::durationText(run.seconds));
    rows += row(ReportWords::tr("Speed"), ReportWords::tr("%1 tokens/s").arg(models::rateText(run.tokensPerSecond())));
    if (run.steps > 0) rows += row(ReportWords::tr("Loss"), models::lossText(run.lastLoss));
    if (run.bestValidation)
        rows += row(ReportWords::tr("Validation loss"),
                    ReportWords::tr("%1 at first, %2 at best, %3 at last")
                        .arg(models::lossText(run.firstValidation), models::lossText(run.bestValidation),
                             models::lossText(run.lastValidation)));
    if (details.trainsModel())
        rows += row(ReportWords::tr("Trained model"), models::bytesText(run.modelBytes));
    else
        rows += row(ReportWords::tr("Adapter"), models::bytesText(run.adapterBytes));
    rows += row(ReportWords::tr("Folder"), escaped(run.folder.string()));
    if (!run.note.empty()) rows += row(ReportWords::tr("Note"), escaped(run.note));
    return QStringLiteral("<table>\n%1</table>\n").arg(rows);
}

QString answersOf(const std::vector<runs::BeforeAndAfter>& answers) {
    QString html;
    for (const runs::BeforeAndAfter& answer : answers)
        html += QStringLiteral("<h3>%1</h3>\n<table width=\"100%\"><tr><th width=\"50%\">%2</th><th>%3</th></tr>\n"
                               "<tr><td>%4</td><td>%5</td></tr></table>\n")
                    .arg(escaped(answer.prompt), ReportWords::tr("Before"), ReportWords::tr("After"),
                         escaped(answer.before), escaped(answer.after));
    return html;
}

QString settingsOf(const session::RunSpec& spec) {
    QString rows;
    for (const session::Field& field : session::runSpecFields()) {
        const session::FieldValue value = field.get(spec);
        const QString shown = editors::shownValue(field, value).toHtmlEscaped();
        const bool isUsual = value == field.get(session::RunSpec{});
        rows += row(editors::labelOf(field), isUsual ? shown : QStringLiteral("<b>%1</b>").arg(shown));
    }
    return QStringLiteral("<table>\n%1</table>\n").arg(rows);
}

QString htmlWith(const bridge::RunDetails& details, const QString& picture) {
    const auto heading = [](const QString& text) { return QStringLiteral("<h2>%1</h2>\n").arg(text.toHtmlEscaped()); };
    QString body = QStringLiteral("<h1>%1</h1>\n").arg(escaped(details.run.name)) + numbersOf(details);
    if (!details.steps.empty())
        body += heading(ReportWords::tr("Loss")) +
                QStringLiteral("<p><img src=\"%1\" width=\"%2\" height=\"%3\" alt=\"%4\"></p>\n")
                    .arg(picture)
                    .arg(kShownWidth)
                    .arg(kShownWidth * kPictureSize.height() / kPictureSize.width()) // paper wants both
                    .arg(ReportWords::tr("Loss over the steps").toHtmlEscaped());
    if (!details.answers.empty()) body += heading(ReportWords::tr("Before and after")) + answersOf(details.answers);
    if (details.spec) body += heading(ReportWords::tr("Settings (bold: not the default)")) + settingsOf(*details.spec);
    const QString page =
        QStringLiteral("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>") + escaped(details.run.name) +
        QStringLiteral("</title>\n<style>\n"
                       "body { font-family: sans-serif; margin: 2em auto; max-width: 60em; color: #1a212b; }\n"
                       "h1 { font-size: 20pt; } h2 { font-size: 14pt; margin-top: 24px; } h3 { font-size: 11pt; }\n"
                       "th { text-align: left; font-weight: normal; color: #566070; }\n"
                       "th, td { padding: 2px 16px 2px 0; vertical-align: top; }\n"
                       "img { max-width: 100%; height: auto; }\n</style></head>\n<body>\n") +
        body + QStringLiteral("</body></html>\n");
    return QString::fromStdString(withoutSecrets(page.toStdString())); // it is passed on
}

} // namespace

QString reportHtml(const bridge::RunDetails& details) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    lossPicture(details.steps, kPictureSize).save(&buffer, "PNG");
    return htmlWith(details, QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64()));
}

void writeReportPdf(const bridge::RunDetails& details, const QString& file) {
    const QString name = QStringLiteral("loss.png");
    QTextDocument document;
    document.addResource(QTextDocument::ImageResource, QUrl(name), lossPicture(details.steps, kPictureSize));
    document.setHtml(htmlWith(details, name));
    QBuffer pages; // printing into a file does not say where that failed
    pages.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&pages);
        writer.setTitle(QString::fromStdString(details.run.name));
        writer.setPageSize(QPageSize(QPageSize::A4));
        document.print(&writer);
    }
    writeFileAtomically(file.toStdString(), pages.data().toStdString());
}

} // namespace roundpipe::ui::pages
