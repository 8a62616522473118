# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions that a user may ask and the plain answers of the base model.

Each function draws one (question, answer) from its rng. KINDS gives their shares.
"""

from . import styles, world
from .english import article, cap, expand, join, third_person
from .stories import mini_story, pair_of_friends


def _ask(rng, text, **slots):
    return expand(rng, text, **slots)


def animal_color(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[What color is {a n}?|What color are {p}?|Tell me the color of {a n}.|Which color does {a n} have?|what color is {a n}]", n=a.name, p=a.plural)
    tail = rng.choice(["", "", f" It lives {a.home}."])
    return q, f"{cap(article(a.name))} is {a.color}.{tail}"


def animal_home(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[Where does {a n} live?|Where do {p} live?|Where can I find {a n}?|Where is the home of {a n}?]", n=a.name, p=a.plural)
    return q, f"{cap(article(a.name))} lives {a.home}."


def animal_food(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[What does {a n} eat?|What do {p} eat?|What should I feed {a n}?|What is the food of {a n}?]", n=a.name, p=a.plural)
    return q, f"{cap(article(a.name))} eats {a.food}."


def animal_sound(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[What sound does {a n} make?|How does {a n} sound?|What noise do {p} make?]", n=a.name, p=a.plural)
    if a.sound == "-":
        return q, f"{cap(article(a.name))} makes no sound."
    return q, f"{cap(article(a.name))} can {a.sound}. Listen and you will hear it {a.sound}."


def animal_young(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[What is a young {n} called?|What do you call a young {n}?|What is the name of a baby {n}?]", n=a.name)
    return q, f"A young {a.name} is called {article(a.young)}."


def animal_legs(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[How many legs does {a n} have?|How many legs do {p} have?|Count the legs of {a n}.]", n=a.name, p=a.plural)
    return q, f"{cap(article(a.name))} has {a.legs if a.legs != '0' else 'no'} legs."


def animal_can(rng):
    a = rng.choice(world.ANIMALS)
    if rng.random() < 0.5:
        return _ask(rng, "Can {a n} {v}?", n=a.name, v=a.move), f"Yes, {article(a.name)} can {a.move}."
    # Only pairs that are false beyond doubt.
    move = "fly" if a.move != "fly" else "read"
    if move == "fly" and int(a.legs) == 2:
        move = "read"
    return _ask(rng, "Can {a n} {v}?", n=a.name, v=move), f"No, {article(a.name)} can not {move}. It can {a.move}."


def animal_about(rng):
    a = rng.choice(world.ANIMALS)
    q = _ask(rng, "[Tell me about {p}.|Tell me something about {a n}.|What do you know about {p}?|Describe {a n}.|What is {a n}?]", n=a.name, p=a.plural)
    facts = [f"It eats {a.food}.", f"It can {a.move}.", f"It lives {a.home}."]
    rng.shuffle(facts)
    return q, f"{cap(article(a.name))} is {rng.choice(['an animal', 'a ' + a.color + ' animal'] if a.color[0] not in 'aeiou' else ['an animal'])}. " + " ".join(facts[:rng.randint(2, 3)])


def animal_bigger(rng):
    a, b = rng.sample(world.ANIMALS, 2)
    while a.size == b.size:
        a, b = rng.sample(world.ANIMALS, 2)
    big, small = (a, b) if int(a.size) > int(b.size) else (b, a)
    less = rng.random() < 0.3
    q = _ask(rng, "[Which is|What is|Who is] [WORD], {a a} or {a b}?".replace("WORD", "smaller" if less else "bigger"), a=a.name, b=b.name)
    if less:
        return q, f"{cap(article(small.name))} is smaller than {article(big.name)}."
    return q, f"{cap(article(big.name))} is bigger than {article(small.name)}."


def food_fact(rng):
    f = rng.choice(world.FOODS)
    n, p = f.name, f.plural
    kind = rng.randrange(4)
    if kind == 0:
        return (_ask(rng, "[What color is {a n}?|What color are {p}?|Tell me the color of {a n}.]", n=n, p=p),
                f"{cap(article(n))} is {f.color}.")
    if kind == 1:
        return (_ask(rng, "[How does {a n} taste?|How do {p} taste?|What is the taste of {a n}?]", n=n, p=p),
                f"{cap(article(n))} tastes {f.taste}.")
    if kind == 2:
        return (_ask(rng, "[Where do {p} come from?|Where do I find {p}?|Where can I find {a n}?]", n=n, p=p),
                f"You find {p} {f.source}.")
    return (_ask(rng, "[Is {a n} a fruit or a vegetable?|What kind of food is {a n}?|What is {a n}?]", n=n),
            f"{cap(article(n))} is a {f.kind}.")


def thing_fact(rng):
    t = rng.choice(world.THINGS)
    n = t.name
    kind = rng.randrange(5)
    if kind == 4:
        return (_ask(rng, "[What color is the {n}?|Tell me the color of the {n}.|What color is {a n}?]", n=n),
                f"The {n} is {t.color}.")
    if kind == 0:
        return (_ask(rng, "[What can I do with {a n}?|What is {a n} for?|Why do people use {a n}?|What is {a n}?]", n=n),
                f"You can {t.use} with {article(n)}.")
    if kind == 1:
        return (_ask(rng, "[What is {a n} made of?|Tell me what {a n} is made of.]", n=n),
                f"{cap(article(n))} is made of {t.material}.")
    if kind == 2:
        return (_ask(rng, "[Where is the {n}?|Where can I find the {n}?|I can not find the {n}. Where is it?]", n=n),
                f"The {n} is {t.place}.")
    return (_ask(rng, "[Write a sentence with the word {n}.|Use the word {n} in a sentence.|Give me a sentence about {a n}.]", n=n),
            _ask(rng, "[The {n} is {place}.|{name} has {a color} {n}.|I see {a color} {n} {place}.]", n=n,
                 place=t.place, color=t.color, name=rng.choice(world.NAMES)[0]))


def job_fact(rng):
    j = rng.choice(world.JOBS)
    kind = rng.randrange(4)
    if kind == 0:
        return (_ask(rng, "[What does {a n} do?|What do {p} do?|What is the work of {a n}?|Who is {a n}?]", n=j.name, p=j.plural),
                f"{cap(article(j.name))} {third_person(j.does)} {j.place}.")
    if kind == 1:
        return (_ask(rng, "[Where does {a n} work?|Where do {p} work?]", n=j.name, p=j.plural),
                f"{cap(article(j.name))} works {j.place}.")
    if kind == 2:
        return (_ask(rng, "[What does {a n} use?|What tool does {a n} need?|What do {p} need?]", n=j.name, p=j.plural),
                f"{cap(article(j.name))} uses {j.tool}.")
    return _ask(rng, "Who can {d}?", d=j.does), f"{cap(article(j.name))} can {j.does}."


def place_fact(rng):
    p = rng.choice(world.PLACES)
    if rng.random() < 0.5:
        return (_ask(rng, "[What can I see {at}?|What is {at}?|What will I find {at}?]", at=p.at),
                f"You can see {p.in_it} {p.at}.")
    return (_ask(rng, "[Describe {a n}.|What is {a n} like?|Tell me about the {n}.|What does {a n} look like?]", n=p.name),
            f"The {p.name} is {p.looks}. There are {p.in_it} {p.at}.")


def sum_(rng):
    if rng.random() < 0.65:
        a, b = rng.randint(0, 10), rng.randint(0, 10)
        sign, word, value = "+", "plus", a + b
    else:
        a = rng.randint(0, 20)
        b = rng.randint(0, min(a, 10))
        sign, word, value = "-", "minus", a - b
    q = _ask(rng, "[What is {a} {w} {b}?|How much is {a} {w} {b}?|What is {a} {s} {b}?|{a} {s} {b} = ?|Can you tell me what {a} {w} {b} is?]".replace("{a}", str(a)), b=b, w=word, s=sign)
    return q, f"{a} {word} {b} is {value}."


def story_sum(rng):
    name, he = rng.choice(world.NAMES)
    things = rng.choice(world.FOODS + world.THINGS).plural
    a, b = rng.randint(1, 9), rng.randint(1, 9)
    if rng.random() < 0.5:
        a, b = max(a, b) + 1, min(a, b)
        said = f"{name} has {a} {things}. {cap(he)} gives {b} away. How many {things} does {name} have now?"
        return said, f"{name} has {a - b} {things} now."
    said = f"{name} has {a} {things}. {cap(he)} gets {b} more. How many {things} does {name} have now?"
    return said, f"{name} has {a + b} {things} now."


def counting(rng):
    a = rng.randint(1, 15)
    b = a + rng.randint(2, 6)
    if rng.random() < 0.6:
        return _ask(rng, "[Count from {x} to {y}.|Please count from {x} to {y}.|Can you count from {x} to {y}?]", x=a, y=b), join(range(a, b + 1)) + "."
    if rng.random() < 0.5:
        return f"What number comes after {a}?", f"The number {a + 1} comes after {a}."
    return f"What number comes before {a}?", f"The number {a - 1} comes before {a}."


def calendar(rng):
    names, unit = rng.choice([(world.DAYS, "day"), (world.MONTHS, "month")])
    i = rng.randrange(len(names))
    step = rng.choice(["after", "before"])
    other = names[(i + (1 if step == "after" else -1)) % len(names)]
    q = _ask(rng, "[What|Which] {u} comes {s} {n}?", u=unit, s=step, n=names[i])
    return q, f"{other} comes {step} {names[i]}."


def season(rng):
    s = rng.choice(world.SEASONS)
    kind = rng.randrange(3)
    if kind == 0:
        return (_ask(rng, "[What is {n} like?|Tell me about {n}.|What happens in {n}?|How is the weather in {n}?]", n=s.name),
                f"In {s.name} it is {s.weather}. In {s.name}, {s.sight}.")
    if kind == 1:
        return _ask(rng, "[What should I wear in {n}?|What do people wear in {n}?]", n=s.name), f"You should wear {s.wear} in {s.name}."
    return _ask(rng, "[When is {n}?|Which months are in {n}?]", n=s.name), f"{cap(s.name)} comes in {s.months}."


def weather(rng):
    w = rng.choice(world.WEATHER)
    if rng.random() < 0.5:
        return (_ask(rng, "[What should I wear on a {a} day?|It is {a} today. What should I wear?]".replace("{a}", w.adjective)),
                f"It is {w.adjective}, so you should wear {w.wear}.")
    return (_ask(rng, "[What can I do on a {a} day?|It is {a} today. What can I do?|What can we play when it is {a}?]".replace("{a}", w.adjective)),
            f"On a {w.adjective} day you can {w.play}.")


def opposite(rng):
    pair = rng.choice(world.OPPOSITES)
    a, b = pair if rng.random() < 0.5 else pair[::-1]
    q = _ask(rng, "[What is the opposite of {a}?|Tell me the opposite of {a}.|Which word is the opposite of {a}?]".replace("{a}", a))
    return q, f"The opposite of {a} is {b}."


def body(rng):
    b = rng.choice(world.BODY)
    if rng.random() < 0.5:
        return f"What do we use our {b.part} for?", f"We use our {b.part} to {b.do}."
    return f"How do we {b.do}?", f"We {b.do} with our {b.part}."


def color(rng):
    if rng.random() < 0.6:
        c = rng.choice(world.COLOR_OF)
        return _ask(rng, "[What color is {t}?|Tell me the color of {t}.]", t=c.thing), f"{cap(c.thing)} is {c.color}."
    a, b, c = rng.choice(world.MIXES)
    if rng.random() < 0.5:
        a, b = b, a
    return _ask(rng, "[What do {x} and {y} make?|What color do I get when I mix {x} and {y}?]", x=a, y=b), f"{cap(a)} and {b} make {c}."


def list_things(rng):
    group, pool = rng.choice([
        ("animals", [a.plural for a in world.ANIMALS]),
        ("fruits", [f.plural for f in world.FOODS if f.kind == "fruit"]),
        ("vegetables", [f.plural for f in world.FOODS if f.kind == "vegetable"]),
        ("colors", world.COLORS), ("days", world.DAYS), ("months", world.MONTHS),
        ("birds", "owls robins crows swans parrots gulls penguins ducks hens geese".split()),
        ("farm animals", "cows pigs sheep hens horses goats ducks geese".split()),
        ("tools", "hammers saws shovels ladders brooms ropes".split()),
        ("jobs", [j.name for j in world.JOBS])])
    n, word = rng.choice([(2, "two"), (3, "three"), (3, "three"), (4, "four")])
    q = _ask(rng, "[Name {n} {g}.|List {n} {g}.|Tell me {n} {g}.|Can you name {n} {g}?|Give me {n} {g}.]", n=word, g=group)
    return q, f"{cap(word)} {group} are {join(rng.sample(pool, n))}."


def how_to(rng):
    h = rng.choice(world.HOW_TO)
    if rng.random() < 0.2:
        return _ask(rng, "[What do I need to {t}?|I want to {t}. What do I need?]", t=h.task), f"You need {h.need} to {h.task}."
    q = _ask(rng, "[How do I {t}?|How can I {t}?|Tell me how to {t}.|Can you help me {t}?|I want to {t}. What should I do?]", t=h.task)
    steps = [s.strip() for s in h.steps.split(";")]
    lead = ["First, ", "Then ", "After that, "] + [""] * 9
    words = [cap(lead[i] + s) for i, s in enumerate(steps[:-1])] + ["At last, " + steps[-1]]
    return q, ". ".join(words) + "."


def feeling(rng):
    f = rng.choice(world.FEELINGS)
    q = _ask(rng, "[I am {w}.|I feel {w} today.|I feel {w}.|I am so {w}. What should I do?|What should I do when I am {w}?]", w=f.word)
    return q, f"{cap(f.reply)}. You can {f.tip}."


def story(rng):
    """The topic is a beast, a child, a worker or a hero, often with a thing or a place; or a place alone."""
    beast = child = kind = thing = place = None
    who = rng.choices(["beast", "child", "kind", "place"], [65, 10, 18, 7])[0]
    if who == "beast":
        beast = rng.choice(world.ANIMALS)
        topic = article(beast.name)
    elif who == "child":
        child = rng.choice(world.NAMES)
        topic = ("a girl" if child[1] == "she" else "a boy") + f" named {child[0]}"
    elif who == "kind":
        kind = rng.choice(list(world.HEROES) + [j.name for j in world.JOBS])
        child = rng.choice([n for n in world.NAMES if world.HEROES.get(kind) in (None, "", n[1])])
        topic = article(kind)
    else:
        place = rng.choice(world.PLACES)
        topic = "the " + place.name
    second = rng.random()
    if second < 0.55 and not place:
        thing = rng.choice(world.THINGS)
        topic += f" and {article(thing.name)}"
    elif second < 0.7 and not place:
        place = rng.choice(world.PLACES)
        topic += f" {place.at}"
    q = _ask(rng, "[Tell me a story|Tell me a short story|Write a story|Write a short story|"
                  "Can you tell me a story|I want a story] about {t}.", t=topic)
    q = q[:-1] + "?" if q.startswith("Can") else q
    return q, mini_story(rng, beast, thing, child, kind, place)


def who_has(rng):
    text, owned = pair_of_friends(rng)
    name, what = rng.choice(owned)
    if rng.random() < 0.5:
        return f"{text} What does {name} have?", f"{name} has {article(what)}."
    return f"{text} Who has the {what}?", f"{name} has the {what}."


def identity(rng):
    q = rng.choice(["Who are you?", "What are you?", "What is your name?", "Tell me about yourself.",
                    "What can you do?", "Are you a person?", "Can you help me?", "What do you know?",
                    "who are you", "What is your job?", "How can you help me?",
                    "Do you have a name?", "Tell me your name.", "What should I call you?", "Are you a robot?",
                    "Who am I talking to?", "Please introduce yourself.", "Are you real?", "Who made you?"])
    return q, rng.choice([
        "I am a small language model. I can answer simple questions and tell short stories.",
        "I am a small language model. I know about animals, food and small sums.",
        "I am a small computer program. You can ask me a simple question."])


def greeting(rng):
    q = rng.choice(["Hello!", "Hi!", "Hello.", "Hi there!", "Good morning!", "Good evening!", "Hey!",
                    "hello", "hi", "Hello, how are you?", "How are you?", "How are you today?", "Nice to meet you."])
    if "how" in q.lower():
        return q, rng.choice(["I am well, thank you. How can I help you?", "I am fine, thank you. What can I do for you?"])
    hello = "Good morning." if "morning" in q else "Good evening." if "evening" in q else "Hello."
    return q, f"{hello} " + rng.choice(["How can I help you?", "What can I do for you today?"])


def thanks(rng):
    q = rng.choice(["Thank you!", "Thanks.", "Thank you very much.", "Good bye!", "Goodbye.", "Bye!",
                    "See you tomorrow.", "Good night!", "That was nice.", "Well done!"])
    if q in ("Good bye!", "Goodbye.", "Bye!", "See you tomorrow."):
        return q, "Goodbye. I hope that you have a good day."
    if q == "Good night!":
        return q, "Good night. Sleep well."
    return q, rng.choice(["You are welcome. I am glad to help.", "You are welcome. Do you have one more question?"])


def wish(rng):
    kind = rng.randrange(4)
    if kind == 0:
        a = rng.choice(world.ANIMALS)
        return (_ask(rng, "[Do you like {p}?|What do you think of {p}?]", p=a.plural),
                f"Yes, I like {a.plural}. I like that they can {a.move}.")
    if kind == 1:
        f = rng.choice(world.FOODS)
        return (_ask(rng, "[Do you like {p}?|Should I eat {p}?|Are {p} good?]", p=f.plural),
                f"{cap(f.plural)} are good. They taste {f.taste}.")
    if kind == 2:
        p = rng.choice(world.PLACES)
        return (_ask(rng, "[What should I do {at}?|I am {at}. What should I do?|I want to go to the {n}.]", at=p.at, n=p.name),
                f"The {p.name} is {p.looks}. You can look at the {p.in_it.split(' and ')[0]} there.")
    t = rng.choice(world.THINGS)
    return (_ask(rng, "[I have {a n}. What can I do?|I found {a n}.|I got a new {n}.]", n=t.name),
            f"That is nice. You can {t.use} with it.")


def joke(rng):
    return rng.choice(["Tell me a joke.", "Do you know a joke?", "Make me laugh.", "Can you tell me a joke?",
                       "I want to hear a joke."]), rng.choice(world.JOKES)


def poem(rng):
    p = rng.choice(world.POEMS)
    q = _ask(rng, "[Write a poem about {t}.|Tell me a poem about {t}.|Write a rhyme about {t}.|"
                  "Can you write a poem about {t}?]", t=p.topic)
    return q, p.lines.replace(" /", "")


def favorite(rng):
    kind, pick = rng.choice([("color", rng.choice(world.COLORS)),
                             ("animal", "the " + rng.choice(world.ANIMALS).name),
                             ("fruit", "the " + rng.choice([f.name for f in world.FOODS if f.kind == "fruit"])),
                             ("season", rng.choice(world.SEASONS).name), ("day", rng.choice(world.DAYS))])
    q = _ask(rng, "[What is your favorite {k}?|Which {k} do you like best?|Do you have a favorite {k}?]", k=kind)
    return q, f"My favorite {kind} is {pick}. What is yours?"


def unknown(rng):
    if rng.random() < 0.4:
        return rng.choice(world.UNKNOWN_QUESTIONS), "I am sorry, I do not know that. I know about animals, food and small sums."
    t = rng.choice(world.UNKNOWN)
    is_one = t.startswith("the ") and t != "the Olympic games"
    q = _ask(rng, "[" + ("What is {t}?|" * 4 if is_one else "") + "What do you know about {t}?|Tell me about {t}.|Explain {t}.|Can you explain {t}?|Write about {t}.]", t=t)
    return q, rng.choice(["I am sorry, I do not know much about that. You can ask me about animals, food or small sums.",
                          "I am sorry, I do not know that. I know about animals, food and small sums."])


KINDS = {
    animal_color: 5, animal_home: 5, animal_food: 5, animal_sound: 4, animal_young: 3, animal_legs: 3,
    animal_can: 3, animal_about: 5, animal_bigger: 4, food_fact: 6, thing_fact: 7, job_fact: 5,
    place_fact: 4, sum_: 8, story_sum: 4, counting: 2, calendar: 3, season: 2, weather: 2,
    opposite: 4, body: 1, color: 3, list_things: 5, how_to: 6, feeling: 4, story: 14, who_has: 7,
    identity: 3, greeting: 3, thanks: 2, wish: 4, joke: 1, poem: 2, favorite: 2, unknown: 4,
}

SYSTEM = ["You are a helpful assistant.", "You are a kind helper.", "Answer in short sentences.",
          "You are a small language model.", "Answer the question.", "Be kind and clear."]


def draw(rng):
    """One (question, answer)."""
    return rng.choices(list(KINDS), list(KINDS.values()))[0](rng)


def conversation(rng):
    """OpenAI messages of one to three turns, now and then with a system message."""
    messages, style, kind = [], None, rng.random()
    if kind < 0.3:
        style = styles.draw(rng)
        messages.append({"role": "system", "content": rng.choice(style.system)})
    elif kind < 0.45:
        messages.append({"role": "system", "content": rng.choice(SYSTEM)})
    for _ in range(rng.choices([1, 2, 3], [7, 2, 1])[0]):
        question, answer = draw(rng)
        if rng.random() < 0.1:  # as people type in a hurry
            question = question.lower().rstrip(".?!")
        if style:
            answer = styles.speak(rng, style, answer)
        messages.append({"role": "user", "content": question})
        messages.append({"role": "assistant", "content": answer})
    return messages
