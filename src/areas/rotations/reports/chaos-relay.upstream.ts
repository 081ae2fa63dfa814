import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { ChaosChestRelayItem } from '../schedules/reports.domain.ts';

/** Community source of the chaos chest. */
export type ChaosRelayUpstream = ReturnType<typeof createChaosRelayUpstream>;

/** Name of the source; the upstream client stores its state by it. */
export const CHAOS_RELAY = 'chaos-chest';
const MAX_BYTES = 256 * 1024;

export function createChaosRelayUpstream(client: UpstreamClient) {
  return {
    async fetch(url: string, signal: AbortSignal): Promise<ChaosChestRelayItem> {
      const response = await client.fetch({
        source: CHAOS_RELAY,
        url,
        headers: { Accept: 'application/json' },
        signal,
        maxBytes: MAX_BYTES,
      });
      const item = parseChaosChestRelay(response.json());
      if (item === null) throw new UpstreamError(CHAOS_RELAY, 'malformed', 'response has no item');
      return item;
    },
  };
}

/**
 * Parses the response of the community source: an object, an object in `data`, or a list of which the first element is used. Null without a
 * valid name; the stored item then stays.
 */
export function parseChaosChestRelay(payload: unknown): ChaosChestRelayItem | null {
  const source = unwrapData(payload);
  const name = parseText(source?.name);
  if (source === null || name === null) return null;
  return {
    name,
    // The source uses Windows paths.
    identifier: parseText(source.identifier)?.replaceAll('\\', '/') ?? null,
    blueprint: parseText(source.blueprint)?.toLowerCase() ?? null,
    startsAt: parseInstant(source.start),
    endsAt: parseInstant(source.end),
  };
}

function unwrapData(payload: unknown): Record<string, unknown> | null {
  const outer = asRecord(firstOf(payload));
  if (outer === null || parseText(outer.name) !== null) return outer;
  return asRecord(firstOf(outer.data));
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function parseText(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null;
}

/** Unix seconds as a number or numeric text, rounded down. */
function parseInstant(value: unknown): UnixSeconds | null {
  const isNumericText = typeof value === 'string' && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value);
  if (typeof value !== 'number' && !isNumericText) return null;
  const seconds = Math.floor(Number(value));
  return Number.isSafeInteger(seconds) ? seconds : null;
}
