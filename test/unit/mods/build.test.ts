import { describe, expect, it } from 'vitest';
import { readBuildRequest } from '../../../src/areas/mods/build-request.domain.ts';
import { modFilename } from '../../../src/areas/mods/packed-path.domain.ts';
import { buildTmod, prepareTmod } from '../../../src/areas/mods/tmod-layout.domain.ts';
import { titleFilename } from '../../../src/game/mod-filename.domain.ts';
import { EXAMPLE_HEX, fromHex, sampleBytes, toHex } from '../../support/tmod.ts';

const build = (request: unknown) => {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  return buildTmod(readBuildRequest(new TextEncoder().encode(text)));
};
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const one = (file: object) => ({ files: [{ path: 'x', content_base64: '', ...file }] });

/** Names and values of the properties in the built file. */
function propertiesOf(properties: string): [string, string][] {
  const { properties: built } = readBuildRequest(
    new TextEncoder().encode(`{"properties":${properties},"files":[{"path":"x","content_base64":""}]}`),
  );
  return [...built].map(([name, value]) => [name, new TextDecoder().decode(value)]);
}

const OURS: [string, string] = ['modLoader', 'ServiceAPI'];

describe('the documented example of a build', () => {
  it('is built byte for byte', () => {
    const files = [
      { path: 'UI\\Tiny.SWF', content_base64: base64(new TextEncoder().encode('abcde')) },
      { path: 'a.txt', content_base64: '' },
    ];
    const bytes = build({ properties: { title: 'Tiny', author: 'Me', tags: 'Wings' }, files });
    expect(toHex(bytes)).toBe(toHex(fromHex(EXAMPLE_HEX)));
    expect(bytes).toHaveLength(130);
  });
});

describe('stream of a built file', () => {
  it.each([0, 1, 4, 32_765, 32_768, 32_769, 65_536, 100_001])(
    'of %i bytes has stored blocks of 32768 bytes and no final block',
    (length) => {
      const content = sampleBytes(length);
      const bytes = build({ version: 7, files: [{ path: 'x', content_base64: base64(content) }] });
      const headerSize = Number(new DataView(bytes.buffer).getBigUint64(0, true));
      expect([bytes[8], bytes[9]]).toEqual([7, 0]);
      const padded = Buffer.concat([content, Buffer.alloc((4 - (length % 4)) % 4)]);
      const expected: Buffer[] = [Buffer.from('7801', 'hex')];
      for (let start = 0; start < padded.length; start += 32_768) {
        const run = padded.subarray(start, start + 32_768);
        const head = Buffer.from([0, 0, 0, 0, 0]);
        head.writeUInt16LE(run.length, 1);
        head.writeUInt16LE(0xffff - run.length, 3);
        expected.push(head, run);
      }
      expected.push(Buffer.from('000000ffff', 'hex'));
      expect(Buffer.from(bytes.subarray(headerSize)).equals(Buffer.concat(expected))).toBe(true);
    },
  );

  it('has the announced length', () => {
    const plan = readBuildRequest(new TextEncoder().encode(JSON.stringify(one({ content_base64: base64(sampleBytes(70_001)) }))));
    const { length, chunks } = prepareTmod(plan);
    expect([...chunks()].reduce((sum, chunk) => sum + chunk.length, 0)).toBe(length);
  });
});

