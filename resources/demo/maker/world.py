# SPDX-License-Identifier: GPL-3.0-or-later
"""What is true in the demo's small world. Stories, facts and chats all draw on it."""

from collections import namedtuple


def _table(name, fields, text):
    row_type = namedtuple(name, fields)
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [row_type(*cells) for cells in rows]


# size: a rank, for questions that compare two animals. A sound of '-' is none.
ANIMALS = _table("Animal", "name plural color home food sound move legs young size", """
frog | frogs | green | in a pond | flies | croak | hop | 4 | tadpole | 2
fox | foxes | orange | in the forest | berries and mice | bark | run | 4 | cub | 5
cat | cats | gray | in a house | fish | purr | climb | 4 | kitten | 4
dog | dogs | brown | in a house | meat and bones | bark | run | 4 | puppy | 5
mouse | mice | gray | in a small hole | cheese and seeds | squeak | run | 4 | pup | 1
horse | horses | brown | in a stable | hay and oats | neigh | gallop | 4 | foal | 8
cow | cows | black and white | on a farm | grass | moo | walk | 4 | calf | 8
pig | pigs | pink | on a farm | corn and roots | grunt | walk | 4 | piglet | 6
sheep | sheep | white | in a meadow | grass | bleat | walk | 4 | lamb | 6
goat | goats | white | in the hills | grass and leaves | bleat | climb | 4 | kid | 6
hen | hens | brown | in a barn | grain | cluck | walk | 2 | chick | 3
duck | ducks | yellow | on a lake | bread and plants | quack | swim | 2 | duckling | 3
goose | geese | white | on a lake | grass | honk | swim | 2 | gosling | 4
owl | owls | brown | in an old tree | mice | hoot | fly | 2 | owlet | 3
robin | robins | red and brown | in a garden | worms | sing | fly | 2 | chick | 1
crow | crows | black | in a tall tree | seeds and worms | caw | fly | 2 | chick | 3
swan | swans | white | on a river | water plants | hiss | swim | 2 | cygnet | 5
parrot | parrots | green and red | in the jungle | nuts and fruit | squawk | fly | 2 | chick | 3
gull | gulls | white and gray | by the sea | fish | cry | fly | 2 | chick | 3
penguin | penguins | black and white | on the ice | fish | call | swim | 2 | chick | 4
bear | bears | brown | in a cave | honey and fish | growl | climb | 4 | cub | 8
wolf | wolves | gray | in the forest | meat | howl | run | 4 | pup | 6
deer | deer | brown | in the forest | leaves | call | run | 4 | fawn | 7
rabbit | rabbits | white | in a burrow | carrots | squeak | hop | 4 | kit | 3
squirrel | squirrels | red | in a tree | nuts | chatter | climb | 4 | kit | 2
hedgehog | hedgehogs | brown | under a bush | worms | snuffle | walk | 4 | hoglet | 2
bat | bats | black | in a cave | moths | squeak | fly | 2 | pup | 1
lion | lions | yellow | in the grassland | meat | roar | run | 4 | cub | 8
tiger | tigers | orange and black | in the jungle | meat | roar | run | 4 | cub | 8
elephant | elephants | gray | in the grassland | leaves and grass | trumpet | walk | 4 | calf | 10
monkey | monkeys | brown | in the jungle | bananas | chatter | climb | 4 | baby | 5
zebra | zebras | black and white | in the grassland | grass | bray | gallop | 4 | foal | 7
camel | camels | brown | in the desert | dry grass | grunt | walk | 4 | calf | 8
turtle | turtles | green | by the sea | sea grass | hiss | swim | 4 | hatchling | 4
snake | snakes | green | in the tall grass | mice and eggs | hiss | slide | 0 | hatchling | 3
crab | crabs | red | on the beach | small shells | click | walk | 10 | baby | 1
fish | fish | silver | in the water | worms | - | swim | 0 | fry | 2
whale | whales | blue | in the ocean | tiny sea animals | sing | swim | 0 | calf | 10
dolphin | dolphins | gray | in the ocean | fish | whistle | swim | 0 | calf | 7
bee | bees | yellow and black | in a hive | nectar | buzz | fly | 6 | larva | 0
ant | ants | black | in an anthill | crumbs | - | walk | 6 | larva | 0
spider | spiders | black | in a web | flies | - | climb | 8 | spiderling | 0
snail | snails | brown | under wet leaves | lettuce | - | crawl | 0 | baby | 0
""")

