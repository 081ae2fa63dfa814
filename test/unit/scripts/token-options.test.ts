import { describe, expect, it } from 'vitest';
import { parseTokenOptions } from '../../../scripts/lib/token/token-options.ts';
import { insertTokenSql, selectAccountSql } from '../../../scripts/lib/token/token-sql.ts';
import { createTokenRow, tokenFormatFrom } from '../../../src/platform/access/tokens/token-format.ts';

describe('parseTokenOptions', () => {
  it('reads a full command line', () => {
    const line = '--name ci --scopes rotations:read,feeds:read --superuser --allow 1.2.3.4,2001:db8::/64 --expires-in-days 30';
    expect(parseTokenOptions(line.split(' '))).toEqual({
      name: 'ci',
      scopes: 3,
      isSuperuser: true,
      isRemote: false,
      email: undefined,
      allowedIps: ['1.2.3.4', '2001:db8::/64'],
      expiresInDays: 30,
    });
  });

  it('selects every scope only with --scopes all', () => {
    expect(parseTokenOptions(['--name', 'x', '--scopes', 'all']).scopes).toBe(0);
    expect(() => parseTokenOptions(['--name', 'x'])).toThrow(/--scopes is missing/);
    expect(() => parseTokenOptions(['--name', 'x', '--scopes', ','])).toThrow(/--scopes is missing/);
  });

  it.each([
    [['--scopes', 'all'], /--name is missing/],
    [['--name', 'x'.repeat(81), '--scopes', 'all'], /80 printable/],
    [['--name', 'a\nb', '--scopes', 'all'], /80 printable/],
    [['--name', 'x', '--scopes', 'rotation:read'], /did you mean "rotations:read"/],
    [['--name', 'x', '--scopes', 'all', '--expires-in-days', '0'], /--expires-in-days/],
    [['--name', 'x', '--scopes', 'all', '--remote'], /needs --email/],
    [['--name', 'x', '--scopes', 'all', '--email', 'nobody'], /Not an email/],
    [['--bogus'], /Usage/],
  ])('throws for %j', (args, reason) => expect(() => parseTokenOptions(args)).toThrow(reason));
});

describe('selectAccountSql and insertTokenSql', () => {
  it('doubles quotes in values', () => {
    expect(selectAccountSql("o'brien@example.org")).toContain("'o''brien@example.org'");
  });

  it('contains the hash of the secret and never the secret', () => {
    const name = "'); DROP TABLE users; --";
    const request = {
      userId: 'u',
      name,
      scopes: 1,
      allowedIps: ['10.0.0.0/8'],
      expiresAt: null,
      now: 1,
      format: tokenFormatFrom({ ENVIRONMENT: 'test', TOKEN_PREFIX: 'gda' }),
    };
    const { secret, row } = createTokenRow(request);
    const sql = insertTokenSql(row);
    expect(sql).toContain("'''); DROP TABLE users; --'");
    expect(sql).toContain(`'${row.hashedToken}'`);
    expect(sql).not.toContain(secret);
    expect(sql).not.toContain('?');
  });
});
