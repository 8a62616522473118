# SPDX-License-Identifier: GPL-3.0-or-later
"""The template language itself: snippets that show how Python prints, compares, loops, strips and fails."""

from reference import compareRender

ARGUMENTS = {
    "none": None,
    "s": "Hello, Wörld 'x' \"y\" \n\t\\ \u200b\u00ad\U0001f600\x7f end",
    "both": "it's \"quoted\"",
    "plain": "  padded text  ",
    "csv": "a,b,,c",
    "i": 7,
    "neg": -7,
    "big": 2**70,
    "f": 2.5,
    "floats": [0.1, 1e16, 1e15, 1e-5, 1e-4, 123456789.123, -0.0, 1e300, 5e-324, 3.0, 1.5e-7],
    "l": [3, 1, 2],
    "mixed": [1, "a", None, True, 2.0, [1, "b"], {"k": None}],
    "d": {"b": 1, "a": {"x": [1, 2]}, "items": "shadow", "Z": "z"},
    "empty": {},
    "users": [{"name": "Bo", "age": 3, "on": True}, {"name": "al", "age": 30, "on": False}, {"name": "Cy", "age": 4}],
    "html": "<a href='x'>&\"</a>",
    "lines": "one\ntwo\r\nthree\x0bfour\u2028five\n\n",
    "utf": "ÄÖü ß ΑΣ ναι ǅ İ",
}

