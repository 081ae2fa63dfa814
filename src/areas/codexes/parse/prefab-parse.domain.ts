import type { AbilityItem, AbilityTexts } from '../codex.domain.ts';
import {
  type BinFile,
  type BinSection,
  type BinValue,
  fieldOf,
  isComplete,
  itemsOf,
  leafSection,
  numberOf,
  objectsOf,
  rawNumberOf,
  textOf,
  textsIn,
} from '../format/binfab.domain.ts';
import { type FileBytes, readSpan, readVarint64, scanTexts } from '../format/bytes.domain.ts';
import { readEntityHeader } from '../format/decode-binfab.domain.ts';
import type { ModifierParse, PrefabParse } from './codex-parse.domain.ts';
import { MOUNT_SLOT, OPERATIONS, SLOT_BY_RAW_KIND, STAT_LABEL_SUFFIXES, STATS, WINGS_SLOT } from './codex-stats.data.ts';
import { HIDDEN_ABILITY_SUBSTRINGS } from './codex-tables.data.ts';

/** What a prefab says about itself. */
type Identity = Pick<PrefabParse, 'nameKey' | 'category' | 'descriptionKey' | 'tradable'>;

const IDENTITY_COMPONENT = 49;
const NAME_FIELD = 1;
const CATEGORY_FIELD = 2;
const DESCRIPTION_FIELD = 5;
const TRADABLE_FIELD = 14;
const RAW_TRUE = 2;

/**
 * Identity of a prefab: the leaf section of its identity component. A costume has no components, and its own fields. Bytes are
 * searched only if the file or the component could not be decoded.
 */
export function parseIdentity(bytes: Uint8Array, file: BinFile | null, isCostume = false): Identity {
  if (file === null) return readIdentityBytes(bytes);
  if (file.kind === 'object') return isCostume ? readCostume(leafSection(file.object)) : NO_IDENTITY;
  const component = file.components.find(({ id }) => id === IDENTITY_COMPONENT);
  if (component === undefined) return NO_IDENTITY;
  return component.object === null ? readIdentityBytes(bytes) : readIdentitySection(leafSection(component.object));
}

const NO_IDENTITY: Identity = { nameKey: null, category: null, descriptionKey: null, tradable: null };

const COSTUME_NAME_FIELD = 5;
const COSTUME_DESCRIPTION_FIELD = 6;

function readCostume(section: BinSection): Identity {
  return {
    ...NO_IDENTITY,
    nameKey: textOf(fieldOf(section, COSTUME_NAME_FIELD)),
    descriptionKey: textOf(fieldOf(section, COSTUME_DESCRIPTION_FIELD)),
  };
}

function readIdentitySection(section: BinSection): Identity {
  const raw = rawNumberOf(fieldOf(section, TRADABLE_FIELD));
  return {
    nameKey: textOf(fieldOf(section, NAME_FIELD)),
    category: textOf(fieldOf(section, CATEGORY_FIELD)),
    descriptionKey: textOf(fieldOf(section, DESCRIPTION_FIELD)),
    tradable: raw === null ? null : raw === RAW_TRUE,
  };
}

const INTEGER_NIBBLES: ReadonlySet<number> = new Set([0, 2]);
const FLOAT_NIBBLE = 4;
const FIXED_NIBBLE = 6;
const TEXT_NIBBLE = 8;

