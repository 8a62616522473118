// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page on show, with files that a test writes.
#pragma once

#include "test_services.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/report/length_histogram.h"
#include "ui/pages/data/rows/rows_table.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::testing {

// A row of one question and its answer, as a line of JSONL.
inline std::string chat(const std::string& question, const std::string& answer) {
    const std::string user = R"({"messages":[{"role":"user","content":")" + question;
    return user + R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
}

// A page on show, with the demo's model.
struct ShownDataPage {
    explicit ShownDataPage(bool hasModel = true) {
        if (hasModel)
            test.document.change(QStringLiteral("model"), [](session::RunSpec& spec) {
                spec.model.path = (sourceFolder() / "resources" / "demo" / "model").string();
                spec.data.cache = false;
                spec.data.validationFraction = 0;
            });
        page = std::make_unique<ui::pages::DataPage>(test.services());
        page->resize(1072, 740);
        page->show();
    }
    std::string write(const char* name, const std::string& content) {
        const auto path = test.home.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path.string();
    }
    void use(const std::vector<std::string>& files) { test.document.set(session::fieldByKey("data.files"), files); }
    bool becomes(session::WorkbenchState state) {
        return QTest::qWaitFor(
            [&] { return test.workbench.status().state == state && page->status().text != tr("opening…"); }, 20'000);
    }
    bool isReady() {
        return QTest::qWaitFor(
            [&] {
                return test.workbench.status().state == session::WorkbenchState::kReady &&
                       page->status().mark == ui::pages::PageStatus::Mark::kDone;
            },
            20'000);
    }
    static QString tr(const char* text) { return QString::fromUtf8(text); }
    ui::pages::RowsTable& table() { return *page->findChild<ui::pages::RowsTable*>(); }
    ui::pages::LensPanel& lens() { return *page->findChild<ui::pages::LensPanel*>(); }
    ui::pages::LengthHistogram& lengths() { return *page->findChild<ui::pages::LengthHistogram*>(); }
    QString cell(int row, ui::pages::RowsModel::Column column) {
        return table().model()->index(row, column).data().toString();
    }
    QString remark(int row) {
        return table()
            .model()
            ->index(row, ui::pages::RowsModel::kText)
            .data(ui::pages::RowsModel::kRemarkRole)
            .toString();
    }
    bool cellBecomes(int row, ui::pages::RowsModel::Column column, const char* text) {
        return QTest::qWaitFor([&] { return cell(row, column) == QString::fromUtf8(text); }, 10'000);
    }

    TestServices test;
    std::unique_ptr<ui::pages::DataPage> page;
};

} // namespace roundpipe::testing
