/** Longest name of a list. */
export const MAX_NAME_LENGTH = 200;

export type NameCheck = { ok: true; name: string } | { ok: false; fault: 'empty' | 'unusable' };

/** A name as it is stored: trimmed. Control characters and overlong names are refused. */
export function checkListName(raw: string): NameCheck {
  const name = raw.trim();
  if (name === '') return { ok: false, fault: 'empty' };
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) return { ok: false, fault: 'unusable' };
  return { ok: true, name };
}
