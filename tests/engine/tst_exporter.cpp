// SPDX-License-Identifier: GPL-3.0-or-later
// The door to exports, over a run of the demo's model: what it makes, proves, refuses and gives up.
#include "engine/exporter.h"
#include "runs/exports_file.h"
#include "runs/run_files.h"
#include "small_run.h"

#include <variant>

using namespace roundpipe;
namespace fs = std::filesystem;

namespace roundpipe::engine {
namespace {

class ExporterTest : public SmallRun {
protected:
    ExporterTest() {
        m_spec.model.path = testing::sourceFolder() / "resources/demo/model";
        m_spec.model.randomWeights = false;
        m_spec.duration.maxSteps = 2;
        m_prompts = {"Who are you?"};
        run("run");
        m_run = m_folder.path() / "run";
    }
    session::ExportResult result() {
        for (;;) {
            const std::vector<session::ExportResult> results = m_exporter->takeResults();
            if (!results.empty()) return results.front();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    std::vector<runs::ExportRecord> records() const { return runs::readExports(runs::RunFiles{m_run}.exports()); }

    fs::path m_run;
    std::unique_ptr<session::Exporter> m_exporter = makeExporter();
};

TEST_F(ExporterTest, makesProvesAndKeepsWhatWasAskedFor) {
    m_exporter->begin({.run = m_run, .kind = ExportKind::kMerged});
    const auto made = result();
    ASSERT_TRUE(std::holds_alternative<session::ExportMade>(made)) << std::get<session::ExportFailed>(made).problem;
    EXPECT_EQ(std::get<session::ExportMade>(made).folder, m_run / "exports" / "merged");
    EXPECT_TRUE(fs::exists(m_run / "exports" / "merged" / "config.json"));
    EXPECT_FALSE(m_exporter->isBusy());
    EXPECT_EQ(m_exporter->progress().done + 1, m_exporter->progress().all); // the last question was put
    ASSERT_EQ(records().size(), 1U);
    ASSERT_TRUE(records()[0].proof);
    EXPECT_TRUE(records()[0].proof->passed);
    EXPECT_EQ(records()[0].proof->prompts, 1); // the run's own
}

TEST_F(ExporterTest, aCheckpointHasAPlaceOfItsOwn) {
    m_exporter->begin({.run = m_run, .checkpoint = "last", .kind = ExportKind::kAdapter, .isProved = false});
    ASSERT_TRUE(std::holds_alternative<session::ExportMade>(result()));
    EXPECT_TRUE(fs::exists(m_run / "exports" / "adapter-last" / "adapter_config.json"));
    ASSERT_EQ(records().size(), 1U);
    EXPECT_EQ(records()[0].checkpoint, "last");
    EXPECT_FALSE(records()[0].proof);
}

TEST_F(ExporterTest, saysBeforehandWhoWillRefuseWhat) {
    m_exporter->check({.run = m_run, .kind = ExportKind::kAdapter});
    const auto found = result();
    ASSERT_TRUE(std::holds_alternative<session::ExportRemarks>(found));
    EXPECT_FALSE(std::get<session::ExportRemarks>(found).remarks.empty());
    EXPECT_FALSE(fs::exists(m_run / "exports"));
    m_exporter->check({.run = m_run, .checkpoint = "nosuch"});
    const auto failed = result();
    ASSERT_TRUE(std::holds_alternative<session::ExportFailed>(failed));
    EXPECT_TRUE(std::get<session::ExportFailed>(failed).wasChecked);
    EXPECT_NE(std::get<session::ExportFailed>(failed).problem.find("nosuch"), std::string::npos);
}

// Wherever it is: nothing is left of what was not whole, and what was whole is kept in the run's file.
TEST_F(ExporterTest, canBeGivenUp) {
    m_exporter->begin({.run = m_run, .kind = ExportKind::kMerged});
    m_exporter->cancel();
    const auto end = result();
    ASSERT_TRUE(std::holds_alternative<session::ExportFailed>(end));
    const auto& failed = std::get<session::ExportFailed>(end);
    EXPECT_EQ(failed.problemKind, ErrorKind::kCancelled);
    EXPECT_EQ(failed.isWhole, fs::exists(m_run / "exports" / "merged"));
    EXPECT_EQ(records().size(), failed.isWhole ? 1U : 0U);
    m_exporter->begin({.run = m_run, .kind = ExportKind::kMerged, .isProved = false}); // it can be begun anew
    EXPECT_TRUE(std::holds_alternative<session::ExportMade>(result()));
}

} // namespace
} // namespace roundpipe::engine
