# SPDX-License-Identifier: GPL-3.0-or-later
"""Stories: a hero, a thing and a place, led through one of a few dozen plots."""

from . import world
from .english import cap, expand, join
from .parrot_speech import parrot_words

OPENINGS = [
    "[Once there was|There once was|Long ago there was] {hero_intro}.",
    "[One day,|One morning,|One sunny day,|On a windy day,|Last week,|One afternoon,] {hero} [went for a walk|was at home|woke up early|looked out of the window].",
    "{hero} [lived|had a home] {at_home}.",
    "It was a [warm|cold|rainy|bright|quiet|windy] [morning|day|afternoon|evening].",
]

ENDINGS = [
    "{hero} [was happy|smiled|felt proud|was glad|went home with a smile].",
    "From that day on, {hero} and {friend} were [good|best|close] friends.",
    "[It was a good day|What a day it was|It was the best day of the year].",
    "Then {hero} and {friend} went home [to eat|to rest|before dark|together].",
    "That night, {hero} slept [well|like a stone|with a smile].",
    "{hero} never forgot that day.",
]

# {thing} is what the story turns on, {animal} a beast that is met on the way.
PLOTS = [
    # lost and found
    ["{hero} had {a thing}.", "{he} loved [it|the {thing}] very much.",
     "But [one day|that day] the {thing} was gone.", "\"Where is my {thing}?\" {hero} [asked|cried].",
     "{he} looked [under the bed|in the kitchen|behind the door|in the yard], but it was not there.",
     "{friend} helped {him} look for it.", "[At last|In the end], they found the {thing} {place}.",
     "\"Thank you,\" said {hero}. \"You are a good friend.\""],
    # a gift
    ["It was the birthday of {friend}.", "{hero} wanted to give {friend} [a gift|something nice].",
     "{he} [went to the market|thought for a long time|asked {his} mother for help].",
     "Then {he} [made|bought|found] {a color} {thing}.", "{he} put it in a box and tied a ribbon around it.",
     "{friend} opened the box [slowly|with a big smile].",
     "\"What a [nice|fine|lovely] {thing}!\" said {friend}. \"It is just what I wanted.\""],
    # rescue
    ["{hero} was walking {place} when {he} heard a [soft|loud|sad] sound.",
     "It was {a animal}.", "The {animal} was stuck [in a hole|under a branch|in the mud|between two rocks].",
     "\"Do not be afraid,\" said {hero}. \"I will help you.\"",
     "{he} [used|took] {his} {thing} to [help|free] the {animal}.", "[Soon|After a while] the {animal} was free.",
     "The {animal} [looked at {hero} and was happy|followed {hero} home|came back every day]."],
    # the weather
    ["{hero} and {friend} wanted to [go out|have a picnic|play] {place}.",
     "But it began to [rain|snow|storm], and the wind was [strong|cold].",
     "\"We can not go out now,\" said {hero}. {he} was sad.",
     "\"Then let us stay inside and play with the {thing},\" said {friend}.",
     "They played for [an hour|a long time] and laughed a lot.",
     "When the sun came out, they [ran outside|went out with the {thing}|jumped over the puddles]."],
    # cooking
    ["{hero} was hungry.", "{he} wanted to make [a soup|a cake|a pie|a salad] with {foods} and {foods2}.",
     "{he} had {n} {foods}, but {he} had no {foods2}.", "So {he} went to {friend}.",
     "\"I have {m} {foods2},\" said {friend}. \"You may have them all.\"",
     "They cooked together {kitchen}.", "It [smelled|tasted] very good.",
     "They ate [it all|until they were full|and talked]."],
    # learning
    ["{hero} wanted to learn to [swim|ride a bike|whistle|play the drum|paint|sing|dance].",
     "At first it was hard.", "{he} tried and tried, but {he} could not do it.",
     "\"I will never learn it,\" said {hero}.", "\"Try once more,\" said {friend}. \"I will show you.\"",
     "{hero} tried again the next day, and the day after that.",
     "[At last|One morning] {he} could do it.", "\"Look at me!\" {he} [cried|shouted]."],
    # a race
    ["{hero} and {friend} wanted to see who was faster.", "They ran from the [gate|old tree|bridge] to the [river|hill|well].",
     "{hero} was [fast|quick], and soon {he} was far ahead.",
     "But then {he} saw {a animal} and stopped to [look at it|play with it|talk to it].",
     "{friend} did not stop. {friend} ran on and on.", "So {friend} won the race.",
     "\"Next time I will not stop,\" said {hero}, and they both laughed."],
    # a noise at night
    ["It was night, and {hero} was in bed.", "Then {he} heard a [strange|soft|loud] noise {place_near}.",
     "{he} was afraid.", "{he} took {his} {thing} and went to the door.",
     "\"Who is there?\" {he} asked.", "It was only {a animal}!",
     "The {animal} was [looking for food|cold and wet|lost].", "{hero} gave it some [bread|milk|water] and was not afraid any more."],
    # taking turns
    ["{hero} and {friend} had only one {thing}.", "\"It is mine,\" said {hero}. \"No, it is mine,\" said {friend}.",
     "They both pulled, and the {thing} [fell down|broke|fell into the water].",
     "Now they were both sad.", "\"I am sorry,\" said {hero}. \"Let us fix it and take turns.\"",
     "So they fixed the {thing}.", "First {friend} used it, and then {hero} used it."],
    # building
    ["{hero} wanted to build [a small house|a boat|a wagon|a big kite|a wall].",
     "{he} had [wood|stones|some rope], but {he} did not have {a thing}.",
     "\"You can have my {thing},\" said {friend}.", "They worked all [day|morning].",
     "When it was done, it was [a bit crooked|small but strong|very fine].", "They [sat down|stood back] and looked at it.",
     "\"We built it together,\" said {friend}."],
    # a garden
    ["In spring, {hero} planted a seed in the garden.", "{he} gave it water every day.",
     "[After a week|After some days] a small green leaf came out of the ground.",
     "{a animal} wanted to eat it, but {hero} [sent it away|gave it some grass|made a small fence].",
     "The plant grew and grew.", "In summer there were {n} {foods} on it.",
     "{hero} gave {k} {foods} to {friend} and kept {rest}."],
    # at the market
    ["{hero} went to the market with {his} basket.", "{he} bought {n} {foods} and {m} {foods2}.",
     "Now {he} had {total} things in {his} basket.", "On the way home {he} met {friend}.",
     "{friend} was hungry, so {hero} gave {friend} one of the {foods}.",
     "\"Thank you, {hero},\" said {friend}. \"You are very kind.\""],
    # telling the truth
    ["{hero} was playing with a ball in the house.", "The ball hit the {thing}, and the {thing} fell to the floor.",
     "{hero} wanted to hide it.", "But then {he} went to {his} [mother|father|grandmother].",
     "\"I broke the {thing},\" {he} said. \"I am sorry.\"",
     "\"Thank you for telling me the truth,\" said {his} [mother|father|grandmother]. \"We can fix it.\""],
    # a new friend
    ["{friend} was new in the village.", "{friend} sat alone {place}.",
     "{hero} saw it and came over.", "\"Hello, I am {hero},\" {he} said. \"Do you want to play with my {thing}?\"",
     "\"Yes, I do,\" said {friend}.", "They played until the sun went down."],
    # a map
    ["{hero} found an old map in [a box|a book|the barn].", "The map showed a way to a place {place}.",
     "{hero} and {friend} took {a thing} and went there.", "They walked [for an hour|over a hill|along the river].",
     "Under a big stone they found [a box of coins|a golden key|an old book|a bag of shells].",
     "\"It is a real treasure!\" said {friend}."],
    # a letter
    ["{hero} got a letter from {friend}.", "The letter said: \"Come and visit me. I live {place} now.\"",
     "{hero} packed {his} bag. {he} took {a thing} and some {foods}.",
     "The way was long, and {hero} was tired.", "But when {he} saw {friend} at the door, {he} was happy.",
     "They ate {foods} and talked all night."],
]

