import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../../src/platform/access/sessions/passwords.ts';

const CHEAP = { n: 16, r: 8, p: 1 };
const passwords = createPasswords(CHEAP);

describe('password hash', () => {
  it('uses the recommended cost by default', async () => {
    const stored = await createPasswords().hash('four plain words');
    expect(stored).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
    expect(await createPasswords().check('four plain words', stored)).toEqual({ isCorrect: true, needsRehash: false });
  });

  it('is salted and verifies only the right password', async () => {
    const [one, other] = [await passwords.hash('a password'), await passwords.hash('a password')];
    expect(one).not.toBe(other);
    for (const stored of [one, other]) expect((await passwords.check('a password', stored)).isCorrect).toBe(true);
    for (const wrong of ['', 'A password', 'a password ', 'a passwor']) expect((await passwords.check(wrong, one)).isCorrect).toBe(false);
  });

  it('matches regardless of the Unicode normalization form', async () => {
    const stored = await passwords.hash('caf\u00e9 ouvert');
    expect((await passwords.check('cafe\u0301 ouvert', stored)).isCorrect).toBe(true);
  });

  it('is recomputed when the cost changed, only for the right password', async () => {
    const stored = await createPasswords({ n: 32, r: 8, p: 1 }).hash('a password');
    expect(await passwords.check('a password', stored)).toEqual({ isCorrect: true, needsRehash: true });
    expect(await passwords.check('wrong', stored)).toEqual({ isCorrect: false, needsRehash: false });
  });

  it.each([
    null,
    '',
    'scrypt$16$8$1$$',
    'scrypt$16$8$1$AAAA$AAAA',
    'bcrypt$16$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'scrypt$999999$8$1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('matches no password when malformed: %j', async (stored) => {
    for (const password of ['', 'a password', '\0'.repeat(32)]) {
      expect(await passwords.check(password, stored)).toEqual({ isCorrect: false, needsRehash: false });
    }
  });

  it('is computed at most twice concurrently', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => passwords.hash('a password')));
    expect(new Set(results).size).toBe(8);
  });
});
