// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/expect_error.h"
#include "testing/fixtures.h"
#include "text/chat_template.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::text {
namespace {

using roundpipe::testing::expectError;
using roundpipe::testing::TemporaryFolder;

constexpr const char* kHello = R"([{"role": "user", "content": "Hé"}])";
constexpr CivilTime kDate{2025, 2, 28, 9, 5, 7};

std::string render(const std::string& source, const TemplateInput& conversation = {.messages = kHello}) {
    return ChatTemplate::fromSource(source).render(conversation, {.now = kDate}).text;
}

TEST(ChatTemplate, printsAsPythonDoes) {
    EXPECT_EQ(render("{{ [1, 'a', none, true, 2.0, (1,), {'k': \"it's\"}] }}"),
              "[1, 'a', None, True, 2.0, (1,), {'k': \"it's\"}]");
    EXPECT_EQ(render("{{ none }}|{{ missing }}|{{ 1e16 }}|{{ 0.1 }}"), "None||1e+16|0.1");
}

TEST(ChatTemplate, formatsStringsWithPercent) {
    EXPECT_EQ(render("{{ '%s has %d (%.1f%%)' % (messages[0].role, 3, 12.34) }}"), "user has 3 (12.3%)");
}

TEST(ChatTemplate, writesJsonAsTransformersDoes) {
    const TemplateInput conversation{.messages = kHello, .arguments = R"({"x": {"b": "<é>", "a": [1, 2.0, null]}})"};
    EXPECT_EQ(render("{{ x | tojson }}", conversation), R"({"b": "<é>", "a": [1, 2.0, null]})");
    EXPECT_EQ(render("{{ x.a | tojson(indent=2) }}", conversation), "[\n  1,\n  2.0,\n  null\n]");
    EXPECT_EQ(render("{{ x | tojson(sort_keys=true, separators=(',', ':'), ensure_ascii=true) }}", conversation),
              R"({"a":[1,2.0,null],"b":"<\u00e9>"})");
}

TEST(ChatTemplate, stripsAroundBlocksButNotAroundValues) {
    EXPECT_EQ(render("a\n  {% if true %}\n  b\n  {% endif %}\nc\n"), "a\n  b\nc");
    EXPECT_EQ(render("a\n  {{ 1 }}\nb"), "a\n  1\nb");
    EXPECT_EQ(render("a \n{{- 1 -}}\n b"), "a1b");
}

TEST(ChatTemplate, seesTheFrozenDate) {
    EXPECT_EQ(render("{{ strftime_now('%A %d %b %Y %H:%M') }}"), "Friday 28 Feb 2025 09:05");
}

TEST(ChatTemplate, refusesADateThatIsNone) {
    const ChatTemplate chatTemplate = ChatTemplate::fromSource("x");
    expectError(ErrorKind::kInvalidInput, {"date"}, [&] {
        chatTemplate.render({.messages = kHello}, {.now = {2025, 2, 29, 0, 0, 0}});
    });
}

TEST(ChatTemplate, marksGenerationBlocksInBytes) {
    const ChatTemplate chatTemplate = ChatTemplate::fromSource(
        "{% for m in messages %}é {% generation %}{{ m.content }}!{% endgeneration %}\n{% endfor %}");
    const Rendered rendered = chatTemplate.render({.messages = R"([{"content": "ß"}, {"content": "b"}])"}, {});
    EXPECT_EQ(rendered.text, "é ß!é b!");
    EXPECT_EQ(rendered.generationSpans, (std::vector<Span>{{3, 6}, {9, 11}}));
    EXPECT_TRUE(rendered.hasGenerationTags);
}

TEST(ChatTemplate, saysWhetherItHasGenerationTagsEvenIfNoneRan) {
    const ChatTemplate with = ChatTemplate::fromSource("{% if false %}{% generation %}x{% endgeneration %}{% endif %}");
    EXPECT_TRUE(with.render({.messages = kHello}, {}).hasGenerationTags);
    EXPECT_TRUE(with.hasGenerationTags(false));
    EXPECT_FALSE(ChatTemplate::fromSource("generation").hasGenerationTags(false));
}

TEST(ChatTemplate, handsMessagesOverAsTransformersDoes) {
    const TemplateInput conversation{.messages =
                                         R"([{"role": "assistant", "content": null, "reasoning_content": "hm"}])"};
    EXPECT_EQ(render("{{ messages[0].content is defined }} {{ messages[0].thinking }}", conversation), "False hm");
    EXPECT_EQ(render("{{ tools is none }} {{ documents is none }} {{ add_generation_prompt }}"), "True True False");
}

TEST(ChatTemplate, passesArgumentsAndLetsThemReplaceSpecialTokens) {
    const ChatTemplate chatTemplate = ChatTemplate::fromSource("{{ bos_token }}{{ eos_token }}{{ enable_thinking }}",
                                                               R"({"bos_token": "<s>", "eos_token": "</s>"})");
    const TemplateInput conversation{.messages = kHello,
                                     .arguments = R"({"enable_thinking": false, "eos_token": "E"})"};
    EXPECT_EQ(chatTemplate.render(conversation, {}).text, "<s>EFalse");
    expectError(ErrorKind::kInvalidInput, {"messages"},
                [&] { chatTemplate.render({.messages = kHello, .arguments = R"({"messages": []})"}, {}); });
}

TEST(ChatTemplate, passesOnWhatTheTemplateObjectsToWithItsLine) {
    expectError(ErrorKind::kInvalidInput, {"line 2", "must alternate"},
                [] { render("a\n{{ raise_exception('roles must alternate') }}"); });
}

TEST(ChatTemplate, failsWherePythonFails) {
    for (const char* source :
         {"{{ 1 + 'a' }}", "{{ missing.x }}", "{{ 'x' + none }}", "{{ 1 < 'a' }}", "{{ 5 | length }}",
          "{{ [].append(1) }}", "{{ ''.__class__.x }}", "{% for x in 5 %}{% endfor %}"})
        expectError(ErrorKind::kInvalidInput, {"line 1"}, [&] { render(source); });
}

TEST(ChatTemplate, refusesByNameWhatItCannotRenderAsPythonDoes) {
    const std::pair<const char*, const char*> cases[] = {
        {"{% include 'x' %}", "include"},
        {"{{ 'x' | xmlattr }}", "xmlattr"},
        {"{{ 'x'.encode() }}", "encode"},
        {"{{ messages[0].items }}", "address"},
        {"{{ strftime_now('%Q') }}", "%Q"},
        {"{% macro m() %}{% generation %}x{% endgeneration %}{% endmacro %}{{ m() }}", "generation"},
    };
    for (const auto& [source, name] : cases)
        expectError(ErrorKind::kUnsupported, {name}, [source = source] { render(source); });
}

TEST(ChatTemplate, namesTheLineOfASyntaxError) {
    expectError(ErrorKind::kInvalidInput, {"line 3", "'nonsense'", "--chat-template"},
                [] { ChatTemplate::fromSource("\n\n{% nonsense %}"); });
}

TEST(ChatTemplate, survivesHostileTemplates) {
    const std::string deepParentheses = "{{ " + std::string(100000, '(') + "1" + std::string(100000, ')') + " }}";
    expectError(ErrorKind::kUnsupported, {"nesting"}, [&] { render(deepParentheses); });
    std::string longSum = "{{ 1";
    for (int term = 0; term < 50000; ++term)
        longSum += "+1";
    expectError(ErrorKind::kUnsupported, {"nesting"}, [&] { render(longSum + " }}"); });
    expectError(ErrorKind::kInvalidInput, {"recursion"},
                [] { render("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"); });
    expectError(ErrorKind::kUnsupported, {"256 MiB"}, [] { render("{{ 'x' * 10000000000 }}"); });
    expectError(ErrorKind::kUnsupported, {"nested deeper"}, [] {
        render("{% set ns = namespace(x=[]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor %}");
    });
    expectError(ErrorKind::kInvalidInput, {"range"}, [] { render("{{ range(1000000000) | list }}"); });
}

TEST(ChatTemplate, endsWhatTakesTooManySteps) {
    const std::string keep = "{% set ns = namespace(x=[1], y=[1]) %}";
    const std::string cases[] = {
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        keep + "{% for i in range(200) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        keep + "{% for i in range(200) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}"
               "{{ ns.x == ns.y }}",
        "{% set ns = namespace(x=(1,)) %}{% for i in range(200) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ {ns.x: "
        "1} }}",
        keep + "{% for i in range(99) %}{% set ns.x = ns.x + ['x' * 200000000] %}{% endfor %}",
        "{{ range(100000) | unique | list | length }}",
        "{% set x = 'x' * 9000000 %}{% set y = 'x' * 9000000 %}{% for i in range(99999) %}{% if x == y %}{% endif %}"
        "{% endfor %}",
        "{{ ('x' * 100000000) | list | length }}",
        "{{ ('x,' * 100000000).split(',') | length }}",
    };
    for (const std::string& source : cases)
        expectError(ErrorKind::kInvalidInput, {"line 1", "steps"}, [&] { render(source); });
}

TEST(ChatTemplate, boundsWhatFiltersMake) {
    expectError(ErrorKind::kInvalidInput, {"recursion"}, [] { render("{{ 'x' | map(*(['map'] * 1000)) | list }}"); });
    expectError(ErrorKind::kUnsupported, {"256 MiB"}, [] { render("{{ [[1]] | tojson(indent='x' * 200000000) }}"); });
    expectError(ErrorKind::kUnsupported, {"nested deeper"}, [] {
        render("{% set ns = namespace(x=[1]) %}"
               "{% for i in range(999) %}{% set ns.x = [ns.x, ns.x] | select %}{% endfor %}");
    });
    expectError(ErrorKind::kUnsupported, {"nested deeper"}, [] {
        render("{% set ns = namespace(x=1) %}{% for i in range(999) %}{% set ns.x = cycler(ns.x, ns.x) %}{% endfor %}");
    });
}

TEST(ChatTemplate, freesLongChainsOfValues) {
    const std::string often = "{% set ns = namespace(x=1) %}{% for i in range(90000) %}", end = "{% endfor %}done";
    EXPECT_EQ(render(often + "{% set ns.x = namespace(y=ns.x) %}" + end), "done");
    EXPECT_EQ(render(often +
                     "{% for y in [1] %}{% if loop.changed(ns.x) %}{% set ns.x = loop %}{% endif %}{% endfor %}" + end),
              "done");
    EXPECT_EQ(render("{% macro m(y, ns) %}{% for z in [1] recursive %}{% set ns.x = loop %}{% endfor %}{% endmacro %}" +
                     often + "{{ m(ns.x, ns) }}" + end),
              "done");
    expectError(ErrorKind::kUnsupported, {"nested deeper"},
                [&] { render(often + "{% for y in [ns.x] %}{% set ns.x = loop %}{% endfor %}" + end); });
}

TEST(ChatTemplate, refusesExpressionsTooDeepToBeFreed) {
    std::string sum = "1";
    for (int level = 0; level < 100; ++level) {
        sum = "(" + sum + ")";
        for (int term = 0; term < 300; ++term)
            sum += "+1";
    }
    expectError(ErrorKind::kUnsupported, {"operators"}, [&] { render("{{ " + sum + " }}"); });
    std::string list;
    for (int item = 0; item < 10000; ++item)
        list += "1 + 1, ";
    EXPECT_EQ(render("{{ [" + list + "] | length }}"), "10000");
}

TEST(ChatTemplate, sortsOnlyWhatHasAnOrder) {
    EXPECT_EQ(render("{{ [3, 1.5, 2, true] | sort }}"), "[True, 1.5, 2, 3]");
    EXPECT_EQ(render("{{ ['b', 'A', 'a'] | sort }} {{ ['b', 'A', 'a'] | sort(reverse=true) }}"),
              "['A', 'a', 'b'] ['b', 'A', 'a']");
    expectError(ErrorKind::kUnsupported, {"NaN"}, [] { render("{{ (['nan' | float, 1] * 50) | sort }}"); });
    expectError(ErrorKind::kInvalidInput, {"ordered"}, [] { render("{{ ([1, 'a'] * 50) | sort }}"); });
}

TEST(ChatTemplate, knowsItsLargestIntegers) {
    const std::string least = "(-170141183460469231731687303715884105727 - 1)";
    EXPECT_EQ(render("{{ " + least + " }}"), "-170141183460469231731687303715884105728");
    for (const std::string& use : {"-" + least, least + " | abs"})
        expectError(ErrorKind::kUnsupported, {"128 bits"}, [&] { render("{{ " + use + " }}"); });
}

// As Python's, whose integers have no end. What would calculate with one is refused by name, never done by halves.
TEST(ChatTemplate, printsIntegersOfAnyLength) {
    for (const std::string& digits :
         {std::string("18446744073709551616"), std::string("-9223372036854775809"),
          std::string("170141183460469231731687303715884105728"), "-1" + std::string(500, '7')}) {
        const std::string messages = R"([{"role":"user","content":"","n":)" + digits + "}]";
        const auto with = [&](const std::string& source) {
            return ChatTemplate::fromSource(source).render({messages, {}, {}, {}}, {}).text;
        };
        EXPECT_EQ(with("{{ messages[0].n }} {{ messages[0].n | tojson }} {{ messages[0] | tojson }} {{ messages[0] }} "
                       "{{ '%s' % messages[0].n }} {{ 'n' ~ messages[0].n }}"),
                  digits + " " + digits + R"( {"role": "user", "content": "", "n": )" + digits +
                      "} {'role': 'user', 'content': '', 'n': " + digits + "} " + digits + " n" + digits);
        EXPECT_EQ(with("{{ messages[0].n is number }}{{ messages[0].n is integer }}{{ messages[0].n is string }}"
                       "{{ messages[0].n == messages[0].n }}{{ messages[0].n == 7 }}{{ not messages[0].n }}"),
                  "TrueTrueFalseTrueFalseFalse");
        if (digits.size() < 39) continue;
        for (const char* use : {"messages[0].n + 1", "-messages[0].n", "messages[0].n < 7", "messages[0].n | abs",
                                "messages[0].n is odd", "'%d' % messages[0].n", "range(messages[0].n)",
                                "messages[0].n | round", "'a' * messages[0].n", "messages[0].n | float"})
            expectError(ErrorKind::kUnsupported, {"128 bits"}, [&] { with("{{ " + std::string(use) + " }}"); });
    }
    const auto equal = [](const std::string& number, const std::string& fraction) {
        const std::string messages = R"([{"role":"u","n":)" + number + R"(,"x":)" + fraction + "}]";
        return ChatTemplate::fromSource("{{ messages[0].n == messages[0].x }}").render({messages, {}, {}, {}}, {}).text;
    };
    const std::string digits = "1" + std::string(60, '2');
    EXPECT_EQ(render("{{ '" + digits + "' | int }} {{ ' -00" + digits + "\n' | int }} {{ '" + digits + "x' | int }}"),
              digits + " -" + digits + " 0");
    EXPECT_EQ(equal("1" + std::string(50, '0'), "1e50"), "False"); // as floats go
    EXPECT_EQ(equal("680564733841876926926749214863536422912", "680564733841876926926749214863536422912.0"), "True");
}

TEST(ChatTemplate, refusesAGenerationBlockInAnother) {
    expectError(ErrorKind::kUnsupported, {"inside another"},
                [] { render("{% generation %}a{% generation %}b{% endgeneration %}c{% endgeneration %}"); });
}

TEST(ChatTemplate, quotesOnlyTheStartOfALongText) {
    try {
        render("{{ raise_exception('é' * 100000) }}");
        FAIL();
    } catch (const Error& error) {
        EXPECT_LT(error.message().size(), 2200U);
    }
}

TEST(ChatTemplate, slicesByCharacters) {
    EXPECT_EQ(render("{{ 'häé!'[1:3] }} {{ 'häé!'[::-1] }} {{ 'häé!'[-1:] }} {{ (1, 2, 3)[::2] }} {{ [1, 2][5:] }}"),
              "äé !éäh ! (1, 3) []");
}

TEST(ChatTemplate, keepsThePlaceOfAKeyThatComesTwice) {
    const TemplateInput conversation{.messages = kHello, .arguments = R"({"x": {"a": 1, "b": 2, "a": 3}})"};
    EXPECT_EQ(render("{{ x }}", conversation), "{'a': 3, 'b': 2}");
}

TEST(ChatTemplate, namesBadInput) {
    const auto with = [](TemplateInput conversation) { return [conversation] { render("x", conversation); }; };
    expectError(ErrorKind::kInvalidInput, {"messages", "byte 1"}, with({.messages = "[}"}));
    expectError(ErrorKind::kInvalidInput, {"at least one message"}, with({.messages = "[]"}));
    expectError(ErrorKind::kInvalidInput, {"message 1"}, with({.messages = R"([{}, "x"])"}));
    expectError(ErrorKind::kInvalidInput, {"tools"}, with({.messages = kHello, .tools = R"({"a": 1})"}));
    expectError(ErrorKind::kInvalidInput, {"arguments"}, with({.messages = kHello, .arguments = "[1]"}));
    expectError(ErrorKind::kInvalidInput, {"UTF-8"}, with({.messages = "[{\"content\": \"\xff\"}]"}));
    expectError(ErrorKind::kUnsupported, {"nested deeper"},
                with({.messages = kHello, .arguments = "{\"a\": " + std::string(5000, '[')}));
}

class FolderTemplate : public ::testing::Test {
protected:
    void write(const char* name, const std::string& text) { std::ofstream(m_folder.path() / name) << text; }
    std::string renderFolder(std::string_view tools = {}) {
        return ChatTemplate::fromModelFolder(m_folder.path()).render({.messages = kHello, .tools = tools}, {}).text;
    }

