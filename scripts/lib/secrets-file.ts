import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UserError } from './main.ts';

/** Secrets in the file of `--secrets-file`: JSON or NAME=value lines. Throws UserError for a missing or unreadable file. */
export function readSecretsFile(file: string): Readonly<Record<string, string | undefined>> {
  if (!existsSync(file)) throw new UserError(`--secrets-file: ${file} does not exist.`);
  try {
    const text = readFileSync(file, 'utf8');
    return text.trimStart().startsWith('{') ? (JSON.parse(text) as Record<string, string>) : parseEnv(text);
  } catch {
    // The message of a parser can contain a part of a secret.
    throw new UserError(`--secrets-file: ${file} must have NAME=value lines or a JSON object.`);
  }
}
