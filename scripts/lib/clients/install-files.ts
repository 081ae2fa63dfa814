import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { TOOLS } from '../commands.ts';

/** Compression of both files. fflate gives the same bytes on every system and Node version; zlib does not. */
const LEVEL = 9;
const TAR_BLOCK = 512;
/** The time that `npm pack` gives every file: 1985-10-26 08:15 UTC. */
const TAR_MTIME = 499_162_500;
/** The first day that a zip entry can have. The fields are written in local time. */
const ZIP_MTIME = new Date(1980, 0, 1);
const FILE_MODE = 0o644;
/** `-rw-r--r--` of a regular file, in the upper half of a zip entry's attributes. */
const ZIP_ATTRIBUTES = 0o100644 * 0x10000;
const ZIP_UNIX = 3;

type Files = Record<string, Uint8Array>;

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  scripts?: unknown;
  devDependencies?: unknown;
}

/** Fields of pyproject.toml that the metadata of the wheel repeats. */
const PROJECT_FIELDS = ['name', 'version', 'description', 'license', 'requires-python'] as const;

type PythonProject = Record<(typeof PROJECT_FIELDS)[number], string>;

/**
 * The TypeScript client as `npm install` takes it from a URL: compiled, with its dependencies bundled, so that an install needs no
 * registry. The same sources give the same bytes.
 */
export function npmTarball(root: string): Uint8Array {
  const client = join(root, 'clients', 'typescript');
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as Manifest;
  const dependencies = withDependencies(root, Object.keys(manifest.dependencies));
  const files: Files = {
    'package.json': strToU8(`${JSON.stringify({ ...manifest, bundleDependencies: Object.keys(manifest.dependencies) }, null, 2)}\n`),
    ...filesOf(client, (path) => path === 'README.md' || path === 'LICENSE'),
    ...under('dist', compiled(client)),
    'dist/schema.d.ts': readFileSync(join(client, 'src', 'schema.d.ts')),
  };
  for (const name of dependencies) {
    const isNeeded = (path: string) => /^(?:package\.json|LICENSE|dist\/.+(?<!\.map))$/.test(path);
    Object.assign(files, under(`node_modules/${name}`, filesOf(join(root, 'node_modules', name), isNeeded)));
  }
  return gzipSync(tar(under('package', files)), { level: LEVEL, mtime: 0 });
}

/** The Python client as a wheel (PEP 427) with its file name, built without Python. The same sources give the same bytes. */
export function pythonWheel(root: string): { name: string; bytes: Uint8Array } {
  const client = join(root, 'clients', 'python');
  const project = pythonProject(root);
  const release = `${project.name.replaceAll('-', '_')}-${project.version}`;
  const info = `${release}.dist-info`;
  const files: Files = {
    ...filesOf(client, (path) => /^game_data_\w+\.py$/.test(path)),
    [`${info}/licenses/LICENSE`]: readFileSync(join(client, 'LICENSE')),
    [`${info}/METADATA`]: strToU8(metadata(project, readFileSync(join(client, 'README.md'), 'utf8'))),
    [`${info}/WHEEL`]: strToU8('Wheel-Version: 1.0\nGenerator: game-data-api\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  };
  const lines = Object.entries(files).map(([path, bytes]) => `${path},sha256=${sha256(bytes)},${bytes.length}\n`);
  files[`${info}/RECORD`] = strToU8(`${lines.join('')}${info}/RECORD,,\n`);
  const bytes = zipSync(files, { level: LEVEL, mtime: ZIP_MTIME, os: ZIP_UNIX, attrs: ZIP_ATTRIBUTES });
  return { name: `${release}-py3-none-any.whl`, bytes };
}

function pythonProject(root: string): PythonProject {
  const text = readFileSync(join(root, 'clients', 'python', 'pyproject.toml'), 'utf8');
  const values = PROJECT_FIELDS.map((field) => {
    const [, value] = new RegExp(`^${field} = "(.+)"$`, 'm').exec(text) ?? [];
    if (value === undefined) throw new Error(`clients/python/pyproject.toml: ${field} is missing`);
    return [field, value];
  });
  return Object.fromEntries(values) as PythonProject;
}

/** Core metadata 2.4. */
function metadata(project: PythonProject, readme: string): string {
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['License-Expression', project.license],
    ['License-File', 'LICENSE'],
    ['Requires-Python', project['requires-python']],
    ['Description-Content-Type', 'text/markdown'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

/** The packages and everything they depend on. */
function withDependencies(root: string, names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as Partial<Manifest>;
    for (const dependency of Object.keys(dependencies)) found.add(dependency);
  }
  return [...found].sort();
}

/** Compiled modules and declarations of the client, by the compiler of the checkout. */
function compiled(client: string): Files {
  const output = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const args = [TOOLS.tsc, '-p', join(client, 'tsconfig.json'), '--outDir', output, '--newLine', 'lf'];
    const { status, stdout, error } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (error) throw error;
    if (status !== 0) throw new Error(`clients/typescript cannot be compiled\n${stdout}`);
    return filesOf(output, () => true);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function filesOf(folder: string, isNeeded: (path: string) => boolean): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isNeeded)
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path))]));
}

const under = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

/** A tar archive (ustar) of regular files. Paths have at most 100 characters. */
function tar(files: Files): Uint8Array {
  const entries = Object.entries(files).flatMap(([path, bytes]) => [
    tarHeader(path, bytes.length),
    bytes,
    new Uint8Array((TAR_BLOCK - (bytes.length % TAR_BLOCK)) % TAR_BLOCK),
  ]);
  return Buffer.concat([...entries, new Uint8Array(2 * TAR_BLOCK)]);
}

function tarHeader(path: string, size: number): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK);
  if (path.length > 100) throw new Error(`path too long for a tar archive: ${path}`);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(path, 0);
  header.write(octal(FILE_MODE, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(TAR_MTIME, 11), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total: number, byte: number) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}