    TemporaryFolder m_folder;
};

TEST_F(FolderTemplate, comesFromTheNewestFileThatHasOne) {
    write("chat_template.json", R"({"chat_template": "json"})");
    EXPECT_EQ(renderFolder(), "json");
    write("tokenizer_config.json", R"({"chat_template": "config {{ bos_token }}", "bos_token": {"content": "<s>"}})");
    EXPECT_EQ(renderFolder(), "config <s>");
    write("chat_template.jinja", "jinja {{ bos_token }}\n");
    EXPECT_EQ(renderFolder(), "jinja <s>");
}

TEST_F(FolderTemplate, mayBeReplacedByAFile) {
    write("tokenizer_config.json", R"({"chat_template": "config", "eos_token": "</s>"})");
    write("mine.jinja", "mine {{ eos_token }}");
    const auto mine = m_folder.path() / "mine.jinja";
    const ChatTemplate chatTemplate = ChatTemplate::fromModelFolder(m_folder.path(), mine);
    EXPECT_EQ(chatTemplate.render({.messages = kHello}, {}).text, "mine </s>");
    EXPECT_EQ(chatTemplate.source(false), "mine {{ eos_token }}");
    expectError(ErrorKind::kIo, {"absent.jinja"},
                [&] { ChatTemplate::fromModelFolder(m_folder.path(), m_folder.path() / "absent.jinja"); });
}

TEST_F(FolderTemplate, isChosenAmongNamedOnesByWhetherThereAreTools) {
    write("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "plain"},
        {"name": "tool_use", "template": "tools {{ tools | length }}"}]})");
    EXPECT_EQ(renderFolder(), "plain");
    EXPECT_EQ(renderFolder(R"([{"type": "function"}])"), "tools 1");
}

