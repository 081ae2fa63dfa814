import type { Translate } from './languages.ts';

/** German for the words and sentences of `words.ts`; other words stay. */
const WORDS = new Map(
  `amber:Bernstein ancient:Uralt arctic:Arktis ashen:Aschen azure:Azur blazing:Lodern brass:Messing bright:Hell cinder:Schlacken
clockwork:Uhrwerk cobalt:Kobalt coral:Korallen crimson:Karmesin crystal:Kristall dawn:Morgen deep:Tiefen drifting:Treib dusky:Dämmer
ebon:Ebenholz ember:Glut faded:Blass fierce:Wild frosted:Frost gilded:Gold glass:Glas gloomy:Düster golden:Gold hollow:Hohl humming:Summ
icy:Eis iron:Eisen ivory:Elfenbein jade:Jade lunar:Mond marble:Marmor merry:Fröhlich mossy:Moos neon:Neon noble:Edel obsidian:Obsidian
opal:Opal pale:Fahl phantom:Phantom quiet:Still radiant:Strahlen rusty:Rost sable:Zobel sandy:Sand scarlet:Scharlach shaded:Schatten
silent:Stumm silver:Silber smoky:Rauch solar:Sonnen starry:Sternen steady:Stetig stone:Stein storm:Sturm sunken:Versunken swift:Flink
tidal:Gezeiten twilight:Zwielicht velvet:Samt verdant:Grün violet:Veilchen wandering:Wander whispering:Flüster wild:Wild winter:Winter
wooden:Holz anchor:Anker archer:Bogenschütze arrow:Pfeil badger:Dachs bat:Fledermaus beacon:Leuchtfeuer bear:Bär beetle:Käfer
blade:Klinge bloom:Blüte boulder:Findling bramble:Dornbusch bridge:Brücke candle:Kerze cat:Katze chest:Truhe cloud:Wolke comet:Komet
crab:Krabbe crow:Krähe crown:Krone drake:Drache drum:Trommel eel:Aal falcon:Falke feather:Feder fern:Farn finch:Fink flame:Flamme
fox:Fuchs gale:Böe gear:Zahnrad glider:Gleiter goat:Ziege golem:Golem griffin:Greif hammer:Hammer hare:Hase harp:Harfe hawk:Habicht
heron:Reiher horn:Horn hound:Hund lantern:Laterne leaf:Blatt lion:Löwe lizard:Eidechse lynx:Luchs mask:Maske mole:Maulwurf moth:Motte
otter:Otter owl:Eule panther:Panther pearl:Perle pike:Hecht prism:Prisma quill:Federkiel ram:Widder raven:Rabe reef:Riff river:Fluss
robin:Rotkehlchen root:Wurzel salmon:Lachs scout:Späher seal:Robbe serpent:Schlange shell:Muschel shrine:Schrein skiff:Kahn
sparrow:Spatz spear:Speer spider:Spinne spire:Turmspitze stag:Hirsch star:Stern swan:Schwan thorn:Dorn tiger:Tiger tortoise:Schildkröte
tower:Turm trout:Forelle vine:Ranke viper:Viper wagon:Wagen whale:Wal willow:Weide wolf:Wolf wren:Zaunkönig new:Neu`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const SENTENCES = new Map([
  ['Found where the map ends.', 'Gefunden, wo die Karte endet.'],
  ['Said to bring luck to those who dig deep.', 'Soll allen Glück bringen, die tief graben.'],
  ['It hums when nobody is listening.', 'Es summt, wenn niemand zuhört.'],
  ['Made by hand, and it shows.', 'Von Hand gemacht, das sieht man.'],
  ['Old stories call it a friend of travellers.', 'Alte Geschichten nennen es einen Freund der Reisenden.'],
]);

/** Without the sentences that have no translation: those descriptions stay in English. */
export const toGerman: Translate = (text, key) => {
  if (!key.endsWith('_description')) return toGermanName(text);
  const end = text.indexOf('. ');
  const sentence = SENTENCES.get(text.slice(end + 2));
  return end < 0 || sentence === undefined ? null : `${toGermanName(text.slice(0, end))}. ${sentence}`;
};

/** `Golden Cat 2` becomes `Gold-Katze 2`. */
function toGermanName(name: string): string {
  const words = name.split(' ').map((word) => WORDS.get(word.toLowerCase()) ?? word);
  const last = words.findLastIndex((word) => !/^\d+$/.test(word));
  return [words.slice(0, last + 1).join('-'), ...words.slice(last + 1)].join(' ');
}
