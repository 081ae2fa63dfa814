import { MAX_KNOWN_DEVICES } from './accounts.data.ts';

/** `Firefox on Windows`: coarse, so that an update of the browser is no new device. Null when nothing is known. */
export function deviceLabel({ client, os }: { client: string | null; os: string | null }): string | null {
  const browser = client?.replace(/ \d+$/, '') ?? null;
  const system = os?.replace(/ [\d/.]+$/, '') ?? null;
  if (browser === null) return system;
  return system === null ? browser : `${browser} on ${system}`;
}

/** What is known after a sign-in from a device, and whether its owner should be told of it. */
export function rememberDevice(known: readonly string[], device: string | null): { known: string[]; isNew: boolean } {
  const label = device ?? 'an unknown device';
  if (known.includes(label)) return { known: [...known], isNew: false };
  // The very first sign-in is from a new device too, but its owner has just made the account.
  return { known: [...known, label].slice(-MAX_KNOWN_DEVICES), isNew: known.length > 0 };
}
