import { describe, expect, it } from 'vitest';
import { compareBytes, listDirectories, splitDirectory, splitPath } from '../../../src/areas/updates/paths.domain.ts';
import {
  encodePath,
  formatManifest,
  isGamePath,
  isVersionTag,
  MalformedFileError,
  type ManifestEntry,
  parseIndexFile,
  parseManifest,
  parsePointer,
} from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { compareDirectory, planWork, type StoredFile } from '../../../src/areas/updates/sync/engine/plan.domain.ts';
import { encodeIndex } from '../../support/archive/encode.ts';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const entries = (...list: [path: string, sha1: string][]): Map<string, ManifestEntry> =>
  new Map(list.map(([path, sha1]) => [path, { path, sha1, size: 1 }]));

describe('parsePointer', () => {
  it('returns version and path without the first segment', () => {
    const pointer = parsePointer(' TEST-103-3325-A-336166 | content/live/us/build_1 | 7 | Welcome | more \r\n');
    expect(pointer).toEqual({ versionTag: 'TEST-103-3325-A-336166', contentPath: 'live/us/build_1' });
    expect(parsePointer('V|live').contentPath).toBe('live');
  });

  it.each(['', 'V', 'V|', '|content/x', 'V|content/', 'V|content/../x', 'V|a//b', 'a/b|content/x', 'a b|content/x'])(
    'rejects the pointer %j',
    (text) => {
      expect(() => parsePointer(text)).toThrow(MalformedFileError);
    },
  );
});

describe('formatManifest', () => {
  it('writes a text that parseManifest reads back, for every path that isGamePath accepts', () => {
    const paths = ['a', 'with:colons:in it', 'dir/ü ß', 'a b/c', ' a', 'a ', 'a\\b', 'a\nb', 'a\rb', '../a', 'a//b', '\uFFFD'];
    const valid = paths.filter(isGamePath);
    expect(valid).toEqual(paths.slice(0, 4));
    const given = entries(...valid.map((path): [string, string] => [path, 'ab12']));
    expect(parseManifest(formatManifest('V-1', given.values()))).toEqual({ versionTag: 'V-1', entries: given });
  });
});

describe('isVersionTag', () => {
  it('accepts what a pointer and a manifest can name', () => {
    expect(['252', 'live_252.1', 'é'].filter((tag) => !isVersionTag(tag))).toEqual([]);
    expect(['', ' ', 'a b', 'a/b', 'a\\b', 'a?', 'a#', 'a|b', '.', '..', 'a\n', 'x'.repeat(201)].filter(isVersionTag)).toEqual([]);
  });
});

describe('parseManifest', () => {
  it('splits lines at the last two colons, with any line ending', () => {
    const text =
      'version V-1\r\na\\b.txt:1f:10\r\n\r\nwith:colons:in it:2f:20\r\nno entry\r\nbad:size:x\r\n:1:1\r\n../out:1:1\r\nneg:1:-1\r\na/b.txt:3f:30';
    const { versionTag, entries: found } = parseManifest(text);
    expect(versionTag).toBe('V-1');
    expect([...found.values()]).toEqual([
      { path: 'a/b.txt', sha1: '3f', size: 30 },
      { path: 'with:colons:in it', sha1: '2f', size: 20 },
    ]);
  });

  it.each(['', 'a:b:1', 'version', 'version ', 'VERSION V'])('rejects the manifest %j without a version', (text) => {
    expect(() => parseManifest(text)).toThrow(MalformedFileError);
  });
});

describe('encodePath', () => {
  it('percent-encodes each segment of a path', () => {
    expect(encodePath('a b/c:d/ü#?.txt')).toBe('a%20b/c%3Ad/%C3%BC%23%3F.txt');
  });
});

