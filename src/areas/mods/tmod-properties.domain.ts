import { flagsOfTags, readFlags } from '../../game/mod-categories.domain.ts';
import { utf8Bytes, utf8Text } from '../../platform/kit/values/bytes.ts';
import { FLAGS_PROPERTY, LOADER_LABEL, LOADER_PROPERTY, TAGS_PROPERTY } from './tmod.data.ts';
import type { TmodHeader } from './tmod-header.domain.ts';

/** Longer values of `flags` are not valid integers. */
const MAX_FLAGS_BYTES = 1000;

/** Integer of the `flags` property. */
export function flagsOf({ properties }: Pick<TmodHeader, 'properties'>): number {
  const bytes = properties.get(FLAGS_PROPERTY);
  return readFlags(bytes && bytes.length <= MAX_FLAGS_BYTES ? (utf8Text(bytes) ?? undefined) : undefined);
}

/** Adds the generated properties: `modLoader`, and `flags` derived from `tags` if absent. */
export function withGeneratedProperties(given: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const properties = new Map(given).set(LOADER_PROPERTY, utf8Bytes(LOADER_LABEL));
  const tags = given.get(TAGS_PROPERTY);
  const flags = tags && !given.has(FLAGS_PROPERTY) ? flagsOfTags(utf8Text(tags) ?? '') : 0;
  return flags === 0 ? properties : properties.set(FLAGS_PROPERTY, utf8Bytes(String(flags)));
}
