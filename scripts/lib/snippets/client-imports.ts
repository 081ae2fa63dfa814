import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TYPESCRIPT_CLIENT } from '../clients/client-package.ts';
import type { Snippet } from './snippets.ts';

const TYPESCRIPT_IMPORT = / from 'game-data-api';$/m;

/** Whether a snippet, or a program that an earlier block of its page saved, imports the TypeScript client. */
export function importsTypescriptClient({ text, saved }: Pick<Snippet, 'text' | 'saved'>): boolean {
  return [text, ...saved.map((file) => file.text)].some((program) => TYPESCRIPT_IMPORT.test(program));
}

/** Makes `import … from 'game-data-api'` resolve to the client of this checkout for programs in the folder. */
export function linkTypescriptClient(folder: string): void {
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  // A junction needs no privileges on Windows; elsewhere the type is ignored.
  symlinkSync(TYPESCRIPT_CLIENT, join(packages, 'game-data-api'), 'junction');
}
