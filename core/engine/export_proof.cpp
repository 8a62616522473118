// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export_proof.h"

#include "artifact/adapter_config.h"
#include "artifact/gguf/gguf_adapter.h"
#include "artifact/merge/combined_adapter.h"
#include "base/error.h"
#include "engine/answerer.h"
#include "runs/answers_file.h"
#include "runs/run_files.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace roundpipe::engine {
namespace {

namespace fs = std::filesystem;

// What rounding of the weights may do to logits, as a share of their spread: several times what a few small models
// showed, no bound that anybody has derived.
double allowedGapOf(const artifact::ExportJob& job) {
    if (job.kind == ExportKind::kAdapter || (job.kind == ExportKind::kGgufAdapter && job.type == GgufType::kF32))
        return 0.005;
    if (job.kind == ExportKind::kMerged || job.kind == ExportKind::kGgufAdapter) return 0.05;
    switch (job.type) {
    case GgufType::kF32:
        return 0.005;
    case GgufType::kF16:
    case GgufType::kBF16:
        return 0.05;
    case GgufType::kQ8:
        return 0.06;
    case GgufType::kQ6K:
        return 0.15;
    case GgufType::kQ5KM:
        return 0.25;
    case GgufType::kQ4KM:
        return 0.4;
    }
    return 0;
}
constexpr double kMostContradicted = 0.01; // of the tokens
// Times the allowed gap: two logits that are off by a usual gap each do not change places over such a lead.
constexpr double kClearLead = 5;

// A folder beside the export for what is only read back: removed again.
class AsideFolder {
public:
    explicit AsideFolder(const fs::path& out) : m_path(out.string() + ".proof-" + std::to_string(::getpid())) {
        std::error_code failed;
        fs::create_directories(m_path, failed);
        if (failed) throw ioError("make the folder", m_path, failed.value());
    }
    ~AsideFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    AsideFolder(const AsideFolder&) = delete;
    AsideFolder& operator=(const AsideFolder&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

// One adapter that the engine can load is loaded as it is; all else as the one adapter that it adds up to.
std::string loadableAdapter(const artifact::ExportJob& job, const fs::path& aside) {
    if (job.adapters.empty()) return {};
    if (job.adapters.size() == 1 && job.adapters.front().weight == 1) {
        try {
            artifact::readAdapterConfig(job.adapters.front().folder);
            return job.adapters.front().folder.string();
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::kUnsupported) throw;
        }
    }
    const artifact::MergedModel model(job.model, job.adapters);
    artifact::OutputFolder out(aside / "combined", artifact::CombinedAdapter(model).bytes());
    artifact::writeCombined(out, model, job.model.string());
    out.commit();
    return (aside / "combined").string();
}

AnswererOptions baseOf(const ProofJob& proof) {
    AnswererOptions from;
    from.model = proof.job.model.string();
    from.device = proof.device;
    from.precision = proof.precision;
    return from;
}

// How the export's files are asked.
AnswererOptions readBack(const ProofJob& proof, const fs::path& aside) {
    const artifact::ExportJob& job = proof.job;
    AnswererOptions from = baseOf(proof);
    const auto adapterOf = [&](const fs::path& file) {
        const artifact::MergedModel model(job.model, job.adapters);
        fs::create_directories(aside / "read back");
        artifact::readGgufAdapter(artifact::GgufFile::open(file), model, aside / "read back");
        return (aside / "read back").string();
    };
    switch (job.kind) {
    case ExportKind::kAdapter:
        from.adapter = job.out.string();
        break;
    case ExportKind::kMerged:
        from.model = job.out.string();
        break;
    case ExportKind::kGgufAdapter:
        from.adapter = adapterOf(job.out / artifact::kGgufAdapterFile);
        break;
    case ExportKind::kGguf:
    case ExportKind::kOllama:
        from.gguf = (job.out / artifact::kGgufModelFile).string();
        break;
    }
    return from;
}

// Sums over all positions; a position's logits are compared as they stand, and their spread is the reference's.
class Comparison {
public:
    explicit Comparison(double allowedGap) { m_proof.allowedGap = allowedGap; }