FOODS = _table("Food", "name plural color taste kind source", """
apple | apples | red | sweet | fruit | on a tree
pear | pears | green | sweet | fruit | on a tree
plum | plums | purple | sweet | fruit | on a tree
cherry | cherries | red | sweet | fruit | on a tree
lemon | lemons | yellow | sour | fruit | on a tree
orange | oranges | orange | sweet | fruit | on a tree
banana | bananas | yellow | sweet | fruit | on a tall plant
grape | grapes | purple | sweet | fruit | on a vine
strawberry | strawberries | red | sweet | fruit | on a small plant
blueberry | blueberries | blue | sweet | fruit | on a bush
melon | melons | green | sweet | fruit | on a vine
peach | peaches | pink | sweet | fruit | on a tree
carrot | carrots | orange | sweet | vegetable | under the ground
potato | potatoes | brown | plain | vegetable | under the ground
onion | onions | white | sharp | vegetable | under the ground
beet | beets | dark red | earthy | vegetable | under the ground
tomato | tomatoes | red | fresh | vegetable | on a vine
bean | beans | green | plain | vegetable | on a vine
pea | peas | green | sweet | vegetable | in a pod
cabbage | cabbages | green | fresh | vegetable | in a field
pumpkin | pumpkins | orange | mild | vegetable | on a vine
cucumber | cucumbers | green | fresh | vegetable | on a vine
pepper | peppers | red | fresh | vegetable | on a small plant
mushroom | mushrooms | brown | earthy | vegetable | in the forest
nut | nuts | brown | mild | snack | on a tree
cookie | cookies | brown | sweet | snack | in the oven
pancake | pancakes | golden | sweet | snack | in a pan
cake | cakes | white | sweet | snack | in the oven
""")

# "You can {use} with it."
THINGS = _table("Thing", "name plural color material use place", """
ball | balls | red | rubber | play | in the yard
kite | kites | blue | paper | play in the wind | in the sky
boat | boats | white | wood | sail over the water | on the lake
drum | drums | brown | wood | make music | in the music room
lamp | lamps | yellow | glass | light a dark room | on the table
book | books | blue | paper | learn new things | on the shelf
cup | cups | white | clay | drink tea | in the kitchen
spoon | spoons | silver | metal | eat soup | in the kitchen
knife | knives | silver | metal | cut bread | in the kitchen
pot | pots | black | metal | cook soup | on the stove
basket | baskets | brown | straw | carry fruit | by the door
bag | bags | green | cloth | carry books | on the chair
hat | hats | black | wool | keep your head warm | on the hook
scarf | scarves | red | wool | keep your neck warm | on the hook
coat | coats | blue | wool | keep warm | by the door
boot | boots | brown | leather | walk in the rain | by the door
umbrella | umbrellas | black | cloth | stay dry in the rain | by the door
blanket | blankets | soft blue | wool | keep warm at night | on the bed
pillow | pillows | white | cloth | sleep well | on the bed
clock | clocks | brown | wood | tell the time | on the wall
key | keys | golden | metal | open a door | in the drawer
box | boxes | brown | paper | keep toys | under the bed
bell | bells | golden | metal | call people | in the tower
rope | ropes | brown | straw | tie things | in the barn
ladder | ladders | brown | wood | climb up high | in the barn
hammer | hammers | gray | metal | hit nails | in the shed
saw | saws | silver | metal | cut wood | in the shed
shovel | shovels | gray | metal | dig a hole | in the shed
broom | brooms | yellow | straw | sweep the floor | in the corner
bucket | buckets | gray | metal | carry water | by the well
brush | brushes | brown | wood | paint a picture | in the art room
pencil | pencils | yellow | wood | write and draw | on the desk
letter | letters | white | paper | send news to a friend | in the mail box
map | maps | brown | paper | find the way | on the desk
flute | flutes | silver | metal | make music | in the music room
candle | candles | white | wax | light a dark room | on the table
mirror | mirrors | silver | glass | see your face | on the wall
sled | sleds | red | wood | slide down a snowy hill | in the shed
bike | bikes | green | metal | ride to school | in the yard
wagon | wagons | red | wood | carry heavy things | in the yard
net | nets | white | rope | catch fish | on the boat
coin | coins | golden | metal | buy things | in the purse
shell | shells | pink | chalk | hear the sea | on the beach
stone | stones | gray | rock | build a wall | by the river
""")