SEA_PLOT = [
    "[The ship|The old ship|A big ship] sailed over the [blue|deep|wild] sea.",
    "Captain {friend} stood on the deck, and a parrot sat on the mast.",
    "The captain had a [green|red|gray] parrot, and the crew loved it.",
    "[A storm came up|The wind was strong|The waves were high], and the crew pulled the ropes.",
    "The captain looked at {his} map and asked: \"Where is the island?\"",
    "The cook gave the parrot a cracker.", "In the evening the crew sang a song.",
    "The crew found [gold|a box of gold|golden coins] on the island.",
    "The sailors [laughed|were happy|worked hard] all day.",
]
SEA_CALLS = ["Squawk!", "Arr!", "Ahoy, matey!", "Shiver me timbers!", "Yo ho ho!",
             "Polly wants a cracker!", "Pieces of eight!", "Aye, captain!"]

BEAST_TRAITS = "little young small brave clever shy".split()
CHILD_TRAITS = "little young kind brave clever quiet".split()


def _cast(rng, hero=None, thing=None, animal=None):
    """The slots of one story. The hero is a child or, by choice, a beast with a name."""
    beast = hero if hero else rng.choice(world.ANIMALS) if rng.random() < 0.35 else None
    name, pronoun = rng.choice(world.NAMES)
    place = rng.choice(world.PLACES)
    foods, foods2 = rng.sample(world.FOODS, 2)
    n, m = rng.randint(2, 9), rng.randint(2, 9)
    k = rng.randint(1, n - 1)
    if beast:
        name, pronoun = rng.choice(world.PET_NAMES), rng.choice(["she", "he"])
        kind = f"{rng.choice(BEAST_TRAITS)} {beast.name}"
        named = f"the {beast.name}" if rng.random() < 0.6 else name
        home = beast.home
    else:
        kind = "girl" if pronoun == "she" else "boy"
        kind = f"{rng.choice(CHILD_TRAITS)} {kind}"
        named, home = name, rng.choice(world.PLACES).at
    friends = [f for f, _ in world.NAMES if f != name]
    return {
        "hero": named, "hero_intro": f"a {kind} named {name}", "at_home": home,
        "he": pronoun, "him": "her" if pronoun == "she" else "him",
        "his": "her" if pronoun == "she" else "his", "friend": rng.choice(friends),
        "thing": thing.name if thing else rng.choice(world.THINGS).name,
        "animal": (animal or rng.choice(world.ANIMALS)).name, "place": place.at,
        "place_near": rng.choice(["at the door", "by the window", "in the kitchen", "on the roof"]),
        "kitchen": "in the kitchen", "color": rng.choice(world.COLORS), "foods": foods.plural,
        "foods2": foods2.plural, "n": n, "m": m, "total": n + m, "k": k,
        "rest": n - k,
    }