EXPRESSIONS = """
1 + 2 * 3 ** 2 - 4 // 3 % 5
-7 // 2
7 // -2
-7 % 3
7 % -3
7.5 // 2
-7.5 % 2
7 / 2
4 / 2
2 ** -1
2 ** 0.5
2 ** 3 ** 2
-2 ** 2
1 / 0
1 // 0
big + 1
1 + 1.0
true + true
1 < 2 < 3
1 < 3 < 2
1 == 1.0
true == 1
'a' < 'b'
'a' < 1
none < 1
[1, 2] < [1, 3]
(1, 2) == [1, 2]
[1] == [1.0]
{'a': 1} == {'a': 1.0}
'a' in 'abc'
1 in [1, 2]
'a' in d
'x' not in d
1 in 'abc'
missing in [1]
1 in missing
'' in 'abc'
not 1 in [2]
not true and false
1 and 'x'
'' or 'fallback'
none or missing
missing
missing.x
missing['x']
missing + 'x'
missing ~ 'x'
missing == missing
missing == none
missing is defined
missing is none
none is none
none is defined
[missing]
none
true
false
[true, none, 'x', 1.0]
s
[s]
[both, "a'b", 'a"b']
{'k': s}
mixed
d
d.items()
d.keys()
d.values()
d['items']
d.items
d.b
d.a.x
d.a.x[0]
d.a.x.0
d.a.x[-1]
d.a.x[5]
d['nope']
d.nope
d.nope.more
d.get('b')
d.get('q')
d.get('q', 'dflt')
d.get('q').x
d.copy()
d.pop('b')
d.update({'x': 1})
d.__class__
''.__class__.__mro__
s.nope
l.append(4)
l.sort()
l.index(1)
l.index(9)
l.count(1)
floats
floats[0]
f
1e16
1e22
123456789012345680.0
0.1 + 0.2
100000000000000000000
1_000
0x1F
0b101
0o17
1.5e3
(1,)
()
(1, 'a')
[(1, 2), (3,)]
'a' 'b'
'a' "b" ~ 1
'tab\\tnl\\nq\\'uni\\u00e9\\x41\\101'
'back\\slash \\d \\é'
'a' * 3
3 * 'a'
[1] * 2
'a' * -1
'a' + 1
1 + 'a'
[1] + [2]
[1] + (2,)
(1,) + (2,)
none + 'a'
'a' ~ 1 ~ none ~ true ~ 1.0 ~ [1]
1 ~ 2 + 3
'%s' % 'x'
'%s and %s' % ('a', 1)
'%d %i %5d|%-5d|%05d|%+d' % (1, 2.9, 3, 4, 5, 6)
'%x %X %o' % (255, 255, 8)
'%.2f %8.3f|%-8.1f|%e %E' % (1.005, 2.0, 3.14159, 12345.678, 0.00012)
'%s' % none
'%s' % [1, 'a']
'%r' % 'a'
'%s %s' % 'a'
'%d' % 'a'
'%s' % missing
'%(a)s-%(b)05d' % {'a': 'x', 'b': 42}
'%%' % ()
'%5s|%-5s|%.2s' % ('ab', 'cd', 'efg')
'%c%c' % (65, 'b')
'x' % 1
'x' % [1]
'{} {}'.format(1, 'a')
'{0} {1} {0}'.format('a', 'b')
'{a}'.format(a=1)
'{{}} {}'.format(2)
l[0:2]
l[::-1]
l[1:]
l[:-1]
l[-2:]
l[::2]
l[5:]
l[::0]
'hello'[1:3]
'hello'[::-1]
'hello'[1]
'hello'[-1]
'hello'[9]
(1, 2, 3)[1:]
d[1:2]
l['a']
l[1.0]
l[true]
plain.strip()
plain.lstrip()
plain.rstrip()
'xxaxx'.strip('x')
'abc'.strip('')
csv.split(',')
csv.split(',', 1)
csv.rsplit(',', 1)
csv.split(',', maxsplit=2)
' a  b c '.split()
' a  b c '.split(none, 1)
' a  b c '.rsplit(none, 1)
csv.split('')
lines.splitlines()
lines.splitlines(true)
'a-b-c'.partition('-')
'a-b-c'.rpartition('-')
'abc'.partition('x')
'abc'.startswith('a')
'abc'.startswith(('x', 'a'))
'abc'.startswith('b', 1)
'abc'.endswith('c')
'abc'.removeprefix('a')
'abc'.removesuffix('bc')
'aXbX'.replace('X', '-')
'aXbX'.replace('X', '-', 1)
'abc'.replace('', '-')
'abcabc'.find('c')
'abcabc'.rfind('c')
'abcabc'.find('z')
'abcabc'.index('z')
'abcabc'.count('bc')
'aaa'.count('')
', '.join(['a', 'b'])
', '.join([1])
''.join('abc')
utf.upper()
utf.lower()
'hello wORLD'.title()
'hello wORLD'.capitalize()
'ünï'.capitalize()
'ab'.center(7, '*')
'abc'.center(6, '*')
'ab'.ljust(5, '.')
'ab'.rjust(5)
'-42'.zfill(6)
'abc'.isalpha()
'ab1'.isalnum()
'12'.isdigit()
' '.isspace()
'AB'.isupper()
'ab'.islower()
'Ab Cd'.istitle()
'aB'.swapcase()
'abc'.nope()
'abc'.encode()
utf | upper
utf | lower
'foo-bar baz(qux' | title
'élan vital' | title
'hELLO' | capitalize
plain | trim
'xxaxx' | trim('x')
s | length
l | length
d | count
missing | length
5 | length
none | length
l | first
l | last
[] | first
'' | first
'abc' | last
l | sort
l | sort(reverse=true)
['b', 'A', 'c', 'a'] | sort
['b', 'A', 'c', 'a'] | sort(case_sensitive=true)
[1, 'a'] | sort
users | sort(attribute='age') | map(attribute='name') | list
users | sort(attribute='name', reverse=true) | map(attribute='name') | join(',')
users | map(attribute='nope', default='-') | list
users | map(attribute='on') | list
users | selectattr('on') | map(attribute='name') | list
users | rejectattr('on') | map(attribute='name') | list
users | selectattr('age', 'gt', 3) | list
users | selectattr('on', 'defined') | list | length
users | selectattr('name', 'equalto', 'Bo') | first
users | selectattr('name', '==', 'Bo') | list
[1, 2, 3, 4] | select('even') | list
[1, 2, 3, 4] | reject('odd') | list
[0, 1, '', 'a', none] | select | list
['a', 'b'] | map('upper') | join
['a', 'b'] | map('upper')
['a', 'b'] | map('upper') | length
(['a'] | map('upper')) is iterable
(['a'] | map('upper')) is sequence
[1, 2] | map('string') | list
['a,b'] | map('replace', ',', ';') | list
l | join(', ')
mixed | join('|')
users | join(',', attribute='name')
l | sum
users | sum(attribute='age')
['a'] | sum
l | min
l | max
users | max(attribute='age')
[] | max
l | reverse | list
'abc' | reverse
[1, 2, 1, 'A', 'a'] | unique | list
range(7) | batch(3) | list
range(7) | batch(3, 'x') | list
range(7) | slice(3) | list
range(7) | slice(3, 'x') | list
d | dictsort
{'b': 1, 'A': 2} | dictsort(true)
{'b': 1, 'a': 2} | dictsort(by='value')
{'b': 1} | items | list
d | list
'abc' | list
missing | list
5 | list
missing | default('x')
'' | default('x')
'' | default('x', true)
none | default('x')
none | d('x', boolean=true)
'42' | int
'42.9' | int
'x' | int
'x' | int(default=5)
' 1_0 ' | int
'1_' | int
2.9 | int
true | int
none | int
'1.5' | float
'x' | float
'inf' | float
3 | float
2.5 | round
3.5 | round
2.675 | round(2)
5 | round
42.55 | round(1, 'floor')
42.51 | round(1, 'ceil')
-3 | abs
-2.5 | abs
'x' | abs
5 | string ~ 'x'
none | string
'a b c d' | wordcount
'foo bar baz qux' | truncate(9)
'foo bar baz qux' | truncate(9, true)
'foo bar baz qux' | truncate(11)
'foo bar baz qux' | truncate(11, false, '...', 0)
'a\\nb\\n\\nc' | indent
'a\\nb\\n\\nc' | indent(2, true)
'a\\nb\\n\\nc' | indent('> ', first=true, blank=true)
'ab' | center(8)
'aXb' | replace('X', '-')
5 | replace('5', 'x')
'%s-%s' | format('a', 1)
'%(a)s' | format(a=3)
html | e
html | escape
html | safe
html | safe ~ '<'
(html | safe) + '<'
'<' + (html | safe)
d | tojson
mixed | tojson
s | tojson
html | tojson
floats | tojson
big | tojson
d | tojson(indent=2)
empty | tojson(indent=2)
[] | tojson(indent=2)
[[], {}, [1]] | tojson(indent=1)
d | tojson(sort_keys=true)
d | tojson(separators=(',', ':'))
s | tojson(ensure_ascii=true)
{'a': {'b': 1}} | tojson(indent='--')
[1, 2] | tojson(indent=0)
{1: 2, none: 3, true: 4, 1.5: 5} | tojson
missing | tojson
d.items() | tojson
d.items() | list | tojson
(1, 2) | tojson
range(3) | tojson
'x' | nofilter
'x' is notest
'x' | attr('upper')
1 is odd
2 is even
6 is divisibleby 3
6 is divisibleby(4)
1 is number
true is number
1.0 is number
true is boolean
1 is boolean
1 is integer
true is integer
1.0 is float
'a' is string
1 is string
d is mapping
l is mapping
l is sequence
'a' is sequence
d is sequence
5 is sequence
missing is sequence
d.items() is sequence
l is iterable
'a' is iterable
5 is iterable
missing is iterable
none is iterable
'A' is upper
'a' is lower
'a' is in ['a']
1 is in [2]
1 is not in [2]
1 is eq 1
1 is ne(2)
2 is gt 1
1 is lessthan 2
range is callable
'upper' is filter
'nofilter' is filter
'odd' is test
none is sameas none
1 is true
true is true
false is false
l is sameas l
'x' if true
'x' if false
'x' if false else 'y'
'a' if 0 else 'b' if 0 else 'c'
range(3)
range(3) | list
range(1, 10, 3) | list
range(5, 0, -2) | list
range(200000) | length
range(3)[1]
dict(a=1, b=2)
dict({'x': 1}, y=2)
dict([('a', 1)])
namespace(a=1)
namespace(a=1).a
namespace(a=1).b
namespace(_a=1)
{'a': 1}.items() | list
{'a': 1, 'a': 2}
{1: 'a', 1.0: 'b', true: 'c'}
{[1]: 2}
{'x': {'y': [1, (2, 3)]}}
raise_exception('no: ' ~ 1)
raise_exception()
strftime_now('%d %b %Y')
strftime_now('%A %B %-d, %Y %H:%M:%S %I %p %j %y %e %a %m/%d %% %F %T %U %W %w %u')
strftime_now('%c|%x|%X|%D|%R|%h|%z|%Z|')
strftime_now('%f')
messages[0].content
messages | length
tools
tools is defined
documents is none
add_generation_prompt
undefined_function()
'x'()
loop
self
l.0
1 if missing else 2
[x for x in l]
{}
{}.x
-missing
+5
-'a'
not missing
not none
i is odd and f > 2
i if i > 5 else neg
users[0]['name'] ~ users[-1].name
users[0].on and users[2].on is not defined
d['a']['x'] + [3]
lines | length
lipsum()
cycler('a', 'b').next()
joiner('|')()
""".strip().split("\n")

