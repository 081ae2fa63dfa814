import { MAX_KNOWN_DEVICES } from './accounts.data.ts';

/** Label such as `Firefox on Windows`; null when unknown. Without versions, because a browser update is not a new device. */
export function deviceLabel({ client, os }: { client: string | null; os: string | null }): string | null {
  const browser = client?.replace(/ \d+$/, '') ?? null;
  const system = os?.replace(/ [\d/.]+$/, '') ?? null;
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
}

/** Known devices after a sign-in, and whether to notify the owner. */
export function rememberDevice(known: readonly string[], device: string | null): { known: string[]; isNew: boolean } {
  const label = device ?? 'an unknown device';
  if (known.includes(label)) return { known: [...known], isNew: false };
  // No notification for the first sign-in, directly after sign-up.
  return { known: [...known, label].slice(-MAX_KNOWN_DEVICES), isNew: known.length > 0 };
}