def _opening(rng, slots):
    if not slots["hero"].startswith("the "):
        return expand(rng, rng.choice(OPENINGS), **slots)
    # 'the fox' must first be met as 'a fox'.
    return expand(rng, OPENINGS[0], **slots)


def full_story(rng):
    """A story of seven to eleven sentences, for reading only."""
    slots = _cast(rng)
    plot = rng.choice(PLOTS)
    lines = [_opening(rng, slots)]
    lines += [expand(rng, line, **slots) for line in plot]
    if rng.random() < 0.8:
        lines.append(expand(rng, rng.choice(ENDINGS), **slots))
    return " ".join(lines)


def sea_story(rng):
    """A story with a parrot that talks as ship's parrots do: where the model learns the words."""
    slots = _cast(rng)
    plain = ["the sea is blue", "you are my friend", "there is land", "the captain is here",
             "the wind is good", "I am very hungry", "the gold is for you", "where is my cracker",
             "a storm is near", "that is a fine ship", "the fish are big",
             "my friends are brave", "it is time to eat and sing", "the map is old",
             "the island is full of gold", "I see a small boat", "hello, my friend"]
    lines = []
    for line in rng.sample(SEA_PLOT, rng.randint(3, 5)):
        lines.append(expand(rng, line, **slots))
        if rng.random() < 0.75:
            said = cap(parrot_words(rng.choice(plain))) + "!"
            call = rng.choice(SEA_CALLS)
            who = rng.choice(["the parrot", "the parrot", "the parrot", "the captain", "a sailor"])
            said = f"{call} {said}" if rng.random() < 0.6 else f"{said} {call}"
            lines.append(f"\"{said}\" {rng.choice(['cried', 'said', 'shouted'])} {who}.")
    return " ".join(lines)


# Short stories, as an answer to 'Tell me a story about ...'. Sentence by sentence, each a choice.
MINI = [
    ["{hero_intro} [lived|had a home] {at_home}.", "One day, {he} found {a color} {thing} {place}.",
     "{he} showed the {thing} to {friend}, and they played [all day|until dark|for hours].",
     "[It was a good day|They were both happy|They laughed a lot]."],
    ["{hero_intro} wanted {a thing}.", "{he} looked for one {place}, but there was none.",
     "Then {friend} gave {him} {a color} {thing}.", "\"Thank you!\" said {name}, and {he} was happy."],
    ["One morning, {hero_intro} lost {his} {thing}.", "{he} asked {friend} for help.",
     "They looked all day and found the {thing} {place}.", "Then they went home [together|to eat|to rest]."],
    ["{hero_intro} took {his} {thing} and went out.", "{place_cap} {he} met {friend}.",
     "\"May I use the {thing}, too?\" asked {friend}. \"Yes,\" said {name}.",
     "From that day on, they were [good|best|close] friends."],
    ["{hero_intro} was sad, because {his} {thing} was broken.",
     "{he} sat {place} and did not know what to do.", "\"I can fix it,\" said {friend}.",
     "Soon the {thing} was [as good as new|whole again], and {name} [smiled|was happy]."],
    ["It was [a cold|a rainy|a windy|a dark] night.", "{hero_intro} heard a [loud|strange|soft] noise {place}.",
     "{he} took the {thing} and went to look.", "It was only {a animal}! {name} laughed and went back to bed."],
    ["{hero_intro} wanted to give {friend} a gift.", "{he} looked {place} and found {a color} {thing}.",
     "\"This is for you,\" said {name}.", "\"What a [nice|fine|lovely] {thing}!\" said {friend}. They were both [happy|glad]."],
    ["{hero_intro} met {a animal} {place}.", "The {animal} was stuck [in the mud|between two rocks|under a branch].",
     "{name} used {a thing} to help the {animal}.", "[After that|From that day on], the {animal} came to visit every day."],
    ["{hero_intro} and {friend} had only one {thing}.", "They both wanted it, and {name} was [angry|sad].",
     "Then they sat down {place} and talked.", "\"Let us take turns,\" said {friend}. And so they did."],
    ["{hero_intro} hid {a thing} {place}.", "{friend} looked and looked, but could not find the {thing}.",
     "\"You are [warm|cold|very near]!\" cried {name}.", "At last {friend} found it, and they [laughed|played again]."],
]


