import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { FLUSH_SECONDS } from '../../src/platform/access/usage/token-usage.ts';
import type { UsageRecord } from '../../src/platform/access/usage/usage-buffer.ts';

let flushes = 0;

/** Runs the alarm of a token's object as if hours had passed, so that it writes its sums to the database. */
export async function flushUsage(tokenId: string): Promise<void> {
  flushes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + flushes * 2 * FLUSH_SECONDS * 1000 });
  try {
    await runDurableObjectAlarm(env.TOKEN_GATES.getByName(tokenId));
  } finally {
    vi.useRealTimers();
  }
}

/** Stores finished requests of a token in its object. */
export async function storeUsage(tokenId: string, records: UsageRecord[]): Promise<void> {
  await env.TOKEN_GATES.getByName(tokenId).recordUsage(records);
  await flushUsage(tokenId);
}