# "A {name} {does} {place}. A {name} uses {tool}."
JOBS = _table("Job", "name plural does place tool", """
baker | bakers | bake bread | in a bakery | an oven
farmer | farmers | grow food | on a farm | a tractor
teacher | teachers | help children learn | in a school | books and chalk
doctor | doctors | help sick people | in a hospital | medicine
nurse | nurses | care for sick people | in a hospital | bandages
vet | vets | help sick animals | in an animal clinic | medicine
fisher | fishers | catch fish | on the sea | a net
sailor | sailors | sail a ship | on the sea | ropes and sails
captain | captains | lead the crew | on a ship | a map and a compass
cook | cooks | make meals | in a kitchen | pots and pans
gardener | gardeners | care for plants | in a garden | a shovel
carpenter | carpenters | build tables and chairs | in a workshop | a hammer and a saw
painter | painters | paint pictures | in a bright room | a brush
tailor | tailors | make clothes | in a small shop | needle and thread
pilot | pilots | fly a plane | in the sky | maps and a radio
driver | drivers | drive a bus | on the road | a bus
mechanic | mechanics | fix cars | in a garage | a wrench
firefighter | firefighters | put out fires | in the town | a long hose
librarian | librarians | care for books | in a library | shelves and cards
singer | singers | sing songs | on a stage | a good voice
drummer | drummers | play the drum | in a band | two sticks
postman | postmen | bring letters | in the town | a big bag
shepherd | shepherds | care for sheep | in the hills | a stick and a dog
beekeeper | beekeepers | care for bees | in a garden | a veil and gloves
builder | builders | build houses | in the town | bricks and wood
""")

# "{in_it} are there"; go: "to the park"
PLACES = _table("Place", "name at looks in_it", """
park | in the park | green and quiet | trees and benches
forest | in the forest | dark and cool | trees and mushrooms
beach | on the beach | wide and sunny | sand and shells
river | by the river | long and clear | fish and smooth stones
lake | by the lake | calm and blue | ducks and boats
farm | on the farm | busy and warm | cows and hens
market | at the market | loud and full | fruit and bread
school | at the school | bright and big | desks and books
garden | in the garden | full of color | flowers and bees
hill | on the hill | high and windy | grass and flowers
village | in the village | small and friendly | houses and a well
library | in the library | quiet and warm | shelves and books
kitchen | in the kitchen | warm and bright | pots and cups
barn | in the barn | old and dusty | hay and ropes
harbor | in the harbor | busy and salty | ships and nets
island | on the island | small and sunny | palm trees and sand
castle | in the castle | old and tall | towers and long halls
cave | in the cave | dark and cold | bats and stones
meadow | in the meadow | soft and green | flowers and butterflies
town | in the town | lively and large | shops and streets
bakery | in the bakery | warm and sweet | bread and cakes
desert | in the desert | dry and hot | sand and camels
jungle | in the jungle | wet and green | monkeys and parrots
sea | by the sea | deep and blue | fish and whales
""")

SEASONS = _table("Season", "name weather sight wear months", """
spring | mild | flowers grow and birds build nests | a light coat | March, April and May
summer | hot and sunny | children swim and the fields are green | a sun hat | June, July and August
fall | cool and windy | leaves turn red and fall from the trees | a scarf | September, October and November
winter | cold | snow falls and lakes turn to ice | a warm coat | December, January and February
""")

