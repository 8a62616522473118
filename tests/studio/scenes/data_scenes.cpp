// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/data_scenes.h"

#include "studio/scenes/projects.h"

#include <QTest>

#include <fstream>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

void dataNone(Studio& studio) {
    show(studio, "data");
}

void dataFilled(Studio& studio) {
    openDemo(studio);
    show(studio, "data");
}

void dataFilesAndColumns(Studio& studio) {
    dataFilled(studio);
    studio.click("Files and columns");
    studio.settle();
}

void dataWithoutAModel(Studio& studio) {
    dataFilled(studio);
    change(studio, [](session::RunSpec& spec) { spec.model.path.clear(); });
    studio.settle();
}

void dataWithoutATemplate(Studio& studio) {
    openDemo(studio);
    const fs::path bare = studio.services().home.path() / "base-model"; // as they are before anybody talked with them
    fs::copy(studio.services().demo.parent_path() / "model", bare);
    writeFileAtomically(bare / "tokenizer_config.json", "{}");
    change(studio, [&](session::RunSpec& spec) { spec.model.path = bare.string(); });
    show(studio, "data");
}

void dataUnknownColumns(Studio& studio) {
    openDemo(studio);
    std::string rows = "frage,antwort,quelle\n";
    for (int i = 0; i < 200; ++i)
        rows += "What is " + std::to_string(i) + "?,It is a number; \"" + std::to_string(i) + "\",made up\n";
    useRows(studio, "questions.csv", rows);
    show(studio, "data");
}

void dataMixture(Studio& studio) {
    openDemo(studio);
    const fs::path table = studio.services().home.path() / "questions.csv";
    std::ofstream rows(table, std::ios::binary);
    rows << "instruction,output\n";
    for (int i = 0; i < 900; ++i)
        rows << "What is " << i << "?,It is a number: " << i << ".\n";
    rows.close();
    change(studio, [&](session::RunSpec& spec) {
        session::DatasetSection questions;
        questions.files = {table.string()};
        questions.share = ShareKind::kTokens;
        questions.shareAmount = 20'000;
        spec.data.datasets.front().shareAmount = 2;
        spec.data.datasets.push_back(questions);
    });
    show(studio, "data");
    QTest::qWait(1000);
    studio.click("Datasets");
}

// So many that there is something to see of it.
void dataReading(Studio& studio) {
    openDemo(studio);
    const fs::path file = studio.services().home.path() / "many.jsonl";
    std::ofstream rows(file, std::ios::binary);
    std::string answer;
    for (int word = 0; word < 30; ++word)
        answer += "Squawk, the parrot flies. ";
    for (int i = 0; i < 60'000; ++i)
        rows << R"({"messages":[{"role":"user","content":"Tell me story )" << i
             << R"("},{"role":"assistant","content":")" << answer << "\"}]}\n";
    rows.close();
    change(studio, [&](session::RunSpec& spec) { spec.data.datasets.front().files = {file.string()}; });
    studio.page("data");
    studio.waitFor("the first of the rows", [&] {
        const session::WorkbenchStatus& status = studio.services().workbench.status();
        return status.state == session::WorkbenchState::kReading && status.report != nullptr && status.numRows > 0;
    });
    QTest::qWait(300);
}

void dataBrokenFile(Studio& studio) {
    openDemo(studio);
    const fs::path folder = studio.services().home.path() / "rows";
    fs::create_directories(folder);
    fs::copy_file(studio.services().demo.parent_path() / "data" / "instructions.jsonl", folder / "good.jsonl");
    std::ofstream(folder / "broken.parquet", std::ios::binary) << "this is none";
    change(studio, [&](session::RunSpec& spec) { spec.data.datasets.front().files = {folder.string()}; });
    show(studio, "data");
    QTest::qWait(1000);
}

void dataOddRows(Studio& studio) {
    openDemo(studio);
    std::string rows;
    for (int i = 0; i < 60; ++i) {
        const std::string number = std::to_string(i % 50); // the last ten are duplicates
        rows += R"({"messages":[{"role":"user","content":"Say )" + number +
                R"("},{"role":"assistant","content":"It is )" + number + "\"}]}\n";
    }
    rows += "{\"messages\":[]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"No answer\"}]}\nnot JSON\n";
    useRows(studio, "odd.jsonl", rows);
    show(studio, "data");
}

void dataRemarks(Studio& studio) {
    openRemarkable(studio);
    show(studio, "data");
}

} // namespace

std::vector<Scene> dataScenes() {
    return {
        {"data-none", 1, dataNone},
        {"data-filled", 1, dataFilled},
        {"data-files-and-columns", 1, dataFilesAndColumns},
        {"data-without-a-model", 1, dataWithoutAModel},
        {"data-without-a-template", 1, dataWithoutATemplate},
        {"data-unknown-columns", 1, dataUnknownColumns},
        {"data-odd-rows", 1, dataOddRows},
        {"data-reading", 1, dataReading},
        {"data-broken-file", 1, dataBrokenFile},
        {"data-mixture", 1, dataMixture},
        {"data-remarks", 1, dataRemarks},
    };
}

} // namespace roundpipe::testing
