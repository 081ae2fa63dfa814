import { type BinFile, type BinSection, type BinValue, fieldOf, leafSection, textOf } from '../format/binfab.domain.ts';
import { readSpan } from '../format/binfab-values.domain.ts';
import { readVarint64 } from '../format/bytes.domain.ts';
import { readEntityHeader } from '../format/decode-binfab.domain.ts';

export interface Identity {
  nameKey: string | null;
  category: string | null;
  descriptionKey: string | null;
  tradable: boolean | null;
}

const IDENTITY_COMPONENT = 49;
const NAME_FIELD = 1;
const CATEGORY_FIELD = 2;
const DESCRIPTION_FIELD = 5;
const TRADABLE_FIELD = 14;
const RAW_TRUE = 2;

/** Identity of a prefab from its identity component, otherwise from the bytes of the first component. */
export function parseIdentity(bytes: Uint8Array, file: BinFile | null): Identity {
  const component = file?.kind === 'entity' ? file.components.find(({ id }) => id === IDENTITY_COMPONENT) : undefined;
  const object = component?.object;
  // Two sections: base and leaf. With one section, the leaf section was not decoded and is read from the bytes.
  return object && object.sections.length > 1 ? readIdentitySection(leafSection(object)) : readIdentityBytes(bytes);
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

/** Integer before zigzag decoding. */
function rawNumberOf(value: BinValue | null): number | null {
  if (value?.kind === 'unsigned') return Number(value.value);
  if (value?.kind !== 'signed') return null;
  const number = Number(value.value);
  return number >= 0 ? number * 2 : -number * 2 - 1;
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
