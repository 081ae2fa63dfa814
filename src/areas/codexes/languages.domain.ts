import { foldCase } from '../../platform/kit/values/fold.ts';

/** The language of names and descriptions without a translation. */
export const ENGLISH = 'en';

/** Languages indexed besides English: the first by code. Each has a range of ids within the ids of its branch. */
export const MAX_LANGUAGES = 15;
/** Slots of a branch for the texts of its languages, from 1. Each is a range of ids. */
export const LANGUAGE_SLOTS: readonly number[] = Array.from({ length: MAX_LANGUAGES }, (_, index) => index + 1);

/** Maximum size of the tables of one language besides English: all its texts are in memory while it is indexed. */
const MAX_LANGUAGE_BYTES = 16 << 20;

/** Folder names are language tags, also with `_`: `fr`, `pt-br`, `zh_hans`. */
const LANGUAGE_TABLE = /^languages\/([a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,2})\/.+\.binfab$/;

/** Code of the language of a table, such as `pt-br`; null for a file that is not a language table. */
export function languageOfPath(path: string): string | null {
  const folder = LANGUAGE_TABLE.exec(foldCase(path))?.[1];
  return folder === undefined ? null : languageCode(folder);
}

/** A language code in the form in which it is stored. */
export function languageCode(text: string): string {
  return foldCase(text).replaceAll('_', '-');
}

/** Name of a language in another one, for example `German` or `Deutsch`; the code if it has no name. */
export function languageName(code: string, inCode: string = ENGLISH): string {
  try {
    return new Intl.DisplayNames([inCode], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Size of the tables of a language. */
export interface LanguageSize {
  code: string;
  /** Bytes. */
  size: number;
}

/** Splits the languages of a branch into those that are indexed, by code, and the reasons why others are not. */
export function selectLanguages(languages: readonly LanguageSize[]): { indexed: string[]; refused: { code: string; problem: string }[] } {
  const sorted = languages.filter(({ code }) => code !== ENGLISH).sort((one, other) => (one.code < other.code ? -1 : 1));
  const fitting = sorted.filter(({ size }) => size <= MAX_LANGUAGE_BYTES);
  return {
    indexed: fitting.slice(0, MAX_LANGUAGES).map(({ code }) => code),
    refused: [
      ...sorted
        .filter(({ size }) => size > MAX_LANGUAGE_BYTES)
        .map(({ code }) => ({ code, problem: `language with more than ${MAX_LANGUAGE_BYTES} bytes` })),
      ...fitting.slice(MAX_LANGUAGES).map(({ code }) => ({ code, problem: `more than ${MAX_LANGUAGES} languages besides English` })),
    ],
  };
}

/** Which texts of a row are in the requested language and which in English; 0 or 1. */
export interface TextOrigin {
  has_translation?: number;
  has_english?: number;
}

/** Header that names the languages of the rows of a response; none if the request names no language. */
export function inLanguage(requested: string | undefined, rows: Iterable<TextOrigin | null>): { headers?: Record<string, string> } {
  return requested === undefined ? {} : { headers: { 'Content-Language': contentLanguage(languageCode(requested), rows) } };
}

function contentLanguage(language: string, rows: Iterable<TextOrigin | null>): string {
  const found = { translated: false, english: false };
  for (const row of rows) {
    found.translated ||= row?.has_translation === 1;
    found.english ||= row?.has_english === 1;
  }
  if (language === ENGLISH || !found.english) return language;
  return found.translated ? `${language}, ${ENGLISH}` : ENGLISH;
}
