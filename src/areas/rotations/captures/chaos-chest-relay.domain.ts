import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { ChaosChestRelayItem } from './chaos-chest.domain.ts';

/**
 * Reads the community source's answer: an object, that object under `data`, or a list whose first element it is.
 * Null when there is no object or no usable name; the item kept so far then stays.
 */
export function parseChaosChestRelay(payload: unknown): ChaosChestRelayItem | null {
  const source = unwrap(payload);
  const name = usableText(source?.name);
  if (source === null || name === null) return null;
  return {
    name,
    // The source writes Windows paths.
    identifier: usableText(source.identifier)?.replaceAll('\\', '/') ?? null,
    blueprint: usableText(source.blueprint)?.toLowerCase() ?? null,
    startsAt: usableInstant(source.start),
    endsAt: usableInstant(source.end),
  };
}

function unwrap(payload: unknown): Record<string, unknown> | null {
  const outer = asRecord(firstOf(payload));
  if (outer === null || usableText(outer.name) !== null) return outer;
  return asRecord(firstOf(outer.data));
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function usableText(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null;
}

/** Unix seconds as a number or a decimal numeral; fractions are cut off downwards. */
function usableInstant(value: unknown): UnixSeconds | null {
  const isNumeral = typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value);
  if (typeof value !== 'number' && !isNumeral) return null;
  const seconds = Math.floor(Number(value));
  return Number.isSafeInteger(seconds) ? seconds : null;
}
