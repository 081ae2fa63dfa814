import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { popularityScores } from '../../../src/areas/mods-catalog/downloads/popularity.jobs.ts';
import { blankDetails, detailsOf, isAnnounced, mergeDetails } from '../../../src/areas/mods-catalog/insert/insert.domain.ts';
import { jsonValues, NotJson, parseCommunityMod } from '../../../src/areas/mods-catalog/mirror/mirror.domain.ts';
import {
  authorKeys,
  categoriesOf,
  filenameOf,
  normalizedTags,
  searchTextOf,
  slugOf,
} from '../../../src/areas/mods-catalog/records/mod.domain.ts';

const encoded = (text: string) => new TextEncoder().encode(text);
const valuesOf = (text: string) => [...jsonValues(encoded(text))].map((value) => JSON.parse(new TextDecoder().decode(value)));

describe('mod domain functions', () => {
  it('normalise tags and return categories in bit order', () => {
    expect(normalizedTags([' Wings', 'wings', '', 'Small ', 'WINGS'])).toEqual(['Wings', 'Small']);
    expect(categoriesOf(['wings', 'small', 'GUI', 'mag riders'])).toEqual({
      categories: ['GUI', 'Mag Riders', 'Wings'],
      flags: 128 + 1024 + 8192,
    });
    expect(categoriesOf([])).toEqual({ categories: [], flags: 0 });
  });

  it('return the handle, the credit and each name in it as author keys', () => {
    expect(authorKeys({ handle: 'ana', author: 'Ana, Bob B,, ' })).toEqual(['ana', 'ana, bob b,,', 'bob b']);
  });

  it('separate fields in the search text', () => {
    const text = searchTextOf({ title: 'Ä', summary: 'B', tags: ['C', 'D'], author: 'E' });
    expect(text).toBe('ä\nb\nc\nd\ne');
  });

  it.each([
    ['Hello, World', 'hello-world'],
    ['--a--', 'a'],
    ['a_b', 'a-b'],
    ['!!!', ''],
    ['İstanbul', 'i-stanbul'],
  ])('derive the slug $1 from $0', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it.each([
    [{ slug: 's', format: 'tmod', headerTitle: 'My Mod' }, 'My Mod.tmod'],
    [{ slug: 's', format: 'tmod', headerTitle: null }, 's.tmod'],
    [{ slug: 's', format: 'tmod', headerTitle: ' ../a\u0000b\n ' }, '..ab.tmod'],
    [{ slug: 's', format: 'zip', headerTitle: 'My Mod' }, 's.zip'],
  ] as const)('save %j as %j', (of, name) => {
    expect(filenameOf(of)).toBe(name);
  });
});

describe('mergeDetails and isAnnounced', () => {
  const before = { ...blankDetails('T', 'A'), summary: 'S', websiteUrl: 'https://x.example' };

  it('changes only given fields', () => {
    const { details } = mergeDetails(before, { title: 'New', tags: undefined, websiteUrl: undefined, summary: '' });
    expect(details).toEqual({ ...before, title: 'New', summary: '' });
  });

  it('returns no other fields of the stored mod', () => {
    expect(detailsOf({ ...before, id: 7, version: 3 } as typeof before)).toEqual(before);
  });

  it('clears stored creator fields of an upload on behalf and refuses given ones', () => {
    expect(mergeDetails(before, { title: 'T', uploadedOnBehalf: true })).toEqual({
      details: { ...before, uploadedOnBehalf: true, websiteUrl: null },
      refused: [],
    });
    expect(mergeDetails(before, { title: 'T', uploadedOnBehalf: true, discordUrl: 'https://d.example', donationUrls: [] }).refused).toEqual(
      ['discordUrl'],
    );
  });

  it('announces only published releases of public mods that are not silent', () => {
    const mod = { visibility: 'public', takenDownAt: null, isApproved: true } as const;
    const release = { isPublished: true, isSilent: false };
    expect(isAnnounced(mod, release)).toBe(true);
    for (const change of [{ visibility: 'unlisted' }, { takenDownAt: 1 }, { isApproved: false }] as const) {
      expect(isAnnounced({ ...mod, ...change }, release)).toBe(false);
    }
    for (const change of [{ isPublished: false }, { isSilent: true }]) expect(isAnnounced(mod, { ...release, ...change })).toBe(false);
  });
});

describe('popularityScores', () => {
  it('returns 1 for the most popular mod, proportional scores for others, and 0 without activity', () => {
    const mod = (id: number, recentDownloads: number, stars: number, downloads: number) => ({ id, recentDownloads, stars, downloads });
    const scores = popularityScores([mod(1, 10, 5, 100), mod(2, 0, 0, 0), mod(3, 1, 0, 1)]);
    const raw = (d7: number, stars: number, all: number) => Math.log(1 + d7) + 0.25 * Math.log(1 + stars) + 0.1 * Math.log(1 + all);
    expect([...scores]).toEqual([
      [1, 1],
      [2, 0],
      [3, Math.round((raw(1, 0, 1) / raw(10, 5, 100)) * 10_000) / 10_000],
    ]);
    expect([...popularityScores([mod(1, 0, 0, 0)])]).toEqual([[1, 0]]);
    expect([...popularityScores([])]).toEqual([]);
  });
});

describe('jsonValues', () => {
  it('yields the same values as JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        fc.constantFrom(0, 1),
        (value, indent) => {
          expect(valuesOf(JSON.stringify(value, null, indent))).toEqual(JSON.parse(JSON.stringify(Object.values(value))));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('throws for text that is neither an array nor an object, or is truncated', () => {
    for (const text of ['', ' ', 'null', '"a"', '7', '[', '[1', '[1,', '["a', '["a\\"]', '{"a":1', '{"a":[1]']) {
      expect(() => valuesOf(text), text).toThrow(NotJson);
    }
  });
});

describe('parseCommunityMod', () => {
  const entry = { id: 7, name: 'N', downloads: [{ fileid: 3, format: 'tmod', date: 5 }] };

  it('removes U+0000, at which the functions of the database end a text', () => {
    const downloads = [{ ...entry.downloads[0], changes: 'a\0b' }];
    expect(parseCommunityMod({ ...entry, description: 'a\0b', downloads })).toMatchObject({ description: 'ab', file: { changes: 'ab' } });
  });

  it('accepts an entry with few fields', () => {
    expect(parseCommunityMod(entry)).toEqual({
      sourceId: '7',
      title: 'N',
      description: '',
      username: '',
      tags: [],
      imageUrl: null,
      downloads: 0,
      likes: 0,
      createdAt: 5,
      file: { fileId: '3', format: 'tmod', version: '', changes: '', publishedAt: 5 },
    });
  });

  it('truncates fields to their limits', () => {
    const mod = parseCommunityMod({
      ...entry,
      name: `${'x'.repeat(119)}😀`,
      description: 'd'.repeat(50_000),
      type: 't'.repeat(99),
      likes: '-3',
    });
    expect(mod).toMatchObject({ title: 'x'.repeat(119), tags: ['t'.repeat(40)], likes: 0 });
    expect(mod?.description).toHaveLength(40_000);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (one, two, three) => {
        parseCommunityMod(one);
        parseCommunityMod({ id: 1, name: 'x', author: one, downloads: two, image: three });
        const mod = parseCommunityMod({ ...entry, description: one, type: two, totaldownloads: three, likes: one, image: two });
        expect(mod?.sourceId).toBe('7');
      }),
      { numRuns: 300 },
    );
  });
});