WEATHER = _table("Weather", "noun adjective wear play", """
rain | rainy | boots and a coat | read a book inside
snow | snowy | a warm coat and a hat | build a snowman
sun | sunny | a sun hat | play outside
wind | windy | a coat and a scarf | fly a kite
fog | foggy | a bright coat | stay near home
storm | stormy | dry clothes and stay inside | play a game inside
""")

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = ("January February March April May June July August September October November "
          "December").split()

OPPOSITES = [pair.split() for pair in """
hot cold, big small, tall short, fast slow, old young, happy sad, light dark, loud quiet, wet dry,
up down, open closed, full empty, hard soft, clean dirty, early late, strong weak, heavy light,
rich poor, near far, high low, left right, day night, good bad, new old, sweet sour, thick thin,
deep shallow, long short, first last, awake asleep, brave afraid, kind mean, rough smooth,
warm cool, inside outside, above below, before after, always never
""".replace("\n", " ").split(",")]

BODY = _table("Body", "part do", """
eyes | see
ears | hear
nose | smell
tongue | taste
hands | hold things
legs | walk and run
teeth | bite and chew
skin | feel
""")

COLORS = "red blue green yellow orange purple white black brown pink gray".split()
COLOR_OF = _table("ColorOf", "thing color", """
the sky | blue
grass | green
snow | white
the sun | yellow
the night | black
a rose | red
milk | white
coal | black
the sea | blue
chocolate | brown
a cloud | white
fire | orange
sand | yellow
a leaf | green
blood | red
""")
MIXES = [("red", "yellow", "orange"), ("blue", "yellow", "green"), ("red", "blue", "purple"),
         ("red", "white", "pink"), ("black", "white", "gray")]

# Each: what to do, then the steps.
HOW_TO = _table("HowTo", "task need steps", """
make a sandwich | bread, butter and cheese | take two slices of bread; put butter on them; add cheese; press the slices together
make tea | a cup, water and a tea bag | boil the water; put the tea bag in the cup; pour the water; wait three minutes
make soup | carrots, potatoes and water | wash the carrots and potatoes; cut them into small pieces; boil them in a pot; add some salt
make pancakes | flour, eggs and milk | mix flour, eggs and milk; heat a pan; pour in some batter; turn the pancake when it is golden
make a fruit salad | apples, pears and grapes | wash the fruit; cut it into small pieces; put it in a bowl; mix it well
bake a cake | flour, sugar, eggs and butter | mix flour, sugar, eggs and butter; pour it into a pan; put it in the oven; wait until it is golden
bake bread | flour, water, salt and yeast | mix flour, water, salt and yeast; let the dough rest; shape a loaf; put it in the oven
plant a seed | a pot, soil and a seed | fill a pot with soil; make a small hole; put the seed in it; give it water and sun
fly a kite | a kite, a string and wind | go to an open field; hold the string; run into the wind; let the string out slowly
wash your hands | soap and water | wet your hands; rub them with soap; rinse them with water; dry them with a towel
brush your teeth | a brush and paste | put paste on the brush; brush all your teeth; rinse your mouth; smile
wrap a gift | paper, tape and a ribbon | cut the paper; fold it around the box; close it with tape; tie a ribbon
draw a house | paper and a pencil | draw a square; draw a roof on top; add a door and two windows; color it
build a snowman | snow, a carrot and a hat | roll three balls of snow; put them on each other; use a carrot for the nose; put a hat on top
write a letter | paper and a pencil | write the name of your friend; tell the news; sign your name; put it in the mail box
clean a room | a broom and a box | pick up your toys; put them in the box; sweep the floor; open the window
catch a fish | a rod and a worm | sit by the water; put a worm on the hook; wait quietly; pull when you feel a tug
feed a dog | dog food and a bowl | fill the bowl with food; fill another bowl with water; call the dog; let it eat in peace
pack a bag | a bag, clothes and a book | choose your clothes; fold them; put the heavy things at the bottom; close the bag
tie a knot | a rope | cross the two ends; pull one end through the loop; pull both ends tight; check that it holds
""")

