import type { ArtifactInspector } from '../../game/artifact.ts';
import { utf8Text } from '../../platform/kit/values/utf8.ts';
import { AUTHOR_PROPERTY, TITLE_PROPERTY } from './tmod.data.ts';
import { contentNeeds, readHeader } from './tmod-header.domain.ts';

/** Applies the checks of `POST /v1/mods/read`. Throws `ArtifactFault`. */
export const inspectArtifact: ArtifactInspector = async (bytes) => {
  const header = readHeader(bytes);
  contentNeeds(header);
  // `readHeader` has checked that values are UTF-8.
  const properties = Object.fromEntries([...header.properties].map(([name, value]) => [name, utf8Text(value) ?? '']));
  const textOf = (name: string) => (Object.hasOwn(properties, name) ? (properties[name] ?? null) : null);
  return { title: textOf(TITLE_PROPERTY), author: textOf(AUTHOR_PROPERTY), properties, fileCount: header.fileCount };
};
