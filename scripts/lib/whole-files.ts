import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Start of the names of files that are not written completely: a kill leaves them. It sorts before letters and digits. */
const UNFINISHED = '.unfinished-';

/**
 * Writes a file whole or not at all: under another name in the same folder, then renamed, so that neither a full disk nor a kill leaves a
 * part of it. Creates the folder. Throws the error of the file system, after removing what was written.
 */
export function writeWholeFile(file: string, content: string | Uint8Array, mode = 0o666): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, UNFINISHED + basename(file));
  try {
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, content, { mode, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
