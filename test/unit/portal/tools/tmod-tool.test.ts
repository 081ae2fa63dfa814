import { describe, expect, it } from 'vitest';
import { decodeBlueprint } from '../../../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { inflateBlueprint } from '../../../../src/areas/codexes/render/render-blueprint.service.ts';
import { inflated, inflateModel } from '../../../../src/areas/portal/tools/tmod/inflate.domain.ts';
import { EXAMPLE_MOD } from '../../../../src/areas/portal/tools/tmod/tmod-example.data.ts';
import {
  archivePath,
  buildMod,
  type Draft,
  draftProblem,
  filenameOf,
  hexDump,
  MAX_LOCAL_BYTES,
  propertyOf,
  readMod,
  sortFiles,
  treeOf,
  withFile,
  withoutFile,
  withPath,
  withProperty,
} from '../../../../src/areas/portal/tools/tmod/tmod-tool.domain.ts';
import { containerOf, deflated, packed, sampleBytes } from '../../../support/tmod.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const draft: Draft<Uint8Array> = {
  version: 1,
  properties: [
    ['title', 'Tiny'],
    ['tags', 'Wings'],
    ['flags', '8192'],
  ],
  files: [
    { path: 'a/one.txt', content: bytes('one') },
    { path: 'two.png', content: bytes('second') },
  ],
};

describe('readMod', () => {
  it('reads the contents of a compressed file in any order', async () => {
    const { entries, decoded } = packed([
      { path: 'a.txt', content: sampleBytes(50_000) },
      { path: 'b.txt', content: sampleBytes(9, 2) },
    ]);
    const { files } = await readMod(containerOf({ entries: entries.toReversed(), stream: deflated(decoded) }), inflated);
    expect(files.map(({ path, isValid, content }) => [path, isValid, Buffer.concat(content).length])).toEqual([
      ['b.txt', true, 9],
      ['a.txt', true, 50_000],
    ]);
  });

  it('reads what a truncated stream still has', async () => {
    const { entries, decoded } = packed([{ path: 'a.txt', content: sampleBytes(50_000) }]);
    const whole = deflated(decoded);
    const { files } = await readMod(containerOf({ entries, stream: whole.subarray(0, whole.length / 2) }), inflated);
    expect(files[0]?.isValid).toBe(false);
    expect(Buffer.concat(files[0]?.content ?? []).length).toBeGreaterThan(1000);
  });

  it('refuses files and contents above the limits of the page', async () => {
    const huge = { path: 'a', offset: 0, size: 500 * 1024 * 1024, checksum: 1 };
    await expect(readMod(containerOf({ entries: [huge] }), inflated)).rejects.toThrow('maximum of 419430400 decoded bytes');
    await expect(readMod(new Uint8Array(MAX_LOCAL_BYTES + 1), inflated)).rejects.toThrow('at most 200 MiB');
    await expect(readMod(new Uint8Array(5), inflated)).rejects.toThrow('must have at least 12 bytes');
  });
});

describe('inflateModel', () => {
  it('decodes the example model like the Worker', () => {
    const model = EXAMPLE_MOD.files.find(({ path }) => path.endsWith('.blueprint'));
    const file = new Uint8Array(Buffer.from(model?.base64 ?? '', 'base64'));
    const voxels = decodeBlueprint(file, inflateModel);
    expect(voxels).toEqual(decodeBlueprint(file, inflateBlueprint));
    expect(voxels.count).toBe(104);
  });
});

describe('withProperty', () => {
  it('derives the flags again when the tags change', () => {
    const changed = withProperty(draft, 'tags', 'GUI');
    expect(changed.properties).toEqual([
      ['title', 'Tiny'],
      ['tags', 'GUI'],
    ]);
    expect(withProperty(draft, 'title', '').properties.map(([name]) => name)).toEqual(['tags', 'flags']);
    expect(propertyOf(withProperty(draft, 'notes', 'New'), 'notes')).toBe('New');
  });
});

describe('files of a draft', () => {
  it('are added, replaced, renamed and removed by their packed paths', () => {
    const added = withFile(draft, '/A\\Three.TXT', bytes('three'));
    expect(added.files.map(({ path }) => path)).toEqual(['a/one.txt', 'two.png', 'a/three.txt']);
    expect(withFile(draft, 'Two.PNG', bytes('x')).files.map(({ content }) => content.length)).toEqual([3, 1]);
    expect(withPath(draft, 'two.png', 'B/Two.png').files[1]?.path).toBe('b/two.png');
    expect(withoutFile(draft, 'two.png').files).toHaveLength(1);
  });

  it.each([
    ['../up.txt', 'must not have a segment . or ..'],
    ['a/one.txt', 'must be unique (paths are case-insensitive)'],
    ['', 'must not be empty'],
  ])('are not renamed to %j', (path, problem) => {
    expect(() => withPath(draft, 'two.png', path)).toThrow(problem);
  });

  it('prevent building when none is there, or when a read path is invalid', () => {
    expect(draftProblem({ ...draft, files: [] })).toBe('the mod must have at least one file');
    expect(draftProblem({ ...draft, files: [{ path: '../x', content: bytes('') }] })).toContain('../x must not have a segment');
    expect(draftProblem(draft)).toBeNull();
    expect(() => buildMod({ ...draft, files: [] })).toThrow('at least one file');
  });
});

describe('treeOf', () => {
  it('counts files and sizes of every folder', () => {
    const files = ['a/b/one', 'a/two', 'three', 'a/b/four'].map((path, index) => ({ path, size: index + 1 }));
    const root = treeOf(files);
    expect([root.count, root.size, root.files.length]).toEqual([4, 10, 1]);
    const [folder] = root.folders;
    expect([folder?.path, folder?.count, folder?.size, folder?.folders[0]?.path, folder?.folders[0]?.size]).toEqual([
      'a/',
      3,
      7,
      'a/b/',
      5,
    ]);
    expect(sortFiles(files, 'size').map(({ size }) => size)).toEqual([4, 3, 2, 1]);
    expect(sortFiles(files, 'path')[0]?.path).toBe('a/b/four');
  });
});

describe('archivePath', () => {
  it.each([
    ['../../etc/passwd', '_/_/etc/passwd'],
    ['/a//b', '_/a/_/b'],
    ['c:x?.txt', 'c_x_.txt'],
    ['ui/tiny.swf', 'ui/tiny.swf'],
  ])('keeps %j inside the folder', (path, safe) => expect(archivePath(path)).toBe(safe));
});

describe('texts', () => {
  it('shows names and bytes', () => {
    expect([filenameOf(draft), filenameOf({ properties: [] })]).toEqual(['Tiny.tmod', 'mod.tmod']);
    expect(hexDump(bytes('AB\n'))).toBe(`0000  ${'41 42 0a'.padEnd(47)}  AB.`);
  });
});
