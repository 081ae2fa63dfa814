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

/** Models for names by prefix; the first match applies. */
const BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^item_/, ['ingot']],
  [/^memento_/, ['lantern']],
  [/^(?:deco|fw)_/, ['chest', 'lantern']],
  [/^(?:mount|magrider)_/, ['mount']],
  [/^sail_/, ['boat']],
  [/^(?:hat|face|skin)_/, ['hat']],
  [/^(?:sword|bow|staff|banner)_/, ['sword']],
];

/** The file of the model with this name below `blueprints/`. A name always gets the same of a few hundred models. */
export function demoModel(name: string): Uint8Array<ArrayBuffer> {
  if (isEmptyModel(name)) return encodeListedBlueprint([]);
  const digest = createHash('sha256').update(name).digest();
  const own = /^[a-z]+/.exec(name)?.[0] ?? '';
  const kinds = BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? [own in MODELS ? own : 'chest'];
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