describe('properties', () => {
  it.each([
    ['adds modLoader to empty properties', '{}', [OURS]],
    ['adds modLoader as the last property', '{"b":"1","a":"2"}', [['b', '1'], ['a', '2'], OURS]],
    ['overwrites a given modLoader in its position', '{"a":"1","modLoader":"x","b":"2"}', [['a', '1'], OURS, ['b', '2']]],
    ['keeps the order of numeric names', '{"b":"1","1":"2","0":"3"}', [['b', '1'], ['1', '2'], ['0', '3'], OURS]],
    ['accepts names of object prototypes', '{"__proto__":"1","constructor":"2"}', [['__proto__', '1'], ['constructor', '2'], OURS]],
    ['uses the last value of a repeated name', '{"a":"1","b":"2","a":"3"}', [['a', '3'], ['b', '2'], OURS]],
    ['derives flags from tags', '{"tags":"wings, Mounts"}', [['tags', 'wings, Mounts'], OURS, ['flags', '10240']]],
    ['joins a list of tags', '{"tags":["Wings","Mounts"]}', [['tags', 'Wings,Mounts'], OURS, ['flags', '10240']]],
    ['adds no flags for unknown tags', '{"tags":"other"}', [['tags', 'other'], OURS]],
    ['keeps given flags', '{"tags":"Wings","flags":"1"}', [['tags', 'Wings'], ['flags', '1'], OURS]],
    ['keeps empty flags', '{"flags":"","tags":"Wings"}', [['flags', ''], ['tags', 'Wings'], OURS]],
    ['accepts flags as a number', '{"flags":-5,"tags":"Wings"}', [['flags', '-5'], ['tags', 'Wings'], OURS]],
    ['decodes escapes', '{"a\\u0041":"\\n\\ud83d\\ude00\\"é"}', [['aA', '\n😀"é'], OURS]],
  ] as [string, string, [string, string][]][])('%s', (_title, properties, expected) => {
    expect(propertiesOf(properties)).toEqual(expected);
  });
});

describe('file contents in a build request', () => {
  it('may contain escaped slashes', () => {
    const content = Uint8Array.of(0xff, 0xff, 0xff);
    expect(build(`{"files":[{"path":"x","content_base64":"\\/\\/\\u002f\\/"}]}`)).toEqual(build(one({ content_base64: base64(content) })));
  });

  it('are the last of duplicate members', () => {
    expect(build('{"files":[{"path":"a","path":"x","content_base64":"YQ==","content_base64":"Yg=="}]}')).toEqual(
      build(one({ content_base64: 'Yg==' })),
    );
    expect(build('{"files":[{"path":"a","content_base64":"YQ=="}],"files":[{"path":"x","content_base64":"Yg=="}]}')).toEqual(
      build(one({ content_base64: 'Yg==' })),
    );
  });
});

