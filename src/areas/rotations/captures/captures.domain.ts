/** Maximum length of a name, in UTF-16 code units. */
export const MAX_CAPTURE_NAME_LENGTH = 200;

/** Reason why a reported name is rejected. `empty` and `none`: nothing to report; `malformed`: invalid name. */
export type CaptureNameFault = 'empty' | 'none' | 'malformed';
export type CaptureNameCheck = { ok: true; name: string } | { ok: false; fault: CaptureNameFault };

/** Trims and checks the name of a chaos chest capture. */
export function checkChaosChestName(raw: string): CaptureNameCheck {
  const name = raw.trim();
  if (name === '') return { ok: false, fault: 'empty' };
  if (name.length > MAX_CAPTURE_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) return { ok: false, fault: 'malformed' };
  return { ok: true, name };
}

/** Trims and checks the name of a challenge capture. Reporters send `none` when they recognize no challenge. */
export function checkChallengeName(raw: string): CaptureNameCheck {
  const check = checkChaosChestName(raw);
  return check.ok && check.name.toLowerCase() === 'none' ? { ok: false, fault: 'none' } : check;
}