describe('parseIndexFile', () => {
  it('reads the documented example', () => {
    const bytes = bytesOf('0f 636176652f6261742e62696e666162 00 00 03 c3f0d4ca03 0f 636176652f65656c2e62696e666162 00 03 04 80a3bfa30c');
    expect([...parseIndexFile('prefabs', bytes).values()]).toEqual([
      { path: 'prefabs/cave/bat.binfab', archiveIndex: 0, offset: 0, size: 3, checksum: 961886275 },
      { path: 'prefabs/cave/eel.binfab', archiveIndex: 0, offset: 3, size: 4, checksum: 3295662464 },
    ]);
    expect([...parseIndexFile('', bytes).keys()]).toEqual(['cave/bat.binfab', 'cave/eel.binfab']);
  });

  it('trims names, normalises slashes, keeps the last duplicate and skips invalid paths', () => {
    const numbers = { archiveIndex: 1, offset: 2, size: 3, checksum: 4 };
    const bytes = encodeIndex([
      { ...numbers, name: 'a\\b', padding: 3 },
      { ...numbers, name: '' },
      { ...numbers, name: '../x' },
      { ...numbers, name: '/x' },
      { ...numbers, name: 'twice', size: 9 },
      { ...numbers, name: 'twice' },
    ]);
    expect([...parseIndexFile('d', bytes).values()]).toEqual([
      { path: 'd/a/b', archiveIndex: 1, offset: 2, size: 3, checksum: 4 },
      { path: 'd/twice', archiveIndex: 1, offset: 2, size: 3, checksum: 4 },
    ]);
    expect(parseIndexFile('d', new Uint8Array(0)).size).toBe(0);
  });

  it('reports the offset of an error', () => {
    const whole = encodeIndex([
      { name: 'one', archiveIndex: 0, offset: 0, size: 1, checksum: 1 },
      { name: 'two', archiveIndex: 0, offset: 1, size: 1, checksum: 1 },
    ]);
    expect(() => parseIndexFile('d', whole.slice(0, -1))).toThrow(/byte 8: number/);
    expect(() => parseIndexFile('d', whole.slice(0, 10))).toThrow(/byte 8: name is truncated/);
    expect(() => parseIndexFile('d', bytesOf('02 ff fe 00 00 00 00'))).toThrow(/byte 0: name is not UTF-8/);
    expect(() => parseIndexFile('d', bytesOf('80 80 80 80 80 80 80 80 80 80 01'))).toThrow(/byte 0: number/);
  });
});

describe('planWork', () => {
  it('orders work items: removals, loose files, directories', () => {
    const manifest = entries(
      ['b', '1'],
      ['a', '2'],
      ['d/index.tfi', '1'],
      ['d/archive0.tfa', '2'],
      ['d/archive1.tfa', '1'],
      ['same/index.tfi', '1'],
    );
    const known = entries(
      ['b', '1'],
      ['gone', '1'],
      ['d/index.tfi', '1'],
      ['d/archive0.tfa', '1'],
      ['d/archive9.tfa', '1'],
      ['same/index.tfi', '1'],
      ['old/index.tfi', '1'],
    );
    expect(planWork(manifest, known)).toEqual([
      { kind: 'gone', paths: ['gone'] },
      { kind: 'loose', entry: { path: 'a', sha1: '2', size: 1 } },
      {
        kind: 'directory',
        dir: 'd',
        index: { path: 'd/index.tfi', sha1: '1', size: 1 },
        archives: [
          { path: 'd/archive0.tfa', sha1: '2', size: 1 },
          { path: 'd/archive1.tfa', sha1: '1', size: 1 },
        ],
        vanished: ['d/archive9.tfa'],
      },
      { kind: 'directory', dir: 'old', index: null, archives: [], vanished: ['old/index.tfi'] },
    ]);
    expect(planWork(manifest, manifest)).toEqual([]);
  });
});

describe('compareDirectory', () => {
  const packed = (path: string, archiveIndex: number, offset: number, checksum: number) => ({
    path,
    archiveIndex,
    offset,
    size: 1,
    checksum,
  });
  const stored = (path: string, archiveIndex: number, checksum: number): StoredFile => ({
    path,
    sha256: 'x',
    size: 1,
    checksum,
    archive: 'd',
    archiveIndex,
  });

  it('finds new, changed, moved and removed files by checksum', () => {
    const listed = [packed('new', 0, 9, 1), packed('changed', 0, 3, 2), packed('moved', 1, 0, 3), packed('same', 0, 0, 4)];
    const known = [stored('changed', 0, 1), stored('moved', 0, 3), stored('same', 0, 4), stored('gone', 0, 5)];
    const result = compareDirectory(new Map(listed.map((file) => [file.path, file])), new Map(known.map((file) => [file.path, file])));
    expect([...result.toExtract]).toEqual([[0, [packed('changed', 0, 3, 2), packed('new', 0, 9, 1)]]]);
    expect(result.moved).toEqual([stored('moved', 1, 3)]);
    expect(result.removed).toEqual(['gone']);
  });
});

describe('splitPath, listDirectories and splitDirectory', () => {
  it('splits a path at its slashes', () => {
    expect([splitPath('a/b/c'), splitPath('c')]).toEqual([
      { dir: 'a/b/', name: 'c' },
      { dir: '', name: 'c' },
    ]);
    expect([listDirectories('a/b/c'), listDirectories('c')]).toEqual([['a/', 'a/b/'], []]);
    expect([splitDirectory('a/b/'), splitDirectory('a/')]).toEqual([
      { parent: 'a/', name: 'b' },
      { parent: '', name: 'a' },
    ]);
  });
});

describe('compareBytes', () => {
  it('sorts paths by UTF-8 bytes', () => {
    const texts = ['a', 'a/', 'a0', 'b', 'é', '\u{fffd}', '\u{10000}', 'A', '', '\u{1f600}', '\u{e000}'];
    const byBytes = [...texts].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    expect([...texts].sort(compareBytes)).toEqual(byBytes);
  });
});
