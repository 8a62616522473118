// What the window copies as a command, read back by the command line's own options.
#include "options/run_spec_options.h"
#include "session/spec/run_command.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace roundpipe::cli {
namespace {

using session::RunSpec;

// Every field away from its default.
RunSpec unusual() {
    RunSpec spec;
    for (const session::Field& field : session::runSpecFields()) {
        if (field.key == "version") continue;
        session::FieldValue value = field.get(spec);
        if (auto* on = std::get_if<bool>(&value)) *on = !*on;
        if (auto* whole = std::get_if<int64_t>(&value)) *whole += 3;
        if (auto* real = std::get_if<double>(&value)) *real = *real * 0.37 + 0.011;
        if (auto* text = std::get_if<std::string>(&value))
            *text = !field.choices.empty() ? field.choices.back() : field.isPath ? "/a b/it's" : "-x \"y\" $HOME \\n";
        if (auto* texts = std::get_if<std::vector<std::string>>(&value))
            *texts = field.choices.empty() ? std::vector<std::string>{"/one", "/two three"} : field.choices;
        if (auto* numbers = std::get_if<std::vector<int64_t>>(&value)) *numbers = {3, 4};
        field.set(spec, std::move(value));
    }
    return spec;
}

RunSpec readBack(std::vector<std::string> words) {
    CLI::App app;
    CLI::App* train = app.add_subcommand("train");
    std::string file;
    std::vector<std::string> prompts;
    train->add_option("run", file);
    train->add_option("--sample", prompts)->allow_extra_args(false);
    RunSpecOptions fields;
    fields.addTo(*train);
    std::ranges::reverse(words); // as CLI11 takes them
    app.parse(words);
    EXPECT_EQ(file, "");
    RunSpec spec;
    fields.apply(spec);
    return spec;
}

TEST(RunCommand, saysEveryFieldThatIsNotAtItsDefault) {
    const RunSpec spec = unusual();
    const RunSpec again = readBack(session::trainArguments(spec, {"--hello", "you"}));
    for (const session::Field* field : session::differingFields(spec, again))
        ADD_FAILURE() << field->key;
    EXPECT_EQ(session::trainArguments({}), std::vector<std::string>{"train"});
}

TEST(RunCommand, isQuotedForAShell) {
    const RunSpec spec = unusual();
    const std::string line = session::trainCommand(spec, {"it's"});
    const std::string echo = "roundpipe() { printf '%s\\n' \"$@\"; }\n" + line;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("sh <<'END'\n" + echo + "\nEND").c_str(), "r"), pclose);
    std::string said;
    std::array<char, 4096> buffer{};
    while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
        said.append(buffer.data(), read);
    std::string expected;
    for (const std::string& word : session::trainArguments(spec, {"it's"}))
        expected += word + "\n";
    EXPECT_EQ(said, expected);
}

} // namespace
} // namespace roundpipe::cli
