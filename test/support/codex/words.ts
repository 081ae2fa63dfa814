import { pick, type RandomSource, randomBelow } from '../../../src/platform/kit/random.ts';

/* Generated names: two words give the file stem, the display name and a description. */

const ADJECTIVES =
  'amber ancient arctic ashen azure blazing brass bright cinder clockwork cobalt coral crimson crystal dawn deep drifting dusky ebon ember faded fierce frosted gilded glass gloomy golden hollow humming icy iron ivory jade lunar marble merry mossy neon noble obsidian opal pale phantom quiet radiant rusty sable sandy scarlet shaded silent silver smoky solar starry steady stone storm sunken swift tidal twilight velvet verdant violet wandering whispering wild winter wooden'.split(
    ' ',
  );
const NOUNS =
  'anchor archer arrow badger bat beacon bear beetle blade bloom boulder bramble bridge candle cat chest cloud comet coral crab crow crown drake drum eel falcon feather fern finch flame fox gale gear glider goat golem griffin hammer hare harp hawk heron horn hound lantern leaf lion lizard lynx mask mole moth otter owl panther pearl pike prism quill ram raven reef river robin root salmon scout seal serpent shell shrine skiff sparrow spear spider spire stag star swan thorn tiger tortoise tower trout vine viper wagon whale willow wolf wren'.split(
    ' ',
  );
const SENTENCES = [
  'Found where the map ends.',
  'Said to bring luck to those who dig deep.',
  'It hums when nobody is listening.',
  'Made by hand, and it shows.',
  'Old stories call it a friend of travellers.',
  'Keeps 100% of its promises, says the label.',
];

export interface Naming {
  stem: string;
  name: string;
  description: string;
}

/** Creates a generator of unique names. Adds a number to repeated word pairs. */
export function createNamer(random: RandomSource): (kind: string) => Naming {
  const used = new Map<string, number>();
  return (kind) => {
    const adjective = pick(random, ADJECTIVES);
    const noun = pick(random, NOUNS);
    const base = `${adjective}_${noun}`;
    const times = (used.get(`${kind}/${base}`) ?? 0) + 1;
    used.set(`${kind}/${base}`, times);
    const stem = times === 1 ? base : `${base}_${String(times).padStart(2, '0')}`;
    const title = `${capital(adjective)} ${capital(noun)}${times === 1 ? '' : ` ${times}`}`;
    return { stem, name: title, description: `${title}. ${pick(random, SENTENCES)}` };
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Draws up to `count` different items, in random order. */
export function sample<T>(random: RandomSource, items: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  for (let tries = 0; chosen.size < Math.min(count, items.length) && tries < count * 8; tries += 1) {
    const item = items[randomBelow(random, items.length)];
    if (item !== undefined) chosen.add(item);
  }
  return [...chosen];
}
