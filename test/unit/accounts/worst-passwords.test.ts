import { describe, expect, it } from 'vitest';
import { isWorst } from '../../../src/areas/accounts/worst-passwords.data.ts';

describe('isWorst', () => {
  it.each([
    '12345678',
    '987654321',
    'abcdefghij',
    'aaaaaaaa',
    'abababab',
    'PASSWORD',
    'password2026!',
    '123password',
    'P@ssw0rd1',
    'Qwerty123',
    'iloveyou1',
  ])('refuses "%s"', (password) => expect(isWorst(password)).toBe(true));

  it.each(['four plain words together', 'passwordless is better', 'Tr0ub4dor&3x', 'e7391846203957', 'q8#vT!x2Lm', 'myownsunshineway'])(
    'accepts "%s"',
    (password) => expect(isWorst(password)).toBe(false),
  );
});
