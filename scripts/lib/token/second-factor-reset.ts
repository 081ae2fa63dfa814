import { parseArgs } from 'node:util';
import { UserError } from '../main.ts';
import type { DatabaseOptions } from './database-commands.ts';
import { resetSecondFactorSql, selectAccountSql } from './token-sql.ts';

const USAGE = `Usage: npm run second-factor -- reset --email <address> [--remote]

  Removes the second factor of an account that has lost its device and its recovery codes, and ends its sessions. Check first that the
  request comes from the owner. The list of changes of the account names you.

  --remote   in the deployed database instead of the local one`;

export interface ResetDeps {
  /** Rows of one statement. */
  select(sql: string, options: DatabaseOptions): Promise<{ id: string }[]>;
  run(sql: string, options: DatabaseOptions): Promise<void>;
  /** User and machine of the operator, for the list of changes. */
  actor: string;
  /** Unix seconds. */
  now: number;
}

/** Resets the second factor of an account. Returns the line to print. Throws UserError for invalid arguments and unknown accounts. */
export async function resetSecondFactor(args: readonly string[], { select, run, actor, now }: ResetDeps): Promise<string> {
  const { email, isRemote } = readOptions(args);
  const [account] = await select(selectAccountSql(email), { isRemote });
  if (!account) throw new UserError(`No account has the address ${email}.`);
  await run(resetSecondFactorSql(account.id, actor, now), { isRemote });
  return `${email} has no second factor now and is signed out everywhere. Recorded as a reset by ${actor}.`;
}

function readOptions(args: readonly string[]): { email: string; isRemote: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: { email: { type: 'string' }, remote: { type: 'boolean' } } });
    const email = values.email?.trim().toLowerCase();
    if (email) return { email, isRemote: values.remote ?? false };
  } catch {
    // An unknown option: the usage names the known ones.
  }
  throw new UserError(USAGE);
}
