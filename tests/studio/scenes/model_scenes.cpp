// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/model_scenes.h"

#include "studio/scenes/projects.h"
#include "ui/hub/hub_dialog.h"

#include <QAction>
#include <QCoreApplication>
#include <QLineEdit>
#include <QTableView>
#include <QTest>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

void addModels(Studio& studio) {
    writeModel(studio, "Qwen3-8B", 4096, 36);
    writeModel(studio, "Qwen3-Huge", 16384, 120);
    const fs::path refused = studio.services().home.path() / "models" / "gemma-2-2b";
    fs::create_directories(refused);
    writeFileAtomically(refused / "config.json", R"({"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2"})");
    studio.services().preferences.set(
        QStringLiteral("models/folders"),
        QStringList(QString::fromStdString((studio.services().home.path() / "models").string())));
}

void waitForVerdicts(Studio& studio) {
    const QAbstractItemModel* list = studio.window().page(QStringLiteral("model"))->findChild<QTableView*>()->model();
    studio.waitFor(
        "the verdicts",
        [&] {
            for (int row = 0; row < list->rowCount(); ++row)
                if (!QStringLiteral("✓△✕").contains(list->index(row, 3).data().toString().left(1))) return false;
            return list->rowCount() >= 4;
        },
        60);
}

void modelNone(Studio& studio) {
    show(studio, "model");
}

void modelSome(Studio& studio) {
    addModels(studio);
    openDemo(studio);
    show(studio, "model");
    waitForVerdicts(studio);
}

void modelRefused(Studio& studio) {
    modelSome(studio);
    auto* table = studio.window().page(QStringLiteral("model"))->findChild<QTableView*>();
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (table->model()->index(row, 0).data().toString().contains(QLatin1String("gemma"))) table->selectRow(row);
    studio.settle();
}

void modelFromTheHub(Studio& studio) {
    show(studio, "model");
    const QString name = QCoreApplication::translate("roundpipe::ui::hub::HubDialog", "From the Hub…");
    for (QAction* action : studio.window().page(QStringLiteral("model"))->findChildren<QAction*>())
        if (action->text() == name) action->trigger();
    auto* words = studio.window().findChild<ui::hub::HubDialog*>()->findChild<QLineEdit*>();
    QTest::keyClicks(words, QStringLiteral("instruct"));
    QTest::keyClick(words, Qt::Key_Return);
    QTest::qWait(600);
}

} // namespace

std::vector<Scene> modelScenes() {
    return {
        {"model-none", 1, modelNone},
        {"model-some", 1, modelSome},
        {"model-refused", 1, modelRefused},
        {"model-from-the-hub", 1, modelFromTheHub},
    };
}

} // namespace roundpipe::testing