/** Reads the fields between the first and the second end of a section, skipping values by the low nibble of their keys. */
export function readIdentityBytes(bytes: Uint8Array): Identity {
  const decoder = new TextDecoder();
  const texts = new Map<number, string>();
  let tradable: boolean | null = null;
  let ends = 0;
  for (let at = readEntityHeader(bytes)?.next ?? 0; ends < 2; ) {
    const key = readVarint64(bytes, at);
    if (key === null || typeof key.value !== 'number') break;
    const nibble = key.value % 16;
    const field = Math.floor(key.value / 16);
    at = key.next;
    if (INTEGER_NIBBLES.has(nibble)) {
      const value = readVarint64(bytes, at);
      if (value === null) break;
      if (ends === 1 && field === TRADABLE_FIELD) tradable ??= value.value === RAW_TRUE;
      at = value.next;
    } else if (nibble === TEXT_NIBBLE) {
      const span = readSpan(bytes, at);
      if (span === null) break;
      if (ends === 1 && !texts.has(field)) texts.set(field, decoder.decode(bytes.subarray(span.from, span.next)));
      at = span.next;
    } else if (nibble === FLOAT_NIBBLE) at += 4;
    else if (nibble === FIXED_NIBBLE) at += 8;
    else ends += 1;
  }
  const textAt = (field: number): string | null => texts.get(field) ?? null;
  return { nameKey: textAt(NAME_FIELD), category: textAt(CATEGORY_FIELD), descriptionKey: textAt(DESCRIPTION_FIELD), tradable };
}

/*
 * Format of a modifier: `00 <stat> 10 <operation> 24 <float> 38 <length> <label> 46 …`. Modifiers are found by the key of the label
 * (0x38, `8`); the offsets below are relative to it.
 */
const LABEL_KEY = '8';
const STAT_BEFORE = 8;
const OPERATION_BEFORE = 6;
const FLOAT_BEFORE = 4;
const AFTER_LABEL = 0x46;
const LABEL = /[A-Za-z0-9_/.$-]*/y;
const MAX_AMOUNT = 1_000_000;
const MAX_MODIFIERS = 1024;

const WINDOW_BEFORE = 96;
const WINDOW_WITHOUT_MODEL = 4096;
const CONTEXT_BYTES = 28;

/** Modifiers in file order, from the structure if it is complete, otherwise from the bytes. */
export function parseModifiers(file: FileBytes, structure: BinFile | null): ModifierParse[] {
  if (structure !== null && isComplete(structure)) return readModifiers(structure);
  const window = findWindow(file.latin1);
  const modifiers = window === null ? [] : findModifiers(file, window.from, window.next);
  return modifiers.length > 0 ? modifiers : findModifiers(file, 0, file.bytes.length);
}

function findWindow(latin1: string): { from: number; next: number } | null {
  const key = latin1.indexOf('_description');
  if (key < 0) return null;
  const model = latin1.lastIndexOf('.blueprint');
  return { from: Math.max(0, key - WINDOW_BEFORE), next: model > key ? model : key + WINDOW_WITHOUT_MODEL };
}

function findModifiers({ bytes, latin1 }: FileBytes, from: number, next: number): ModifierParse[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const modifiers: ModifierParse[] = [];
  const open: ModifierContext = { slot: null, component: 1 };
  for (let at = latin1.indexOf(LABEL_KEY, Math.max(from, STAT_BEFORE)); at >= 0 && at < next; ) {
    const label = readLabel(bytes, latin1, at);
    const amount = label === null ? Number.NaN : view.getFloat32(at - FLOAT_BEFORE, true);
    const operation = (bytes[at - OPERATION_BEFORE] ?? 0) / 2;
    const stat = label === null ? null : statOf(bytes[at - STAT_BEFORE] ?? 0, label);
    if (label === null || stat === null || !(Math.abs(amount) <= MAX_AMOUNT) || OPERATIONS[operation] === undefined) {
      at = latin1.indexOf(LABEL_KEY, at + 1);
      continue;
    }
    const context = latin1.slice(Math.max(0, at - FLOAT_BEFORE - CONTEXT_BYTES), at - FLOAT_BEFORE);
    open.slot = slotBefore(context) ?? open.slot;
    open.component = ARRAY_OPENING.exec(context)?.[1]?.charCodeAt(0) ?? open.component;
    modifiers.push({ ...stat, operation, amount: roundAmount(amount), label, ...open, slot: slotOfLabel(label) ?? open.slot });
    if (modifiers.length >= MAX_MODIFIERS) break;
    at = latin1.indexOf(LABEL_KEY, at + 2 + label.length);
  }
  return modifiers;
}

