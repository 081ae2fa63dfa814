import type { BiomeLookup } from './biome-rotations.domain.ts';

/** Sub-biomes: name, name on the map, icon token. */
const SUB_BIOMES: readonly (readonly [name: string, finalName: string, icon: string])[] = [
  ['Data Spires', 'Neon City', 'neon'],
  ['Luminopolis', 'Luminopolis', 'neon'],
  ['The Lost Isles', 'The Lost Isles', 'pirate'],
  ['Sundered Uplands', 'Sundered Uplands', 'giantland'],
  ["Dragon's Teeth", 'Dragonfire Peaks', 'dragon'],
  ['Volcanic Fields', 'Dragonfire Peaks', 'dragon'],
  ['Blazing Emberlands', 'Dragonfire Peaks', 'dragon'],
  ['Sugar Steppes', 'Candoria', 'candy'],
  ['Cupcake Canyon', 'Candoria', 'candy'],
  ['Cocoa Craters', 'Candoria', 'candy'],
  ['Deep Forest', 'Medieval Highlands', 'forest'],
  ['Firefly Party', 'Medieval Highlands', 'forest'],
  ["Frigga's Fjord", 'Medieval Highlands', 'forest'],
  ['Cursed Vale', 'Cursed Vale', 'undead'],
  ['Bewitching Wood', 'Fae Forest', 'fae'],
  ['Spellbound Thicket', 'Fae Forest', 'fae'],
  ['Uncanny Valley', 'Fae Forest', 'fae'],
  ['Abandoned Boneyard', 'Desert Frontier', 'frontier'],
  ['Alkali Flats', 'Desert Frontier', 'frontier'],
  ['Desert of Secrets', 'Desert Frontier', 'frontier'],
  ['Frozen Wastes', 'Permafrost', 'tundra'],
  ['Dead of Winter', 'Permafrost', 'tundra'],
  ['Primal Preserve', 'Primal Preserve', 'dinosaur'],
  ['Saurian Swamp', 'Saurian Swamp', 'dinosaur'],
  ['Viking Burial Grounds', 'Cursed Vale', 'undead'],
  ['Ancient Heights', 'Forbidden Spires', 'spires'],
  ['Restless Range', 'Forbidden Spires', 'spires'],
  ['Hollow Dunes', 'Hollow Dunes', 'dunes'],
  ['Weathered Wastelands', 'Weathered Wastelands', 'wasteland'],
  ['Cerise Sandsea', 'Cerise Sandsea', 'sandsea'],
];

/** Parent biomes: name (also on the map), icon token. */
const PARENT_BIOMES: readonly (readonly [name: string, icon: string])[] = [
  ['Candoria', 'candy'],
  ['Cursed Vale', 'undead'],
  ['Desert Frontier', 'frontier'],
  ['Dragonfire Peaks', 'dragon'],
  ['Fae Forest', 'fae'],
  ['Forbidden Spires', 'spires'],
  ['Geode Topside', 'dunes'],
  ['Jurassic Jungle', 'dinosaur'],
  ['Medieval Highlands', 'forest'],
  ['Neon City', 'neon'],
  ['Permafrost', 'tundra'],
  ['Sundered Uplands', 'giantland'],
  ['The Lost Isles', 'pirate'],
];

/** For the 3-hour rotation, which uses sub-biomes. */
export const subBiomes: BiomeLookup = new Map(SUB_BIOMES.map(([name, finalName, icon]) => [name, { name, finalName, icon }]));

/** For wild mana and stampy, which use parent biomes. */
export const parentBiomes: BiomeLookup = new Map(PARENT_BIOMES.map(([name, icon]) => [name, { name, finalName: name, icon }]));