STATEMENTS = [
    "{% for x in l %}{{ x }}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.revindex }}{{ loop.revindex0 }};{% endfor %}",
    "{% for x in l %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {% endfor %}",
    "{% for x in l if x > 1 %}{{ x }}{{ loop.length }}{% else %}none{% endfor %}",
    "{% for x in [] %}{{ x }}{% else %}none{% endfor %}",
    "{% for x in missing %}{{ x }}{% else %}none{% endfor %}",
    "{% for x in none %}{{ x }}{% endfor %}",
    "{% for x in 5 %}{{ x }}{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}",
    "{% for k in d %}{{ k }}{% endfor %}",
    "{% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}{{ b }}{% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{% endfor %}",
    "{% for (a, b), c in [((1, 2), 3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for c in 'añb' %}[{{ c }}]{% endfor %}",
    "{% for x in l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}",
    "{% for x in l %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}",
    "{% for x in [1] %}{% break %}{% else %}else{% endfor %}",
    "{% for x in [1, 2] %}{% continue %}{% else %}else{% endfor %}",
    "{% break %}",
    "{% for x in l %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x > 1) }} {% endfor %}",
    "{% for x in l %}{% for y in l %}{{ loop.index }}{{ x }}{{ y }} {% endfor %}{{ loop.index }}{% endfor %}",
    "{% set t = [{'n': 1, 'c': [{'n': 2, 'c': [{'n': 3}]}]}] %}{% for x in t recursive %}{{ x.n }}@{{ loop.depth }}{% if x.c %}({{ loop(x.c) }}){% endif %}{% endfor %}",
    "{% for x in l %}{{ loop(l) }}{% endfor %}",
    "{% set x = 1 %}{% for y in l %}{% set x = y %}{{ x }}{% endfor %}{{ x }}",
    "{% for y in l %}{{ z }}{% set z = y %}{{ z }}{% endfor %}{{ z }}",
    "{% set ns = namespace(n=0) %}{% for y in l %}{% set ns.n = ns.n + y %}{% endfor %}{{ ns.n }}{{ ns }}",
    "{% set ns = namespace() %}{% set ns.a.b = 1 %}",
    "{% set d.x = 1 %}",
    "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "{% if true %}{% set q = 5 %}{% endif %}{{ q }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set a, b = b, a %}{{ a }}{{ b }}",
    "{% set t = 1, 2 %}{{ t }}",
    "{% set x %}  text {{ i }} {% endset %}[{{ x }}]{{ x is string }}",
    "{% set x | upper %}text{% endset %}{{ x }}",
    "{% filter upper %}a{{ i }}b{% endfilter %}",
    "{% filter replace('a', 'b') | upper %}aac{% endfilter %}",
    "{% with a = 1, b = i %}{{ a }}{{ b }}{% endwith %}{{ a }}",
    "{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}",
    "{% macro m(a, b=2, *c) %}{% endmacro %}",
    "{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=1, a=2) }} {{ m() }}",
    "{% macro m(a, b=a) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }}",
    "{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}",
    "{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}{% endmacro %}{{ m(x=2) }}",
    "{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(4) }}",
    "{% macro m(n) %}{{ m(n) }}{% endmacro %}{{ m(4) }}",
    "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}in{{ i }}{% endcall %}",
    "{% macro m() %}[{{ caller(1, 2) }}]{% endmacro %}{% call(a, b) m() %}{{ a }}{{ b }}{% endcall %}",
    "{% macro m() %}{% endmacro %}{% call m() %}x{% endcall %}",
    "{% macro m() %}[{{ caller() }}]{% endmacro %}{{ m() }}",
    "{% macro m() %}{{ x }}{% endmacro %}{% set x = 5 %}{{ m() }}",
    "{% macro m() %}{{ m.name }}{% endmacro %}{{ m() }}",
    "{% macro m(x) %}{{ x|upper }}{% endmacro %}{{ ['a']|map('upper')|join ~ m('b') }}",
    "{% for x in l %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}",
    "{{ l }}{# comment #}{{ i }}",
    "  {# c #}  \n  x",
    "{#- c -#}  x",
    "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
    "a\n  {%+ if true %}\n  b\n  {% endif +%}\nc\n\n",
    "a  {%- if true -%}  b  {%- endif -%}  c",
    "a\n\n{{- i -}}\n\nb",
    "a {{ i }}\n{{ i }}\n",
    "{% raw %}{{ x }}{% y %}{% endraw %}!",
    "  {%- raw -%}  {{ x }} {%- endraw -%}  z",
    "a\r\nb\r{% if true %}\r\nc{% endif %}\r\n",
    "\t {% if true %} \n\tx{% endif %} \n",
    "x {% if true %}\n\n y{% endif %}",
    "{{ 'a\nb\r\nc' }}",
    "{% if i > 5 %}big{% elif i > 2 %}mid{% else %}small{% endif %}",
    "{% if missing %}a{% elif none %}b{% elif [] %}c{% elif {} %}d{% elif '' %}e{% elif 0 %}f{% elif 0.0 %}g{% elif l|map('upper') %}gen{% endif %}",
    "{% if l | select('gt', 99) %}truthy{% endif %}",
    "{% if l | select('gt', 99) | list %}truthy{% else %}falsy{% endif %}",
    "{% print i, f %}",
    "{% if true: %}x{% endif %}",
    "{% set x = 1 if false %}{{ x is defined }}[{{ x }}]",
    "{% do l.append(1) %}",
    "{% unknown %}",
    "{% if %}",
    "{% if true %}",
    "{{ 1 +",
    "{{ 'abc }}",
    "{# open",
    "{{ }}",
    "{% endif %}",
    "{{ ) }}",
    "{% if false %}{{ 'x' | nofilter }}{% endif %}ok",
    "{% if false %}{{ 'x' is notest }}{% endif %}ok",
    "{{ 'x' | nofilter if false else 'ok' }}",
    "{% for x in [] %}{{ x | nofilter }}{% endfor %}",
    "{% generation %}abc{{ i }}{% endgeneration %}",
    "x\n{% for m in l %}é{% generation %}\nß{{ m }}\n{% endgeneration %}\n{% endfor %}",
    "é{%- generation -%}  a  {%- endgeneration -%}  b",
    "{% generation %}{% set y = 1 %}{% endgeneration %}[{{ y }}]",
    "{% for x in l %}{% generation %}{{ loop.index }}{% endgeneration %}{% endfor %}",
    "{% for x in l %}{% generation %}{% break %}{% endgeneration %}{% endfor %}",
    "{% if false %}{% generation %}x{% endgeneration %}{% endif %}y",
    "{% generation %}{% endgeneration %}",
    "{% generation %}x",
    "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.next() }}",
    "{% set j = joiner() %}{% for x in l %}{{ j() }}{{ x }}{% endfor %}",
    "{% set g = l | map('string') %}{{ g | first }}{{ g | list }}{{ g | list }}",
    "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}",
    "{{ users | selectattr('age', 'ge', 4) | map(attribute='name') | map('lower') | join('/') }}",
    "{%- set x = namespace(v=[]) -%}{%- for u in users -%}{%- set x.v = x.v + [u.name] -%}{%- endfor -%}{{ x.v | tojson }}",
    "{% set x = d %}{% set x = x.a %}{{ x.x[1] }}",
    "{{ '\\n'.join(l | map('string')) }}",
    "{% for k, v in {'a': 1}.items() if k != 'a' %}{{ k }}{% else %}nothing{% endfor %}",
    "{% include 'x' %}",
    "{% block x %}y{% endblock %}",
    "{% autoescape true %}{{ html }}{% endautoescape %}",
]


def compare(report, probe):
    messages = [{"role": "user", "content": "Hi <é>"}, {"role": "assistant", "content": "Yo"}]
    for source in ["{{ " + expression + " }}" for expression in EXPRESSIONS] + STATEMENTS:
        compareRender(report, probe, source, source, messages, ARGUMENTS, False, {"bos_token": "<s>"}, mayRefuse=True)
