import { env } from 'cloudflare:workers';
import { createPasswords } from '../../src/platform/access/sessions/passwords.ts';

/** Password of the accounts of the tests, as in the examples of the document. */
export const PASSWORD = 'four plain words together';
/** At the cost of the tests, so that a check takes no time and hashes nothing again. */
export const PASSWORD_HASH = await createPasswords({ n: Number(env.PASSWORD_COST), r: 8, p: 1 }).hash(PASSWORD);

/** Gives an account a password, and returns it. */
export async function givePassword(userId: string): Promise<string> {
  await env.DB.prepare('UPDATE users SET password_hash = ?1 WHERE id = ?2').bind(PASSWORD_HASH, userId).run();
  return PASSWORD;
}
