import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { npmTarball, pythonWheel } from '../../../scripts/lib/clients/install-files.ts';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { PYTHON_WHEEL } from '../../../src/platform/http/pages/client-packages.ts';
import { readMarkdown } from '../../snippets/snippets.ts';

const text = (bytes: Uint8Array | undefined) => strFromU8(bytes ?? new Uint8Array());

/** Path and content of each entry of a tar archive. */
function readTar(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + 512);
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    expect(Number.parseInt(header.toString('latin1', 148, 154), 8)).toBe(sum);
    files.set(header.toString('latin1', 0, 100).replace(/\0+$/, ''), bytes.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

describe('npmTarball', () => {
  const tarball = npmTarball(ROOT);
  const files = readTar(gunzipSync(tarball));

  it('has the compiled client, its types, and its dependencies', () => {
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'package/package.json',
        'package/README.md',
        'package/LICENSE',
        'package/dist/index.js',
        'package/dist/index.d.ts',
        'package/dist/schema.d.ts',
        'package/node_modules/openapi-fetch/dist/index.mjs',
        'package/node_modules/openapi-typescript-helpers/dist/index.d.ts',
      ]),
    );
    expect([...files.keys()].filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  it('bundles every dependency and runs no script on install', () => {
    const manifest = JSON.parse(files.get('package/package.json') ?? '');
    expect(manifest.bundleDependencies).toEqual(Object.keys(manifest.dependencies));
    expect([manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined]);
    const bundled = JSON.parse(files.get('package/node_modules/openapi-fetch/package.json') ?? '');
    expect(bundled.version).toBe(manifest.dependencies['openapi-fetch']);
  });

  it('has the same bytes each time', () => {
    expect(Buffer.from(npmTarball(ROOT)).equals(tarball)).toBe(true);
  });
});

describe('pythonWheel', () => {
  const { name, bytes } = pythonWheel(ROOT);
  const files = unzipSync(bytes);
  const info = 'game_data_api-1.0.0.dist-info';

  it('has the name that the pages show', () => {
    expect(name).toBe(PYTHON_WHEEL);
    for (const page of ['README.md', 'docs/guide/clients.md', 'docs/guide/quickstart.md'])
      expect([page, readMarkdown(page).includes(`pip install http://127.0.0.1:8787/docs/assets/${name}`)]).toEqual([page, true]);
  });

  it('has every module of the project', () => {
    const [, list = ''] = /^py-modules = \[(.+)\]$/m.exec(readFileSync(join(ROOT, 'clients', 'python', 'pyproject.toml'), 'utf8')) ?? [];
    const modules = [...list.matchAll(/"(\w+)"/g)].map(([, module]) => `${module}.py`);
    expect(modules).toContain('game_data_types.py');
    expect(Object.keys(files)).toEqual(expect.arrayContaining(modules));
  });

  it('lists each file with its hash and size in RECORD', () => {
    const lines = text(files[`${info}/RECORD`]).trimEnd().split('\n');
    expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(Object.keys(files).sort());
    for (const line of lines) {
      const [path = '', hash, size] = line.split(',');
      const content = files[path] ?? new Uint8Array();
      const expected = `sha256=${createHash('sha256').update(content).digest('base64url')}`;
      expect([path, hash, size]).toEqual(path.endsWith('/RECORD') ? [path, '', ''] : [path, expected, String(content.length)]);
    }
  });

  it('states name, version, licence and the tag of pure Python', () => {
    const metadata = text(files[`${info}/METADATA`]);
    for (const line of ['Name: game-data-api', 'Version: 1.0.0', 'License-Expression: MIT', 'Requires-Python: >=3.10'])
      expect(metadata.split('\n\n')[0]?.split('\n')).toContain(line);
    expect(text(files[`${info}/WHEEL`])).toContain('Tag: py3-none-any');
  });

  it('has the same bytes each time', () => {
    expect(Buffer.from(pythonWheel(ROOT).bytes).equals(bytes)).toBe(true);
  });
});
