import { createHash } from 'node:crypto';
import { encodeListedBlueprint, encodePackedBlueprint } from '../../../test/support/codex/encode-blueprint.ts';
import { isEmptyModel } from '../../../test/support/codex/world-prefabs.ts';
import { CREATURES } from './creatures.ts';
import { OBJECTS } from './objects.ts';
import type { Colour, VoxelCanvas } from './voxel-canvas.ts';

const MODELS: Readonly<Record<string, (colour: Colour) => VoxelCanvas>> = { ...OBJECTS, ...CREATURES };

const COLOURS: readonly Colour[] = [
  [206, 74, 60],
  [226, 140, 52],
  [222, 190, 70],
  [104, 172, 80],
  [62, 160, 160],
  [72, 116, 204],
  [132, 88, 196],
  [204, 96, 160],
  [170, 176, 188],
  [92, 72, 62],
];

/** Models of items by words of their names; the first match applies. */
const BY_TITLE: readonly (readonly [RegExp, keyof typeof OBJECTS])[] = [
  [/\bfish\b/i, 'fish'],
  [/chest|box|stash|pack|crate|kit\b|pinata/i, 'chest'],
  [/bomb/i, 'bomb'],
  [/coin|token|medal|badge/i, 'coin'],
  [/book|scroll|tome|page|recipe/i, 'book'],
  [/gear|cog|circuit|crystalizer|engine|mechanism/i, 'gear'],
  [/bottle|flask|elixir|potion|\bsap\b|wine|brew|oil\b/i, 'flask'],
  [/soul|orb|ball|pearl|egg/i, 'orb'],
  [/diamond|crystal|gem|shard|talisman|prism|zine\b|cinnabar/i, 'gem'],
  [/ore\b|stone|rock|chunk|bone|scale/i, 'ore'],
  [/bark|root|kelp|blossom|flower|fern|leaf|nut\b|melon|feed|sporeling|seed/i, 'plant'],
  [/ium\b|ite\b|bar\b|ingot/i, 'ingot'],
];
/** Models of items whose names have none of these words. */
const ITEMS = ['ingot', 'gem', 'flask', 'orb', 'gear', 'plant', 'book'] as const;

/** Models for names by prefix; the first match applies. */
const BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^item_/, ITEMS],
  [/^tome_/, ['book']],
  [/^badge_/, ['coin']],
  [/^aura_/, ['orb']],
  [/^memento_/, ['lantern']],
  [/^(?:deco|fw)_/, ['chest', 'lantern']],
  [/^(?:mount|magrider)_/, ['mount']],
  [/^sail_/, ['boat']],
  [/^(?:hat|face|skin)_/, ['hat']],
  [/^(?:sword|bow|staff|banner)_/, ['sword']],
];

/**
 * The file of the model with this name below `blueprints/`. A name always gets the same of a few hundred models. `title`: name of the item that
 * it shows, if it is one.
 */
export function demoModel(name: string, title?: string): Uint8Array<ArrayBuffer> {
  if (isEmptyModel(name)) return encodeListedBlueprint([]);
  const digest = createHash('sha256').update(name).digest();
  const own = /^[a-z]+/.exec(name)?.[0] ?? '';
  const titled = title === undefined ? undefined : BY_TITLE.find(([pattern]) => pattern.test(title))?.[1];
  const kinds: readonly string[] = titled
    ? [titled]
    : (BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? [own in MODELS ? own : 'chest']);
  return fileOf(kinds[(digest[0] ?? 0) % kinds.length] ?? 'chest', (digest[1] ?? 0) % COLOURS.length);
}

const files = new Map<string, Uint8Array<ArrayBuffer>>();

/** The colour selects one of the two versions of the format. */
function fileOf(kind: string, colour: number): Uint8Array<ArrayBuffer> {
  const key = `${kind} ${colour}`;
  let file = files.get(key);
  if (!file) {
    const voxels = MODELS[kind]?.(COLOURS[colour] ?? [0, 0, 0]).voxels() ?? [];
    file = colour % 2 === 0 ? encodePackedBlueprint(voxels) : encodeListedBlueprint(voxels);
    files.set(key, file);
  }
  return file;
}
