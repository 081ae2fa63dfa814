import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Contents, createEntryCheck, openContents } from '../../src/areas/mods/file-contents.domain.ts';
import { inflated } from '../../src/areas/mods/inflate.service.ts';
import { modFilename, packedPath, pathProblem } from '../../src/areas/mods/packed-path.domain.ts';
import { DEFAULT_VERSION, MAX_VERSION, TITLE_PROPERTY } from '../../src/areas/mods/tmod.data.ts';
import { readHeader, type TmodEntry, type TmodHeader } from '../../src/areas/mods/tmod-header.domain.ts';
import { buildTmod, type PackedFile } from '../../src/areas/mods/tmod-layout.domain.ts';
import { withGeneratedProperties } from '../../src/areas/mods/tmod-properties.domain.ts';
import { ArtifactFault } from '../../src/game/artifact.ts';
import { titleFilename } from '../../src/game/mod-filename.domain.ts';
import { utf8Bytes, utf8Text } from '../../src/platform/kit/values/bytes.ts';
import { UserError } from './main.ts';
import { runStep } from './steps.ts';

/** File with version, properties and file order; the packed files are in a separate folder. */
const MANIFEST = 'mod.json';
const FILES_FOLDER = 'files';

/** `properties` are pairs, because an object would reorder numeric names. */
interface Manifest {
  version: number;
  properties: [string, string][];
  files: string[];
}

/** A container with verified checksums. */
export interface CheckedMod {
  version: number;
  properties: [string, string][];
  files: { path: string; content: Uint8Array; isValid: boolean }[];
}

/** Reads a container with all of its files. */
export async function readMod(file: string): Promise<CheckedMod> {
  const bytes = new Uint8Array(readInput(file));
  try {
    const header = readHeader(bytes);
    const properties = [...header.properties].map(([name, value]): [string, string] => [name, utf8Text(value) ?? '']);
    return { version: header.version, properties, files: await readFiles(bytes, header) };
  } catch (error) {
    throw error instanceof ArtifactFault ? new UserError(`${file}: ${error.message}`) : error;
  }
}

async function readFiles(bytes: Uint8Array, header: TmodHeader): Promise<CheckedMod['files']> {
  const contents = await openContents(bytes, header, { memory: { grow: () => {}, own: () => {} }, inflated });
  const files: CheckedMod['files'] = [];
  for (const entry of header.entries()) {
    const content = await contentOf(entry, contents);
    const check = createEntryCheck(entry);
    check.update(content);
    files.push({ path: packedPath(entry.path), content, isValid: check.isValid() });
  }
  await contents.close();
  return files;
}

