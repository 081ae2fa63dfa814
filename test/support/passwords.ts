import { env } from 'cloudflare:workers';
import { createPasswords } from '../../src/platform/access/sessions/passwords.ts';

const PASSWORD = 'four plain words together';

/** Gives an account a password, and returns it. */
export async function givePassword(userId: string): Promise<string> {
  const hash = await createPasswords({ n: 1024, r: 8, p: 1 }).hash(PASSWORD);
  await env.DB.prepare('UPDATE users SET password_hash = ?1 WHERE id = ?2').bind(hash, userId).run();
  return PASSWORD;
}