describe('errors of readBuildRequest', () => {
  const long = 'x'.repeat(256);
  it.each([
    ['no files', { files: [] }, 'refused', ['files']],
    ['no list of files', {}, 'invalid', ['files']],
    ['files that are not a list', { files: {} }, 'invalid', ['files']],
    ['a file that is not an object', { files: ['x'] }, 'invalid', ['files', 0]],
    ['a list', [], 'invalid', []],
    ['null', null, 'invalid', []],
    ['a version beyond two bytes', { ...one({}), version: 65_536 }, 'invalid', ['version']],
    ['a negative version', { ...one({}), version: -1 }, 'invalid', ['version']],
    ['a version with a fraction', { ...one({}), version: 1.5 }, 'invalid', ['version']],
    ['a version in a string', { ...one({}), version: '1' }, 'invalid', ['version']],
    ['a version of null', { ...one({}), version: null }, 'invalid', ['version']],
    ['properties that are a list', { ...one({}), properties: [] }, 'invalid', ['properties']],
    ['a property that is a number', { ...one({}), properties: { title: 1 } }, 'invalid', ['properties', 'title']],
    ['a tag that is a number', { ...one({}), properties: { tags: ['Wings', 1] } }, 'invalid', ['properties', 'tags', 1]],
    ['flags with a fraction', { ...one({}), properties: { flags: 1.5 } }, 'invalid', ['properties', 'flags']],
    ['flags beyond exact integers', { ...one({}), properties: { flags: 2 ** 53 } }, 'invalid', ['properties', 'flags']],
    ['a lone surrogate in a value', { ...one({}), properties: { a: '\ud800' } }, 'invalid', ['properties', 'a']],
    ['a lone surrogate in a name', { ...one({}), properties: { '\ud800': '' } }, 'invalid', ['properties']],
    ['no path', { files: [{ content_base64: '' }] }, 'invalid', ['files', 0, 'path']],
    ['no content', { files: [{ path: 'x' }] }, 'invalid', ['files', 0, 'content_base64']],
    ['content of null', one({ content_base64: null }), 'invalid', ['files', 0, 'content_base64']],
    ['a path that is empty', one({ path: '' }), 'refused', ['files', 0, 'path']],
    ['a path of slashes only', one({ path: '\\//' }), 'refused', ['files', 0, 'path']],
    ['a path with a .. segment', one({ path: 'a/../b' }), 'refused', ['files', 0, 'path']],
    ['a path with a .. segment and a backslash', one({ path: '..\\b' }), 'refused', ['files', 0, 'path']],
    ['a path with a . segment', one({ path: './b' }), 'refused', ['files', 0, 'path']],
    ['a path with an empty segment', one({ path: 'a//b' }), 'refused', ['files', 0, 'path']],
    ['a path that ends in a slash', one({ path: 'a/' }), 'refused', ['files', 0, 'path']],
    ['a path with NUL', one({ path: 'a\u0000' }), 'refused', ['files', 0, 'path']],
    ['a path with a control character', one({ path: 'a\u0085b' }), 'refused', ['files', 0, 'path']],
    ['a path with a lone surrogate', one({ path: 'a\udc00' }), 'refused', ['files', 0, 'path']],
    ['a path of 256 bytes', one({ path: long }), 'refused', ['files', 0, 'path']],
    ['a path of 256 bytes in fewer characters', one({ path: 'é'.repeat(128) }), 'refused', ['files', 0, 'path']],
    ['base64 with white space', one({ content_base64: 'YWJj YWJj' }), 'refused', ['files', 0, 'content_base64']],
  ])('reject %s', (_title, request, kind, path) => {
    expect(() => build(request)).toThrow(expect.objectContaining({ kind, path }));
  });

  it('reject two files with the same path, case-insensitive', () => {
    const files = ['A/b', 'c', 'a\\B'].map((path) => ({ path, content_base64: '' }));
    expect(() => build({ files })).toThrow(expect.objectContaining({ kind: 'refused', path: ['files', 2, 'path'] }));
  });

  it('report a wrong type before a violated rule', () => {
    expect(() => build({ files: [{ path: '..', content_base64: '?' }], version: 'x' })).toThrow(
      expect.objectContaining({ kind: 'invalid', path: ['version'] }),
    );
  });

  it('reject more properties than the header can count', () => {
    const named = (count: number) => ({
      ...one({}),
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, ''])),
    });
    expect(build(named(65_534)).length).toBeGreaterThan(65_534);
    expect(() => build(named(65_535))).toThrow(expect.objectContaining({ kind: 'refused', path: ['properties'] }));
  });

  it('reject more than the maximum number of files', () => {
    const files = Array.from({ length: 65_537 }, (_, index) => ({ path: `${index}`, content_base64: '' }));
    expect(() => build({ files })).toThrow(expect.objectContaining({ kind: 'refused', path: ['files'] }));
  });

  it('accept a path of exactly 255 bytes', () => {
    expect(build(one({ path: `/${'x'.repeat(255)}` })).length).toBeGreaterThan(255);
  });
});

describe('modFilename', () => {
  it.each([
    ['Tiny', 'Tiny.tmod'],
    ['  My Mod - v1.0_x  ', 'My Mod - v1.0_x.tmod'],
    ['../../etc/pass"wd', '....etcpasswd.tmod'],
    ['Ünï', 'n.tmod'],
    ['模组', 'mod.tmod'],
    ['', 'mod.tmod'],
    [' / ', 'mod.tmod'],
    ['x'.repeat(200), `${'x'.repeat(80)}.tmod`],
  ])('derives $1 from $0', (title, name) => expect(modFilename(title)).toBe(name));
});

describe('titleFilename', () => {
  it.each([
    ["Li'l Größe: Mod?", "Li'l Größe Mod.tmod"],
    ['日本', '日本.tmod'],
    ['  ../a\\b*"<>|\u0000 ', '..ab.tmod'],
    [' :?/ ', null],
    ['x'.repeat(1000), `${'x'.repeat(240)}.tmod`],
    [`${'x'.repeat(239)}😀`, `${'x'.repeat(239)}.tmod`],
  ])('keeps the characters of %j that file systems accept', (title, name) => expect(titleFilename(title)).toBe(name));
});
