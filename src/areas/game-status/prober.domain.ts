import { OPENER_HEADER, OPENER_KEY_LENGTH } from './game-status.data.ts';

interface Anchor {
  host: string;
  port: number;
}

const ANCHOR = /^([^\s:]+):(\d{1,5})$/;
const MAX_PORT = 65_535;
/** Maximum number of concurrent connections of a Worker invocation. */
const MAX_ANCHORS = 6;

/** Parses the anchors of the setting: `host:port`, separated by commas. Invalid entries are ignored. */
export function parseAnchors(text: string): Anchor[] {
  return text
    .split(',')
    .flatMap((entry): Anchor[] => {
      const [, host, port] = ANCHOR.exec(entry.trim()) ?? [];
      return host !== undefined && Number(port) > 0 && Number(port) <= MAX_PORT ? [{ host, port: Number(port) }] : [];
    })
    .slice(0, MAX_ANCHORS);
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether a host is resolved by public DNS: not an IP address and not localhost. */
export function isPublicName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name !== '' && !IPV4.test(name) && !name.includes(':') && name !== 'localhost' && !name.endsWith('.localhost');
}

/** Host of a URL; empty when invalid. */
export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? '';
}

/** Returns `count` random bytes. */
export type DrawBytes = (count: number) => Uint8Array;

/** Client hello of the game with a random key, as the game client sends it. */
export function createOpener(drawBytes: DrawBytes): Uint8Array {
  return Uint8Array.from([...OPENER_HEADER, ...drawBytes(OPENER_KEY_LENGTH)]);
}

/** Bytes of a hexadecimal text; null when invalid. */
export function parseHex(text: string): Uint8Array | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
