import { describe, expect, it } from 'vitest';
import {
  type Candidate,
  editDistance,
  foldWords,
  parseQuery,
  patternsOf,
  rankCandidates,
  storedName,
} from '../../../src/areas/search/search.domain.ts';
import { pick, randomBelow, seededRandom } from '../../../src/platform/kit/random.ts';

const ALPHABET = [...'abcdefgh'];

/** Textbook optimal string alignment. */
function referenceDistance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => Array.from({ length: other.length + 1 }, (_, column) => row || column));
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const options = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + Number(one[row - 1] !== other[column - 1]),
      ];
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        options.push(at(row - 2, column - 2) + 1);
      (rows[row] ?? [])[column] = Math.min(...options);
    }
  }
  return at(one.length, other.length);
}

/** Every word that one edit makes of a word. */
function edited(word: string): string[] {
  const places = [...word].map((_, at) => at);
  return [
    ...places.map((at) => word.slice(0, at) + word.slice(at + 1)),
    ...places.flatMap((at) => [`${word.slice(0, at)}z${word.slice(at)}`, `${word.slice(0, at)}z${word.slice(at + 1)}`]),
    `${word}z`,
    ...places.slice(1).map((at) => word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1)),
  ];
}

/** Whether a padded name has one of the alternatives of a pattern. */
const admits = (pattern: string, name: string) => [...pattern.matchAll(/"([^"]+)"/g)].some(([, piece = '']) => ` ${name} `.includes(piece));

const candidate = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  type: 'codex',
  name,
  words: storedName(name),
  about: '',
  text: '',
  link: '/',
  image: null,
  place: null,
  ...more,
});
const namesFor = (q: string, candidates: readonly Candidate[]) => rankCandidates(parseQuery(q), candidates, 10).map(({ name }) => name);

describe('foldWords', () => {
  it('drops case, accents, apostrophes and punctuation', () => {
    expect(foldWords("  Café-NOIR: Dragon's (İzmir)  ")).toEqual(['cafe', 'noir', 'dragons', 'izmir']);
    expect(foldWords('龙 🐉 ①')).toEqual(['龙', '1']);
    expect(foldWords('*"(')).toEqual([]);
  });
});

describe('parseQuery', () => {
  it('requires the words except stop words, and stop words if only those were sent', () => {
    expect(parseQuery('the Sword of the Ancient').required).toEqual(['sword', 'ancient']);
    expect(parseQuery('the of').required).toEqual(['the', 'of']);
    expect(parseQuery('a1 b2 c3 d4 e5 f6 g7 h8 i9').words).toHaveLength(8);
  });
});

describe('editDistance', () => {
  it('equals the textbook distance up to the limit', () => {
    const random = seededRandom('distances');
    const word = () => Array.from({ length: randomBelow(random, 9) }, () => pick(random, ALPHABET.slice(0, 3))).join('');
    for (let round = 0; round < 5000; round += 1) {
      const [one, other, most] = [word(), word(), randomBelow(random, 4)];
      expect([one, other, editDistance(one, other, most)]).toEqual([one, other, Math.min(most + 1, referenceDistance(one, other))]);
    }
  });
});

describe('patternsOf', () => {
  it('admits every name whose word of five letters or more is one edit from the query', () => {
    const random = seededRandom('pieces');
    for (let length = 5; length <= 14; length += 1) {
      const word = Array.from({ length }, () => pick(random, ALPHABET)).join('');
      for (const typed of edited(word)) {
        const { typos } = patternsOf(parseQuery(typed));
        expect([typed, word, typos !== null && admits(typos, word)]).toEqual([typed, word, true]);
      }
    }
  });

  it('has no typos for words of three letters, and quotes what it got', () => {
    expect(patternsOf(parseQuery('cat')).typos).toBeNull();
    expect(patternsOf(parseQuery('a" OR "b')).whole).toBe('" b "');
  });
});

describe('rankCandidates', () => {
  it('ranks equal names first, then beginnings, typos, parts, and texts last', () => {
    const text = candidate('Chest', { text: 'Holds a sword.', place: 0 });
    const names = ['Swordfish', 'Broadsword', 'Swoxd', 'Sword'].map((name) => candidate(name));
    expect(namesFor('sword', [text, ...names])).toEqual(['Sword', 'Swordfish', 'Swoxd', 'Broadsword', 'Chest']);
  });

  it('drops candidates without a word of the query, and with two typos in five letters', () => {
    expect(namesFor('ancient sword', [candidate('Ancient Shield'), candidate('Ancient Swxxd')])).toEqual([]);
  });

  it('prefers the order of the query, and short names', () => {
    const names = ['Sword Ancient', 'Ancient Sword of Doom', 'Ancient Sword'];
    expect(
      namesFor(
        'ancient sword',
        names.map((name) => candidate(name)),
      ),
    ).toEqual(['Ancient Sword', 'Sword Ancient', 'Ancient Sword of Doom']);
  });

  it('cuts an excerpt around the match', () => {
    const text = `${'word '.repeat(60)}needle ${'word '.repeat(60)}`;
    const [hit] = rankCandidates(parseQuery('needle'), [candidate('Chest', { text, place: 0 })], 10);
    expect(hit?.excerpt).toMatch(/^….*needle.*…$/);
    expect(hit?.excerpt?.length).toBeLessThan(170);
  });
});
