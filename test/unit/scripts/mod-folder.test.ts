import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildMod, readMod, unpackMod } from '../../../scripts/lib/mod-folder.ts';
import { containerOf, deflated, EXAMPLE_HEX, fromHex, packed, storedStream } from '../../support/tmod.ts';

const root = mkdtempSync(join(tmpdir(), 'mod-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

let number = 0;
/** An unused path. */
function newPath(): string {
  number += 1;
  return join(root, String(number));
}

function fileOf(bytes: Uint8Array): string {
  const file = newPath();
  writeFileSync(file, bytes);
  return file;
}

describe('unpackMod and buildMod', () => {
  it('rebuilds an unpacked mod byte for byte', async () => {
    const folder = newPath();
    expect(await unpackMod(await readMod(fileOf(fromHex(EXAMPLE_HEX))), folder)).toEqual([]);
    expect(readFileSync(join(folder, 'files', 'ui', 'tiny.swf'), 'utf8')).toBe('abcde');
    const { bytes, filename } = buildMod(folder);
    expect(filename).toBe('Tiny.tmod');
    expect(Buffer.from(bytes).equals(fromHex(EXAMPLE_HEX))).toBe(true);
  });

  it('prints a manifest with the files of a folder that has none, from which the folder can be built', () => {
    const folder = newPath();
    mkdirSync(join(folder, 'files', 'ui'), { recursive: true });
    writeFileSync(join(folder, 'files', 'ui', 'tiny.swf'), 'abcde');
    let text = '';
    try {
      buildMod(folder);
    } catch (error) {
      text = (error as Error).message;
    }
    expect(text).toMatch(/mod\.json is missing\. .*:\n\n\{/);
    writeFileSync(join(folder, 'mod.json'), text.slice(text.indexOf('{')));
    expect(buildMod(folder).filename).toBe('My mod.tmod');
    const { files } = JSON.parse(readFileSync(join(folder, 'mod.json'), 'utf8'));
    expect(files).toEqual(['ui/tiny.swf']);
  });

  it('preserves the order of properties with numeric names', async () => {
    const { entries, decoded } = packed([{ path: 'x', content: new Uint8Array(5) }]);
    const properties = [
      ['b', '1'],
      ['0', '2'],
      ['modLoader', 'ServiceAPI'],
    ] as const;
    const file = containerOf({ version: 9, properties, entries, stream: storedStream(decoded) });
    const folder = newPath();
    await unpackMod(await readMod(fileOf(file)), folder);
    expect(Buffer.from(buildMod(folder).bytes).equals(file)).toBe(true);
  });

  it('refuses paths outside the folder', async () => {
    const paths = ['../up', 'a/../../up', '/abs', 'C:\\up', 'ok', 'OK', 'nul\u0000', 'ok/below', '.'];
    const { entries, decoded } = packed(paths.map((path) => ({ path, content: Uint8Array.of(1) })));
    const folder = join(newPath(), 'inner');
    const remarks = await unpackMod(await readMod(fileOf(containerOf({ entries, stream: deflated(decoded) }))), folder);
    expect(remarks).toHaveLength(6);
    expect(readdirSync(join(folder, '..'))).toEqual(['inner']);
    expect(readdirSync(join(folder, 'files')).sort()).toEqual(['abs', 'c:', 'ok']);
    expect(existsSync(join(root, 'up'))).toBe(false);
    expect(JSON.parse(readFileSync(join(folder, 'mod.json'), 'utf8')).files).toEqual(['abs', 'c:/up', 'ok']);
  });

  it('reports wrong checksums and rejects files that are not mods', async () => {
    const { entries, decoded } = packed([{ path: 'x', content: new Uint8Array(5) }]);
    const wrong = containerOf({ entries: entries.map((entry) => ({ ...entry, checksum: 1 })), stream: storedStream(decoded) });
    expect(await unpackMod(await readMod(fileOf(wrong)), newPath())).toEqual(['wrong checksum: "x"']);
    await expect(readMod(fileOf(new Uint8Array(3)))).rejects.toThrow('offset 0, file: must have at least');
    await expect(readMod(newPath())).rejects.toThrow('cannot be read');
  });

  it('refuses to unpack into a folder that is not empty', async () => {
    const folder = newPath();
    const mod = await readMod(fileOf(fromHex(EXAMPLE_HEX)));
    await unpackMod(mod, folder);
    await expect(unpackMod(mod, folder)).rejects.toThrow('is not empty');
  });

  it.each([
    ['nonsense', 'is not JSON'],
    ['{"version":-1}', 'version must be'],
    ['{"properties":{"title":"x"}}', 'properties must be'],
    ['{"files":[1]}', 'files must be'],
    ['{"files":[]}', 'lists no files'],
    ['null', 'lists no files'],
    ['{"files":["../../etc/passwd"]}', 'must not have a segment'],
    ['{"files":["missing"]}', 'cannot be read'],
  ])('refuses to build from the manifest %s', async (text, message) => {
    const folder = newPath();
    await unpackMod(await readMod(fileOf(fromHex(EXAMPLE_HEX))), folder);
    writeFileSync(join(folder, 'mod.json'), text);
    expect(() => buildMod(folder)).toThrow(message);
  });
});
