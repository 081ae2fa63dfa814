import { LIVE_BRANCH } from '../../../game/branches.data.ts';
import type { Ports } from '../../../platform/area/area.ts';
import type { RawReply } from '../../../platform/http/replies/reply.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { chooseLanguage, wantedLanguages, wantsEnglish } from './reader-language.domain.ts';

type Reader = Pick<Ports['codexReader'], 'listLanguages' | 'translatedNames'>;

/** The language in which a page shows names of the game. */
export interface NameLanguage {
  /** Code of the language; undefined for English. */
  lang: string | undefined;
  /** Whether the reader decides, by cookie or browser. False: the address names the language. */
  isReaders: boolean;
}

/**
 * The language of an address, or that of the reader. English is the default, and needs no read. A language that the game does not have is
 * ignored, unless the address names it. `isOff`: the codexes, which have the names, are switched off.
 */
export async function nameLanguage(
  codex: Reader,
  request: Request,
  { asked, branch = LIVE_BRANCH, isOff = false }: { asked?: string | undefined; branch?: string; isOff?: boolean } = {},
): Promise<NameLanguage> {
  if (asked) return { lang: asked, isReaders: false };
  const wanted = wantedLanguages(request);
  if (isOff || wantsEnglish(wanted)) return { lang: undefined, isReaders: true };
  try {
    const languages = await codex.listLanguages(branch);
    const lang = chooseLanguage(
      wanted,
      languages.map(({ code }) => code),
    );
    return { lang, isReaders: true };
  } catch (error) {
    logError('the languages of the game are not known', error, {});
    return { lang: undefined, isReaders: true };
  }
}

/** Header of a response that depends on the language of its reader: caches keep one for each. */
export const READER_VARY = { Vary: 'Accept-Language, Cookie' };

/** A page in the language of its reader. */
export function inNameLanguage(reply: RawReply, { isReaders }: NameLanguage): RawReply {
  return isReaders ? { ...reply, headers: { ...reply.headers, ...READER_VARY } } : reply;
}

/** Names of the game in the language of a page; in English where the game has none. */
export interface GameNames {
  /** By the English name. */
  named(name: string): string;
  /** By the path of an entry. */
  at(path: string, name: string): string;
}

/** Names as they are. */
export const ENGLISH_NAMES: GameNames = { named: (name) => name, at: (_, name) => name };

/** Reads the names of the game that a page shows: nothing for English, otherwise one statement for each list. */
export async function gameNames(
  codex: Reader,
  { lang }: Pick<NameLanguage, 'lang'>,
  { branch = LIVE_BRANCH, names = [], paths = [] }: { branch?: string; names?: readonly string[]; paths?: readonly string[] },
): Promise<GameNames> {
  if (lang === undefined || names.length + paths.length === 0) return ENGLISH_NAMES;
  try {
    const [named, at] = await Promise.all([
      codex.translatedNames(branch, lang, 'name', names),
      codex.translatedNames(branch, lang, 'path', paths),
    ]);
    return { named: (name) => named(name) ?? name, at: (path, name) => at(path) ?? name };
  } catch (error) {
    logError('names of the game could not be translated', error, { lang });
    return ENGLISH_NAMES;
  }
}