async function contentOf({ offset, size }: TmodEntry, contents: Contents): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let read = 0; read < size; ) {
    const piece = await contents.slice(offset + read, size - read);
    if (piece.length === 0) break;
    pieces.push(piece);
    read += piece.length;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/**
 * Writes a container's files and manifest into a new folder: whole, or not at all. Returns a line per file that is skipped or has a wrong
 * checksum. Throws UserError.
 */
export async function unpackMod(mod: CheckedMod, folder: string): Promise<string[]> {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UserError(`${folder} is not empty.`);
  const target = resolve(folder);
  return runStep({ name: `Unpacking into ${folder}`, standing: 'Nothing was unpacked. Run the command again.' }, () => {
    const unfinished = `${target}.unfinished-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      const remarks = writeMod(mod, unfinished);
      // An empty folder is replaced, which not every system does by itself.
      if (existsSync(target)) rmdirSync(target);
      renameSync(unfinished, target);
      return remarks;
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}

function writeMod({ version, properties, files }: CheckedMod, folder: string): string[] {
  const remarks: string[] = [];
  const written = new Set<string>();
  for (const { path, content, isValid } of files) {
    // A stored path may point outside the folder: write only paths that a build accepts.
    const problem = pathProblem(path) ?? (written.has(path) ? 'duplicate path' : writeBelow(join(folder, FILES_FOLDER), path, content));
    if (problem !== null) remarks.push(`skipped ${JSON.stringify(path)}: ${problem}`);
    else written.add(path);
    if (!isValid) remarks.push(`wrong checksum: ${JSON.stringify(path)}`);
  }
  const manifest: Manifest = { version, properties, files: [...written] };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return remarks;
}

/** Errors of a path, which another file system or the files before it rule out. Any other error concerns the whole folder. */
const PATH_ERRORS: readonly string[] = ['EEXIST', 'EINVAL', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

/** Writes a file. Returns the reason if its path cannot be written, otherwise null. Throws for a full or failing disk. */
function writeBelow(folder: string, path: string, content: Uint8Array): string | null {
  const file = join(folder, ...path.split('/'));
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Names with a NUL have a code of Node.
    if (!PATH_ERRORS.includes(code) && !code.startsWith('ERR_')) throw error;
    return (error as Error).message;
  }
}

/** Files that a sample manifest lists. */
const MAX_SAMPLE_FILES = 20;

/** A manifest to start from, with the files of the folder. */
function sampleManifest(folder: string): string {
  const root = join(folder, FILES_FOLDER);
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const files = found.length > 0 ? found.sort().slice(0, MAX_SAMPLE_FILES) : ['blueprints/example.blueprint'];
  const properties: Manifest['properties'] = [
    [TITLE_PROPERTY, 'My mod'],
    ['author', 'Your name'],
    ['tags', 'Costumes'],
  ];
  return JSON.stringify({ version: DEFAULT_VERSION, properties, files } satisfies Manifest, null, 2);
}

/** Builds the container of a folder. Returns its bytes and its file name. */
export function buildMod(folder: string): { bytes: Uint8Array; filename: string } {
  if (!existsSync(join(folder, MANIFEST))) {
    throw new UserError(
      `${join(folder, MANIFEST)} is missing. It describes the files of ${join(folder, FILES_FOLDER)}, for example:\n\n${sampleManifest(folder)}`,
    );
  }
  const { version, properties, files } = readManifest(join(folder, MANIFEST));
  const own = withGeneratedProperties(new Map(properties.map(([name, value]) => [name, utf8Bytes(value)])));
  const seen = new Set<string>();
  const packed = files.map((given): PackedFile => {
    const path = packedPath(given);
    const problem = pathProblem(path) ?? (seen.has(path) ? 'is listed twice' : null);
    if (problem !== null) throw new UserError(`${MANIFEST}: ${JSON.stringify(given)} ${problem}`);
    seen.add(path);
    return { path, content: readInput(join(folder, FILES_FOLDER, ...path.split('/'))) };
  });
  if (packed.length === 0) throw new UserError(`${MANIFEST} lists no files.`);
  const title = utf8Text(own.get(TITLE_PROPERTY) ?? new Uint8Array(0)) ?? '';
  return { bytes: buildTmod({ version, properties: own, files: packed }), filename: titleFilename(title) ?? modFilename(title) };
}

function readManifest(file: string): Manifest {
  const given = parseManifest(file) as Partial<Manifest> | null;
  const { version = DEFAULT_VERSION, properties = [], files = [] } = given ?? {};
  const isText = (value: unknown) => typeof value === 'string' && value.isWellFormed();
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(isText);
  if (!Number.isInteger(version) || version < 0 || version > MAX_VERSION)
    throw new UserError(`${file}: version must be 0 to ${MAX_VERSION}`);
  if (!Array.isArray(properties) || !properties.every(isPair)) throw new UserError(`${file}: properties must be a list of [name, value]`);
  if (!Array.isArray(files) || !files.every(isText)) throw new UserError(`${file}: files must be a list of paths`);
  return { version, properties, files };
}

function parseManifest(file: string): unknown {
  try {
    return JSON.parse(readInput(file).toString('utf8'));
  } catch (error) {
    throw error instanceof SyntaxError ? new UserError(`${file} is not JSON: ${error.message}`) : error;
  }
}

function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
