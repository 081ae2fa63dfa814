import { cutText } from '../../../platform/kit/values/visible-text.ts';
import { LANGUAGES, type Translations } from '../records/catalog.data.ts';
import type { Mod, ModDetails, Release } from '../records/mod.domain.ts';

type TextLimits<Text extends string> = Readonly<Record<Text, number>>;
type ModText = keyof typeof MOD_TEXT_NAMES;
type ReleaseText = keyof typeof RELEASE_TEXT_NAMES;

/** Texts of a mod that lists cut, with their names in responses. */
export const MOD_TEXT_NAMES = {
  description: 'description',
  readmeText: 'readme_text',
  warnings: 'warnings',
  titleI18n: 'title_i18n',
  summaryI18n: 'summary_i18n',
  descriptionI18n: 'description_i18n',
  readmeI18n: 'readme_i18n',
  warningsI18n: 'warnings_i18n',
} as const satisfies Partial<Record<keyof ModDetails, string>>;

/** Texts of a release that lists cut, with their names in responses. */
export const RELEASE_TEXT_NAMES = {
  changelog: 'changelog',
  titleI18n: 'title_i18n',
  changelogI18n: 'changelog_i18n',
} as const satisfies Partial<Record<keyof Release, string>>;

const SHORT = 1000;
/** Maximum lengths in lists, in UTF-16 code units: of a text, and of all translations of a text together. */
export const LIST_MOD_TEXTS = {
  description: 4000,
  readmeText: SHORT,
  warnings: SHORT,
  titleI18n: SHORT,
  summaryI18n: SHORT,
  descriptionI18n: 4000,
  readmeI18n: SHORT,
  warningsI18n: SHORT,
} as const satisfies TextLimits<ModText>;
export const LIST_RELEASE_TEXTS = { changelog: SHORT, titleI18n: SHORT, changelogI18n: SHORT } as const satisfies TextLimits<ReleaseText>;

const LOOKUP = 200;
/** Maximum lengths in a lookup, whose client chooses up to 200 mods. */
export const LOOKUP_MOD_TEXTS = Object.fromEntries(Object.keys(MOD_TEXT_NAMES).map((name) => [name, LOOKUP])) as Record<ModText, number>;
export const LOOKUP_RELEASE_TEXTS = { changelog: LOOKUP, titleI18n: LOOKUP, changelogI18n: LOOKUP } as const;
const ATTACHED = 100;
/** Maximum lengths of the releases that a lookup attaches. */
export const ATTACHED_RELEASE_TEXTS = { changelog: ATTACHED, titleI18n: ATTACHED, changelogI18n: ATTACHED } as const;

/** A value of a list with the names of its cut texts. */
export interface Cut<Value> {
  value: Value;
  truncated: string[];
}

/** Cuts the long texts of a mod. */
export const cutMod = (mod: Mod, limits: TextLimits<ModText> = LIST_MOD_TEXTS): Cut<Mod> => cutTexts(mod, MOD_TEXT_NAMES, limits);

/** Cuts the long texts of a release. */
export const cutRelease = <R extends Release>(release: R, limits: TextLimits<ReleaseText> = LIST_RELEASE_TEXTS): Cut<R> =>
  cutTexts(release, RELEASE_TEXT_NAMES, limits);

function cutTexts<Name extends string, Value extends Readonly<Record<Name, string | Translations>>>(
  value: Value,
  names: Readonly<Record<Name, string>>,
  limits: TextLimits<Name>,
): Cut<Value> {
  const cut: Partial<Record<Name, string | Translations>> = {};
  for (const name of Object.keys(names) as Name[]) {
    const text = value[name];
    const short = typeof text === 'string' ? cutText(text, limits[name]) : cutTranslations(text, limits[name]);
    if (short !== text) cut[name] = short;
  }
  return { value: { ...value, ...cut }, truncated: (Object.keys(cut) as Name[]).map((name) => names[name]) };
}

/** Translations that are longer than `max` together: each is cut to an equal part of it. */
function cutTranslations(translations: Translations, max: number): Translations {
  const texts = Object.entries(translations);
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) <= max) return translations;
  return Object.fromEntries(texts.map(([language, text]) => [language, cutText(text, Math.floor(max / texts.length))]));
}

const MAX_LANGUAGE_LENGTH = Math.max(...LANGUAGES.map((language) => language.length));
/** Maximum size of translations in JSON, in bytes, from the maximum of their length. */
const translationBytes = (max: number) => 2 + 3 * max + LANGUAGES.length * (MAX_LANGUAGE_LENGTH + '"":"",'.length);

/** Maximum sizes of the translated fields of a list. */
export function fieldBytesOf<Name extends string>(names: Readonly<Record<Name, string>>, limits: TextLimits<Name>): Record<string, number> {
  const translated = (Object.keys(names) as Name[]).filter((name) => name.endsWith('I18n'));
  return Object.fromEntries(translated.map((name) => [names[name], translationBytes(limits[name])]));
}
