import { createTokenRow } from '../src/platform/access/tokens/token-format.ts';
import { type Account, ORDINARY_ACCOUNT, SUPERUSER_ACCOUNT } from './lib/accounts.ts';
import { developmentVars, productionVars, remoteEnvironment, tokenFormatIn } from './lib/config.ts';
import { runMain, UserError } from './lib/main.ts';
import { executeFile, selectRows } from './lib/token/database-commands.ts';
import { parseTokenOptions, type TokenOptions } from './lib/token/token-options.ts';
import { insertAccountSql, insertTokenSql, selectAccountSql } from './lib/token/token-sql.ts';

const SECONDS_PER_DAY = 86_400;

/**
 * `npm run token`: creates a token and prints its secret once. Uses `wrangler d1 execute` for both local and remote databases, so a
 * local run tests the remote one.
 */
await runMain(async () => {
  const options = parseTokenOptions(process.argv.slice(2));
  const now = Math.floor(Date.now() / 1000);
  const account = accountOf(options);
  const existingId = await findAccount(account, options);
  const added = existingId === null ? insertAccountSql(account, now) : null;
  const { secret, row } = mint(options, existingId ?? added?.id ?? '', now);
  await executeFile([added?.sql ?? '', insertTokenSql(row)].join('\n'), {
    ...options,
    name: 'Storing the token',
    // The platform may have stored it before the connection failed.
    standing: `No secret is shown. If /portal/admin/users lists a token "${row.name}" of ${account.email}, revoke it; then run the command again.`,
  });
  const expiry = row.expiresAt === null ? 'no expiry' : `expires ${new Date(row.expiresAt * 1000).toISOString()}`;
  console.log(`Token "${row.name}" of ${account.email}${added ? ' (new account)' : ''}, ${expiry}. It is shown only once:\n${secret}`);
});

function accountOf({ isSuperuser, email }: TokenOptions): Account {
  const seeded = isSuperuser ? SUPERUSER_ACCOUNT : ORDINARY_ACCOUNT;
  return email === undefined ? seeded : { email, displayName: email.split('@')[0] ?? email, isSuperuser };
}

/** Id of the account, or null. Throws if the account's kind does not match `--superuser`. */
async function findAccount(account: Account, options: TokenOptions): Promise<string | null> {
  const sql = selectAccountSql(account.email);
  const [row] = await selectRows<{ id: string; is_superuser: number }>(`the account ${account.email}`, sql, options);
  if (!row) return null;
  if (Boolean(row.is_superuser) === account.isSuperuser) return row.id;
  throw new UserError(
    account.isSuperuser
      ? `${account.email} is an ordinary account: omit --superuser or use another --email.`
      : `${account.email} is a superuser account: add --superuser to create a token with its rights.`,
  );
}

function mint(options: TokenOptions, userId: string, now: number) {
  const { name, scopes, allowedIps, expiresInDays } = options;
  // The deployed key can be written but not read: the operator passes it.
  const vars = options.isRemote ? { ...productionVars(remoteEnvironment()), TOKEN_KEY: process.env.TOKEN_KEY } : developmentVars();
  const format = tokenFormatIn(vars);
  const expiresAt = expiresInDays === null ? null : now + expiresInDays * SECONDS_PER_DAY;
  try {
    return createTokenRow({ userId, name, scopes, allowedIps, expiresAt, now, format });
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`--allow: ${error.message}`);
    throw error;
  }
}
