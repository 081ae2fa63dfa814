import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { apiTokens } from '../../src/platform/access/tokens.tables.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import type { UsageRecord } from '../../src/platform/usage/usage-record.ts';

const HOUR_MS = 3_600_000;

let flushes = 0;

/** Runs the alarm of a token's object as if hours had passed, so that it writes its sums to the database. */
export async function flushUsage(hashedToken: string): Promise<void> {
  flushes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + flushes * 2 * HOUR_MS });
  try {
    await runDurableObjectAlarm(env.TOKEN_GATES.getByName(hashedToken));
  } finally {
    vi.useRealTimers();
  }
}

/** Stores finished requests of a token in its object. */
export async function storeUsage(tokenId: string, records: UsageRecord[]): Promise<void> {
  const [token] = await createDatabase(env.DB).select().from(apiTokens).where(eq(apiTokens.id, tokenId));
  if (!token) throw new Error('token not found');
  await env.TOKEN_GATES.getByName(token.hashedToken).recordUsage(token.hashedToken, records);
  await flushUsage(token.hashedToken);
}
