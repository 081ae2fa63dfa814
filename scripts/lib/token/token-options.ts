import { createScopeRegistry, type ScopeDeclarations } from '../../../src/platform/access/policy/scopes.ts';
import { nearestOf } from '../../../src/platform/kit/errors/input-error.ts';
import { areaDeclarations } from '../area-declarations.ts';
import { parseOptions, UserError } from '../main.ts';

const SCOPES = createScopeRegistry(await areaDeclarations<ScopeDeclarations>('scopes'));

export const TOKEN_USAGE = `Usage: npm run token -- --name <name> --scopes <scope,scope,...|all> [options]

  --superuser            for the superuser account instead of the ordinary one
  --remote               in the deployed database instead of the local one; needs --email
  --email <address>      account that owns the token; created when missing
  --allow <ip,cidr,...>  only these addresses may use the token
  --expires-in-days <n>  expiry; without it the token does not expire

Scopes: ${SCOPES.names.join(', ')}`;

export interface TokenOptions {
  name: string;
  /** Scope mask; 0 is every scope. */
  scopes: number;
  isSuperuser: boolean;
  isRemote: boolean;
  /** Lower case; undefined: the seeded account. */
  email: string | undefined;
  allowedIps: string[];
  expiresInDays: number | null;
}

const MAX_NAME_LENGTH = 80;
const MAX_DAYS = 3650;

/** Parses the command line of `npm run token`. Throws UserError. */
export function parseTokenOptions(args: readonly string[]): TokenOptions {
  const values = parseOptions(
    {
      args: [...args],
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        superuser: { type: 'boolean' },
        remote: { type: 'boolean' },
        email: { type: 'string' },
        allow: { type: 'string' },
        'expires-in-days': { type: 'string' },
      },
    },
    TOKEN_USAGE,
  ).values;
  const isRemote = values.remote ?? false;
  const email = values.email?.trim().toLowerCase();
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UserError(`Not an email address: ${values.email}`);
  if (isRemote && email === undefined) throw new UserError('--remote needs --email: the account that owns the token.');
  return {
    name: nameFrom(values.name),
    scopes: scopesFrom(values.scopes),
    isSuperuser: values.superuser ?? false,
    isRemote,
    email,
    allowedIps: listFrom(values.allow),
    expiresInDays: daysFrom(values['expires-in-days']),
  };
}

function nameFrom(text: string | undefined): string {
  const name = text?.trim() ?? '';
  if (name === '') throw new UserError(`--name is missing.\n\n${TOKEN_USAGE}`);
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) throw new UserError('--name must have 1 to 80 printable characters.');
  return name;
}

/** Requires `--scopes`, because a missing option must not grant every scope. */
function scopesFrom(text: string | undefined): number {
  const names = listFrom(text);
  if (names.length === 0) throw new UserError(`--scopes is missing; use --scopes all for every scope.\n\n${TOKEN_USAGE}`);
  if (names.length === 1 && names[0] === 'all') return SCOPES.maskOf([]);
  for (const name of names) {
    if (SCOPES.isScope(name)) continue;
    const nearest = nearestOf(name, SCOPES.names);
    throw new UserError(
      `Unknown scope "${name}"${nearest ? `; did you mean "${nearest}"?` : '.'} Scopes: ${SCOPES.names.join(', ')}, or all.`,
    );
  }
  return SCOPES.maskOf(names);
}

function daysFrom(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) throw new UserError(`--expires-in-days must be an integer from 1 to ${MAX_DAYS}.`);
  return days;
}

function listFrom(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