function readLabel(bytes: Uint8Array, latin1: string, at: number): string | null {
  const length = bytes[at + 1] ?? 0;
  const end = at + 2 + length;
  if (bytes[end] !== AFTER_LABEL) return null;
  LABEL.lastIndex = at + 2;
  LABEL.test(latin1);
  return LABEL.lastIndex >= end ? latin1.slice(at + 2, end) : null;
}

const STAT_BY_ID = new Map(STATS.map(({ id, key }) => [id, key]));

function statOf(raw: number, label: string): { stat: string; statId: number | null } | null {
  const id = raw % 2 === 0 ? raw / 2 : null;
  const key = id === null ? undefined : STAT_BY_ID.get(id);
  if (key !== undefined) return { stat: key, statId: id };
  const lower = label.toLowerCase();
  const known = STAT_LABEL_SUFFIXES.find(({ suffix }) => lower === suffix || lower.endsWith(`_${suffix}`));
  return known ? { stat: known.key, statId: null } : null;
}

/** Rounds to six decimal places: removes the error of the conversion from a 32-bit float. */
export function roundAmount(amount: number): number {
  const rounded = Math.round(amount * 1e6) / 1e6;
  return rounded === 0 ? 0 : rounded;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const BLOCK_OPENING = /\x1e[\x14\x24]\x00(.)\xbe\x01\xae/gs;
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const FIRST_MOUNT_BLOCK = /\xbe\x01\xae\x01\x00?\x04\x00\x10\x10\x04\x24$/;
/** Header of an array with its count, and the start of its first modifier. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const ARRAY_OPENING = /\xae([\x01-\x7f])\x00?\x04\x00.\x10.\x24$/s;
// biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of the format
const CONTINUATION = /\x1e[\x14\x24]\x00.\x10[\x02\x04]\x24$/s;

/** Slot of the block that starts in the bytes before the float of a modifier; null if none starts. */
function slotBefore(context: string): string | null {
  if (CONTINUATION.test(context)) return null;
  const opening = [...context.matchAll(BLOCK_OPENING)].at(-1);
  if (opening !== undefined) return SLOT_BY_RAW_KIND[opening[1]?.charCodeAt(0) ?? -1] ?? null;
  return FIRST_MOUNT_BLOCK.test(context) ? MOUNT_SLOT : null;
}

function slotOfLabel(label: string): string | null {
  const lower = label.toLowerCase();
  if (lower.includes('ground_movespeed')) return MOUNT_SLOT;
  return lower.includes('wing_movespeed') || lower.includes('glide_movespeed') ? WINGS_SLOT : null;
}

const KIND_FIELD = 0;
const MODIFIERS_FIELD = 1;
const STAT_FIELD = 0;
const OPERATION_FIELD = 1;
const AMOUNT_FIELD = 2;
const LABEL_FIELD = 3;

/** Context of a modifier: slot of its block, or null, and number of modifiers in its array. */
interface ModifierContext {
  slot: string | null;
  component: number;
}

/** Sections `{0: stat, 1: operation, 2: amount, 3: label}` anywhere in a file. */
function readModifiers(structure: BinFile): ModifierParse[] {
  const modifiers: ModifierParse[] = [];
  const emptyContext: ModifierContext = { slot: null, component: 1 };
  const open = objectsOf(structure)
    .map((value): { value: BinValue; context: ModifierContext } => ({ value, context: emptyContext }))
    .reverse();
  for (let next = open.pop(); next !== undefined && modifiers.length < MAX_MODIFIERS; next = open.pop()) {
    const { value, context } = next;
    const inner: typeof open = [];
    if (value.kind === 'array') {
      const items = itemsOf(value);
      for (const item of items) inner.push({ value: item, context: { slot: context.slot, component: items.length } });
    }
    if (value.kind === 'map')
      for (const { value: item } of value.entries) if (item !== null) inner.push({ value: item, context: emptyContext });
    for (const section of value.kind === 'object' ? value.sections : []) {
      const modifier = readModifier(section, context);
      if (modifier !== null) modifiers.push(modifier);
      const kind = blockKind(section);
      for (const { index, value: field } of section) {
        const slot = kind !== null && index === MODIFIERS_FIELD ? (SLOT_BY_RAW_KIND[kind * 2] ?? null) : null;
        inner.push({ value: field, context: { slot, component: 1 } });
      }
    }
    for (const item of inner.reverse()) open.push(item);
  }
  return modifiers;
}

/** Null for any other section, and for an unknown stat or operation. */
function readModifier(section: BinSection, context: ModifierContext): ModifierParse | null {
  const raw = rawNumberOf(fieldOf(section, STAT_FIELD));
  const operation = numberOf(fieldOf(section, OPERATION_FIELD));
  const amount = fieldOf(section, AMOUNT_FIELD);
  const label = textOf(fieldOf(section, LABEL_FIELD));
  if (raw === null || operation === null || OPERATIONS[operation] === undefined || amount?.kind !== 'float' || label === null) return null;
  const stat = statOf(raw, label);
  if (stat === null || !(Math.abs(amount.value) <= MAX_AMOUNT)) return null;
  return { ...stat, operation, amount: roundAmount(amount.value), label, ...context, slot: slotOfLabel(label) ?? context.slot };
}

/** Kind of a block `{0: kind, 1: [modifiers]}`; null for any other section. */
function blockKind(section: BinSection): number | null {
  return fieldOf(section, MODIFIERS_FIELD)?.kind === 'array' ? numberOf(fieldOf(section, KIND_FIELD)) : null;
}

const REF = /abilities\/[A-Za-z0-9_/.\\]+/g;
const MAX_ABILITY_REFS = 512;
const FLASK_HEALTH = 'use_flask_health_';
const FLASK_DUMMY_HEALTH = 'use_flask_dummyhealth_';

/** Ability references in a text, in order, without duplicates. */
export function findAbilityRefs(text: string): string[] {
  const refs = new Set<string>();
  for (const [match] of text.matchAll(REF)) {
    refs.add(match.replaceAll('\\', '/').replace(/[./]+$/, ''));
    if (refs.size >= MAX_ABILITY_REFS) break;
  }
  return [...refs];
}

/** Ability references of a prefab, in file order, without duplicates. */
export function parseAbilityRefs(file: FileBytes, structure: BinFile | null): string[] {
  return findAbilityRefs(structure !== null && isComplete(structure) ? textsIn(structure).join('\0') : file.latin1);
}

function isHiddenAbility(ref: string, all: readonly string[]): boolean {
  if (HIDDEN_ABILITY_SUBSTRINGS.some((part) => ref.includes(part))) return true;
  const at = ref.indexOf(FLASK_HEALTH);
  if (at < 0) return false;
  const dummy = FLASK_DUMMY_HEALTH + ref.slice(at + FLASK_HEALTH.length);
  return all.some((other) => other.endsWith(dummy));
}

/** Text keys of an ability: the first of each kind in its prefab. */
export function parseAbilityKeys(file: FileBytes): { nameKey: string | null; descriptionKey: string | null } {
  let nameKey: string | null = null;
  let descriptionKey: string | null = null;
  for (const { text } of scanTexts(file)) {
    if (!text.startsWith('$')) continue;
    if (text.endsWith('_name')) nameKey ??= text;
    if (text.endsWith('_description')) descriptionKey ??= text;
    if (nameKey !== null && descriptionKey !== null) break;
  }
  return { nameKey, descriptionKey };
}

/** Refs in entry order; `textsOf` returns the texts of a ref. */
export function toAbilityItems(refs: readonly string[], textsOf: (ref: string) => AbilityTexts): AbilityItem[] {
  return refs.map((ref) => (isHiddenAbility(ref, refs) ? { ref, hidden: true } : { ref, hidden: false, ...textsOf(ref) }));
}