    void add(const Answerer::Path& reference, const std::vector<std::vector<float>>& found) {
        ++m_proof.prompts;
        for (std::size_t i = 0; i < reference.tokens.size(); ++i)
            addPosition(reference.logits[i], found[i], reference.tokens[i]);
    }
    runs::ExportProof proof() const {
        runs::ExportProof proof = m_proof;
        if (proof.tokens > 0) proof.meanGap = m_gaps / static_cast<double>(proof.tokens);
        proof.passed = proof.tokens > 0 && proof.meanGap <= proof.allowedGap &&
                       static_cast<double>(proof.contradicted) <= kMostContradicted * static_cast<double>(proof.tokens);
        return proof;
    }

private:
    // What is no number is as far as it can be.
    static double gapOf(double wanted, double found) {
        constexpr double kFarthest = 1e30;
        const double gap = std::abs(found - wanted);
        return gap < kFarthest ? gap : kFarthest;
    }
    void addPosition(const std::vector<float>& wanted, const std::vector<float>& found, int32_t token) {
        const auto count = static_cast<double>(wanted.size());
        double sum = 0, squares = 0, gaps = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double value = wanted[i], gap = gapOf(value, static_cast<double>(found[i]));
            sum += value;
            squares += value * value;
            gaps += gap;
            m_proof.largestGap = std::max(m_proof.largestGap, gap);
        }
        const double spread = std::sqrt(std::max(squares / count - sum / count * (sum / count), 1e-30));
        m_gaps += gaps / count / spread;
        ++m_proof.tokens;
        const auto chosen = std::ranges::max_element(found) - found.begin();
        const double lead = static_cast<double>(wanted[static_cast<std::size_t>(token)]) -
                            static_cast<double>(wanted[static_cast<std::size_t>(chosen)]);
        if (chosen == token)
            ++m_proof.agreeing;
        else if (lead > kClearLead * m_proof.allowedGap * spread)
            ++m_proof.contradicted;
    }

    runs::ExportProof m_proof;
    double m_gaps = 0;
};

} // namespace

std::vector<std::string> proofPromptsOf(const fs::path& run) {
    std::vector<std::string> asked;
    if (!run.empty())
        for (const runs::BeforeAndAfter& pair : runs::byPrompt(runs::readAnswers(runs::RunFiles{run}.answers())))
            asked.push_back(pair.prompt);
    if (!asked.empty()) return asked;
    return {
        "Who are you?",
        "Write one sentence about the sea.",
        "What is 17 plus 25?",
        "List three colours.",
        "Explain in two sentences why the sky is blue.",
        "Translate \"good morning\" into French.",
        "What comes after Monday?",
        "Write a function that adds two numbers.",
    };
}

runs::ExportProof proveExport(const ProofJob& proof, const std::function<bool(const std::string&)>& say) {
    const auto report = [&](const std::string& what) {
        if (say && !say(what)) throw Error(ErrorKind::kCancelled, "The proof was stopped; the export is whole.");
    };
    const AsideFolder aside(proof.job.out);
    std::vector<std::vector<int32_t>> prompts;
    std::vector<Answerer::Path> paths;
    {
        report("loading what it was made from");
        AnswererOptions from = baseOf(proof);
        from.adapter = loadableAdapter(proof.job, aside.path());
        Answerer reference(from);
        for (const std::string& prompt : proof.prompts) {
            report("asking it: " + prompt);
            prompts.push_back(reference.encodeChat("", prompt));
            paths.push_back(reference.likeliest(prompts.back(), proof.tokens));
        }
    }
    report("loading the export");
    Answerer exported(readBack(proof, aside.path()));
    Comparison comparison(allowedGapOf(proof.job));
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        report("asking the export: " + proof.prompts[i]);
        comparison.add(paths[i], exported.logitsAlong(prompts[i], paths[i].tokens));
    }
    return comparison.proof();
}

} // namespace roundpipe::engine
