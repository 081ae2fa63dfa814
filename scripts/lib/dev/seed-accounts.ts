import type { D1Database } from '@cloudflare/workers-types';
import { drizzle } from 'drizzle-orm/d1';
import type { TokenFormat } from '../../../src/platform/access/tokens/token-format.ts';
import { ensureAccount, ensurePassword, ensureToken, ORDINARY_ACCOUNT, SUPERUSER_ACCOUNT } from '../accounts.ts';
import { DEV_FILE } from '../paths.ts';
import { type DevFile, readDevFile, writeDevFile } from './dev-file.ts';

export interface SeededServer {
  binding: D1Database;
  baseUrl: string;
  format: TokenFormat;
  /** Of the mock chat service. */
  chatMessagesUrl: string | null;
}

/** Creates the two local accounts if missing, and writes their credentials to the dev file. */
export async function seedAccounts(server: SeededServer): Promise<DevFile> {
  const devFile = await createAccounts(server, readDevFile(DEV_FILE));
  writeDevFile(DEV_FILE, devFile);
  return devFile;
}

/** Creates the two local accounts if missing, with the credentials of an earlier file if there is one. */
export async function createAccounts(
  { binding, baseUrl, format, chatMessagesUrl }: SeededServer,
  earlier: DevFile | null,
): Promise<DevFile> {
  const database = drizzle(binding);
  const now = Math.floor(Date.now() / 1000);
  const ordinary = await ensureAccount(database, ORDINARY_ACCOUNT, now);
  const superuser = await ensureAccount(database, SUPERUSER_ACCOUNT, now);
  return {
    base_url: baseUrl,
    token: await ensureToken(database, { userId: ordinary, format, now, earlier: earlier?.token }),
    superuser_token: await ensureToken(database, { userId: superuser, format, now, earlier: earlier?.superuser_token }),
    portal: {
      email: ORDINARY_ACCOUNT.email,
      password: await ensurePassword(database, ORDINARY_ACCOUNT, earlier?.portal?.password),
      superuser_email: SUPERUSER_ACCOUNT.email,
      superuser_password: await ensurePassword(database, SUPERUSER_ACCOUNT, earlier?.portal?.superuser_password),
    },
    chat_messages_url: chatMessagesUrl,
  };
}
