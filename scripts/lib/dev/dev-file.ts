import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Content of `.local/dev.json`: URL and credentials of the development server. */
export interface DevFile {
  base_url: string;
  /** Secret of the ordinary account's token, every scope. */
  token: string;
  /** Secret of the superuser account's token, every scope. */
  superuser_token: string;
  /** Sign-in of the portal; null in a file of an earlier version. */
  portal: PortalLogins | null;
  /** Lists the posts to chat webhooks, which the mock chat service receives; absent or null without it. */
  chat_messages_url?: string | null;
}

/** Addresses and passwords of the two accounts. */
export interface PortalLogins {
  email: string;
  password: string;
  superuser_email: string;
  superuser_password: string;
}

/** Reads the file; null if it is missing or invalid. */
export function readDevFile(path: string): DevFile | null {
  if (!existsSync(path)) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isDevFile(value) ? { ...value, portal: isPortalLogins(value.portal) ? value.portal : null } : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically, because other programs poll for it, and readable by its owner only, because it contains secrets. */
export function writeDevFile(path: string, content: DevFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function isDevFile(value: unknown): value is DevFile {
  if (typeof value !== 'object' || value === null) return false;
  const { base_url: baseUrl, token, superuser_token: superuserToken } = value as Partial<Record<string, unknown>>;
  return typeof baseUrl === 'string' && typeof token === 'string' && typeof superuserToken === 'string';
}

function isPortalLogins(value: unknown): value is PortalLogins {
  if (typeof value !== 'object' || value === null) return false;
  const { password, superuser_password: superuserPassword } = value as Partial<Record<string, unknown>>;
  return typeof password === 'string' && typeof superuserPassword === 'string';
}
