/** Cookie in which the switch of the footer keeps the language of names of the game; absent: that of the browser. */
const LANGUAGE_COOKIE = 'language';
const ENGLISH = 'en';
/** A language tag of at most three parts. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}$/;
/** Languages of a browser that are read, most wanted first. */
const MAX_WANTED = 10;

const primaryOf = (tag: string) => tag.split('-', 1)[0] ?? tag;

/** Languages that a reader wants, most wanted first: that of the cookie, otherwise those of `Accept-Language`. Lower case. */
export function wantedLanguages({ headers }: Pick<Request, 'headers'>): string[] {
  const kept = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([^;]*)`).exec(headers.get('Cookie') ?? '')?.[1]?.toLowerCase();
  if (kept !== undefined && TAG.test(kept)) return [kept];
  return (headers.get('Accept-Language') ?? '')
    .split(',', MAX_WANTED)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice('q='.length)) };
    })
    .filter(({ tag, weight }) => TAG.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/**
 * The first wanted language of `codes`, by its tag, the tag without its last parts (RFC 4647 lookup), or a variety of the same language;
 * undefined for English, which every text has.
 */
export function chooseLanguage(wanted: readonly string[], codes: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const primary = primaryOf(tag);
    if (primary === ENGLISH) return undefined;
    const parts = tag.split('-');
    const exact = parts.map((_, index) => parts.slice(0, parts.length - index).join('-')).find((shorter) => codes.includes(shorter));
    const found = exact ?? codes.find((code) => primaryOf(code) === primary);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the most wanted language is English, or none is wanted: then the languages of the game need not be known. */
export const wantsEnglish = (wanted: readonly string[]) => wanted[0] === undefined || primaryOf(wanted[0]) === ENGLISH;