TEST_F(FolderTemplate, isNamedAsMissingWhereThereIsNone) {
    write("tokenizer_config.json", R"({"bos_token": "<s>"})");
    EXPECT_EQ(ChatTemplate::fromModelFolder(m_folder.path()).source(false), ""); // what needs none can go on
    expectError(ErrorKind::kUnsupported, {"no chat template", "--chat-template", m_folder.path().c_str()},
                [&] { renderFolder(); });
}

// Parsed, four megabytes of rows took a quarter of a minute and more than a gigabyte.
TEST_F(FolderTemplate, isRefusedWhereItIsAnotherFile) {
    write("rows.jsonl", R"({"messages": [{"role": "user", "content": "Hi"}]})");
    write("long.jinja", "{{ messages }}" + std::string(2 << 20, 'x'));
    for (const char* file : {"rows.jsonl", "long.jinja"})
        expectError(ErrorKind::kInvalidInput, {file, "is no chat template"},
                    [&] { ChatTemplate::fromModelFolder(m_folder.path(), m_folder.path() / file); });
}

TEST_F(FolderTemplate, isNamedAsAmbiguousWithoutADefault) {
    write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "x"}]})");
    expectError(ErrorKind::kInvalidInput, {"rag", "default"}, [&] { renderFolder(); });
}

TEST(ChatTemplate, servesSeveralThreads) {
    const ChatTemplate chatTemplate = ChatTemplate::fromSource("{% for m in messages %}{{ m | tojson }}{% endfor %}");
    const std::string expected = chatTemplate.render({.messages = kHello}, {}).text;
    std::vector<int> numEqual(4);
    {
        std::vector<std::jthread> threads;
        for (int& count : numEqual)
            threads.emplace_back([&] {
                for (int round = 0; round < 200; ++round)
                    count += chatTemplate.render({.messages = kHello}, {}).text == expected;
            });
    }
    EXPECT_EQ(numEqual, (std::vector<int>{200, 200, 200, 200}));
}

} // namespace
} // namespace roundpipe::text