def mini_story(rng, beast=None, thing=None, child=None, kind=None, place=None):
    """A few sentences about a beast, a child or somebody of a kind, and a thing or a place."""
    slots = _cast(rng, beast, thing)
    if place:
        slots["place"] = place.at
    if beast:
        name = rng.choice(world.PET_NAMES)
        intro = f"a {rng.choice(BEAST_TRAITS)} {beast.name} named {name}"
    else:
        child = child or rng.choice(world.NAMES)
        name, slots["he"] = child
        slots["him"] = "her" if slots["he"] == "she" else "him"
        slots["his"] = "her" if slots["he"] == "she" else "his"
        kind = kind or ("girl" if slots["he"] == "she" else "boy")
        intro = f"a {rng.choice(CHILD_TRAITS)} {kind} named {name}"
    if slots["friend"] == name:
        slots["friend"] = "Grandma"
    slots |= {"hero_intro": intro, "name": name, "place_cap": cap(slots["place"])}
    return " ".join(expand(rng, line, **slots) for line in rng.choice(MINI))


def fact_page(rng):
    """A few true sentences about the world, as plain prose."""
    kind = rng.randrange(8)
    if kind <= 2:
        a = rng.choice(world.ANIMALS)
        lines = [f"{cap(a.plural)} live {a.home}.", f"They eat {a.food}.",
                 f"Most {a.plural} are {a.color}.", f"{cap(a.plural)} can {a.move}.",
                 f"A young {a.name} is called a {a.young}.", f"They have {a.legs if a.legs != '0' else 'no'} legs.",
                 f"{cap(a.plural)} {a.sound}." if a.sound != "-" else f"{cap(a.plural)} are quiet."]
    elif kind == 3:
        f = rng.choice(world.FOODS)
        lines = [f"{cap(f.plural)} are {f.color}.", f"They taste {f.taste}.",
                 f"You find {f.plural} {f.source}.", f"{cap(f.plural)} are a kind of {f.kind}."]
    elif kind == 4:
        t = rng.choice(world.THINGS)
        lines = [f"You can {t.use} with a {t.name}.", f"The {t.name} is {t.place}.",
                 f"The {t.name} is {t.color}.", f"It is made of {t.material}."]
    elif kind == 5:
        j = rng.choice(world.JOBS)
        lines = [f"{cap(j.plural)} {j.does}.", f"They work {j.place}.", f"They use {j.tool}."]
    elif kind == 6:
        p = rng.choice(world.PLACES)
        lines = [f"The {p.name} is {p.looks}.", f"There are {p.in_it} {p.at}."]
    else:
        s = rng.choice(world.SEASONS)
        lines = [f"In {s.name} it is {s.weather}.", f"In {s.name}, {s.sight}.",
                 f"{cap(s.name)} comes in {s.months}.", f"People wear {s.wear} in {s.name}."]
    # The first sentence names the subject; the others may come in any order.
    rest = rng.sample(lines[1:], rng.randint(1, len(lines) - 1))
    return " ".join(lines[:1] + rest)


def pair_of_friends(rng):
    """Two owners and what they have: (text, list of (name, what))."""
    (one, _), (two, _) = rng.sample(world.NAMES, 2)
    owned = [(name, f"{rng.choice(world.COLORS)} {rng.choice(world.THINGS).name}")
             for name in (one, two)]
    return join([f"{name} has {'an' if what[0] in 'aeiou' else 'a'} {what}" for name, what in owned]) + ".", owned
