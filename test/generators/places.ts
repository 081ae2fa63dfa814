import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(fileURLToPath(import.meta.url));
/** Folder of generated files; git-ignored. */
export const OUT = join(ROOT, 'out');

/** The running service and its tokens. */
export const SERVICE = {
  baseUrl: required('BASE_URL'),
  token: required('TOKEN'),
  superuserToken: required('MASTER_TOKEN'),
};

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm run check -- generators`);
  return value;
}

export const documentUrl = (name: string) => `${SERVICE.baseUrl}/${name}`;

/** A file of an installed package. */
export const program = (packageName: string, file: string) => join(ROOT, 'node_modules', packageName, file);
