import { fileBytes } from '../../../src/areas/codexes/format/bytes.domain.ts';
import { parseLanguageTable } from '../../../src/areas/codexes/parse/parse-file.domain.ts';
import { encodeLanguageTable } from './tables.ts';

const ENGLISH_TABLES = 'languages/en/';

/** Text of a language for a key and its English text; null without a translation. */
export type Translate = (text: string, key: string) => string | null;

/** Adds language folders to game files: for each English table one with the translated texts. */
export function withLanguages(
  files: ReadonlyMap<string, Uint8Array>,
  languages: Readonly<Record<string, Translate>>,
): Map<string, Uint8Array> {
  const tables = [...files].filter(([path]) => path.startsWith(ENGLISH_TABLES));
  const added = Object.entries(languages).flatMap(([folder, translate]) =>
    tables.map(([path, bytes]): [string, Uint8Array] => {
      const texts = parseLanguageTable(fileBytes(bytes)).flatMap(([key, text]): [string, string][] => {
        const translated = translate(text, key);
        return translated === null ? [] : [[key, translated]];
      });
      return [`languages/${folder}/${path.slice(ENGLISH_TABLES.length)}`, encodeLanguageTable(texts)];
    }),
  );
  return new Map([...files, ...added].sort(([one], [other]) => (one < other ? -1 : 1)));
}
