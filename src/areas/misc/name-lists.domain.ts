/** Maximum length of a name in UTF-16 code units. */
export const MAX_NAME_LENGTH = 200;

export type NameCheck = { ok: true; name: string } | { ok: false; fault: 'empty' | 'malformed' };

/** Trims and checks a name. `malformed`: too long, or contains control characters. */
export function checkListName(raw: string): NameCheck {
  const name = raw.trim();
  if (name === '') return { ok: false, fault: 'empty' };
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) return { ok: false, fault: 'malformed' };
  return { ok: true, name };
}