FEELINGS = _table("Feeling", "word reply tip", """
sad | I am sorry to hear that | talk to a friend or take a walk
tired | rest is good for you | go to bed early tonight
happy | that is good to hear | share your smile with a friend
angry | it is all right to feel that way | take a deep breath and count to ten
bored | there is always something to do | read a book or draw a picture
afraid | you are brave to say so | hold the hand of someone you love
lonely | I am glad that you told me | call a friend or visit your family
hungry | it must be time to eat | have some bread and fruit
thirsty | water is good for you | drink a big cup of water
cold | let us get you warm | put on a coat and drink some tea
sick | I hope that you feel better soon | stay in bed and see a doctor
excited | that sounds like fun | tell a friend about it
""")

# (name, pronoun), in stories and sums.
NAMES = [(n, "she") for n in """Mia Anna Ella Rosa Lily Nora Ruth Clara Ida Jane Eva Maya Sara Lena
Hana Zoe Kate Tara Iris Dora""".split()] + [(n, "he") for n in """Tom Ben Sam Leo Max Finn Jack Otto
Paul Omar Hugo Carl Noah Ravi Ivan Luke Theo Adam Emil Dan""".split()]
PET_NAMES = "Rusty Pip Fern Dot Bramble Hazel Tuck Milo Poppy Biscuit Nibbles Clover Patch Ziggy".split()

# Heroes of stories beside children, beasts and workers.
HEROES = {"dragon": "", "giant": "", "ghost": "", "robot": "", "pirate": "", "princess": "she",
          "queen": "she", "mermaid": "she", "fairy": "she", "witch": "she", "prince": "he",
          "king": "he", "wizard": "he", "knight": "he"}

JOKES = """Why did the hen cross the road? The duck had a better garden.
What do you call a sleeping cow? A bed of milk.
Why did the fish stay home? It forgot its umbrella in the rain.
Why does the owl never go to bed? It would miss the whole night.
What did the lamp say to the candle? You look a bit burned out.
Why is the clock so tired? It works all day and all night.
What did one boot say to the other? We make a good pair.
Why did the cookie see the doctor? It felt crumbly.""".splitlines()

POEMS = _table("Poem", "topic lines", """
the sea | The sea is wide, the sea is deep. / It sings the little fish to sleep.
the moon | The moon is white, the moon is round. / It climbs the hill without a sound.
the rain | The rain falls down on tree and street. / I jump in puddles with my feet.
the sun | The sun comes up, the night is done. / Come out and play with everyone.
a cat | The cat lies warm upon the bed. / It dreams of fish and butter bread.
a dog | The dog runs fast, the dog runs free. / At night it comes back home to me.
winter | The snow falls soft, the wind is cold. / The fire is red, the lamp is gold.
spring | The grass is green, the birds all sing. / The bees are glad that it is spring.
a friend | A friend is there on every day. / A friend will listen, help and play.
a tree | The tree is old, the tree is tall. / It gives its apples to us all.
a ship | The ship sails out at break of day. / The wind will take it far away.
home | The way is long, the night is near. / But home is warm, and home is here.
""")

# What the demo's world does not hold; the model says so.
UNKNOWN = [t.strip() for t in """the capital of France, the capital of Japan, quantum physics,
the stock market, computer chips, the last election, football scores, the history of Rome,
modern art, chemistry, black holes, electric cars, the price of gold, world records, movies,
rock music, robots, video games, the internet, algebra, tax law, the moon landing, dinosaurs,
the human brain, famous writers, the Olympic games, airplanes and jet engines, space travel,
the periodic table, old kings and queens, satellites, bridges in big cities, vaccines,
economics, philosophy, telescopes, the deepest ocean, the tallest mountain, lasers,
volcanoes, magnets, batteries, programming, chess openings, coffee machines""".split(",")]
UNKNOWN_QUESTIONS = """Why is the sky blue?
Why do people dream?
Why is the sea salty?
Who is the president?
Who won the game?
Who wrote this book?
Who was the first man on the moon?
How old is the earth?
How does a phone work?
How far away is the sun?
How many people live in the world?
How tall are you?
When was the war?
When does the next train leave?
What time is it?
What is the meaning of life?
What is the news today?
Where is Paris?
Where can I buy a car?
Can you write code?
Can you speak French?
Translate this into German.
What is my name?
What did I do last summer?""".splitlines()
