import { describe, expect, it } from 'vitest';
import { createDumpReader, createLineSplitter, parseBoardLine, scanEntries } from '../../../../src/areas/leaderboards/dump.domain.ts';
import { parseLeaderboardDump, tryMutations } from '../../../support/dump-mutations.ts';

const EXAMPLE = 'Leaderboard_MetaExperience$Leaderboard_Category_Meta$1 = TROVE MASTERY POINTS$META##1;Nimbus;1204455|2;Oriole;1190021.5';
const META = {
  uuid: 1,
  nameId: 'Leaderboard_MetaExperience',
  name: 'TROVE MASTERY POINTS',
  categoryId: 'Leaderboard_Category_Meta',
  category: 'META',
  contestType: null,
};
const ROWS = { ranks: [1, 2], names: ['Nimbus', 'Oriole'], scores: [1_204_455, 1_190_021.5] };

const line = (uuid: number, category: string, categoryId = 'Leaderboard_Category_Meta', entries = '1;A;1') =>
  `Id$${categoryId}$${uuid} = BOARD ${uuid}$${category}##${entries}`;

it('removes hidden characters of names and counts them', () => {
  const reader = createDumpReader();
  const line = reader.read('1$2$3 = Bo\u202eard$Category##1;A\u0007na\u2066;5');
  expect([line?.rows.names, reader.metas()[0]?.name, reader.report().hiddenCharacters]).toEqual([['Ana'], 'Board', 3]);
});

describe('parseLeaderboardDump', () => {
  it('parses the documented example', () => {
    expect(parseLeaderboardDump(EXAMPLE)).toEqual([{ ...META, rows: ROWS }]);
  });

  it('accepts CRLF line endings and ignores unrelated lines', () => {
    const text = ['# comment', 'done = true', 'some$thing = else', EXAMPLE, ''].join('\r\n');
    expect(parseLeaderboardDump(text)).toEqual([{ ...META, rows: ROWS }]);
  });

  it('trims categories and skips favourites, which do not count as duplicates', () => {
    const text = [line(7, 'Favorites', 'X', '1;Wrong;9'), line(7, '  STATS '), line(8, ' fAVORITES')].join('\n');
    expect(parseLeaderboardDump(text)).toMatchObject([{ uuid: 7, category: 'STATS', rows: { names: ['A'] } }]);
  });

  it('uses the first line of a duplicate board', () => {
    const text = [line(7, 'STATS', 'S', '1;First;5'), line(7, 'STATS', 'S', '1;Second;6')].join('\n');
    expect(parseLeaderboardDump(text)).toMatchObject([{ rows: { names: ['First'] } }]);
  });

  it.each([
    ['Leaderboard_Category_Contests_Daily', 'daily'],
    ['Leaderboard_Category_Contests', 'weekly'],
    ['Leaderboard_Category_contests', null],
  ])('determines the contest from the category id %s', (categoryId, contestType) => {
    expect(parseLeaderboardDump(line(7, 'CONTESTS', categoryId))).toMatchObject([{ contestType }]);
  });

  it('detects a contest on any line and uses the category of the first other line', () => {
    const contest = line(7, 'CONTESTS', 'Leaderboard_Category_Contests_Daily', '1;First;5');
    const home = line(7, 'STATS', 'Home', '1;Second;6');
    const expected = { contestType: 'daily', categoryId: 'Home', category: 'STATS' };
    expect(parseLeaderboardDump([contest, home].join('\n'))).toMatchObject([{ ...expected, rows: { names: ['First'] } }]);
    expect(parseLeaderboardDump([home, contest].join('\n'))).toMatchObject([{ ...expected, rows: { names: ['Second'] } }]);
  });

  it('returns no boards for text without a board', () => {
    expect(parseLeaderboardDump('')).toEqual([]);
  });

  it('reports dropped lines and entries', () => {
    const reader = createDumpReader();
    for (const text of ['# x', line(-5, 'META'), line(3, 'META', 'M', '1;A;1|nonsense|2;B')]) reader.read(text);
    expect(reader.report()).toEqual({
      lines: 3,
      droppedLines: 1,
      droppedEntries: 2,
      hiddenCharacters: 0,
      problems: [
        { line: 2, reason: 'has a non-numeric uuid: Id$Leaderboard_Category_Meta$-5 = BOARD -5$META##1;A;1' },
        { line: 3, reason: '(board 3) has 2 malformed entries, the first: nonsense' },
      ],
    });
  });
});

describe('parseBoardLine', () => {
  it.each([
    ['a negative uuid', 'Id$Cat$-1 = NAME$META##'],
    ['no space before the sign', 'Id$Cat$1= NAME$META##'],
    ['no space after the sign', 'Id$Cat$1 =NAME$META##'],
    ['two spaces before the sign', 'Id$Cat$1  = NAME$META##'],
    ['two spaces after the sign', 'Id$Cat$1 =  NAME$META##'],
    ['an empty name', 'Id$Cat$1 = $META##'],
    ['an empty id', '$Cat$1 = NAME$META##'],
    ['a $ too many', 'Id$Cat$Dog$1 = NAME$META##'],
    ['a # in the category', 'Id$Cat$1 = NAME$ME#TA##'],
    ['no category', 'Id$Cat$1 = NAME##'],
  ])('rejects a line with %s', (_, text) => {
    expect(parseBoardLine(text).kind).toBe('broken');
  });

  it.each(['', 'done = true', '# comment', 'a$b$1 = c$d', '## heading $'])('ignores the line %j', (text) => {
    expect(parseBoardLine(text).kind).toBe('other');
  });
});

describe('scanEntries', () => {
  it.each([
    '1;A;x',
    '1;A;',
    '1;;5',
    ';A;5',
    'x;A;5',
    '1234567;A;5',
    '-1;A;5',
    '1;A',
    '1;A;5;6',
    '1;A;0x10',
    '1;A;Infinity',
    '1;A;NaN',
    '1;A;1e999',
    `1;${'A'.repeat(201)};5`,
  ])('drops %j and keeps the other entries', (piece) => {
    expect(scanEntries(`1;Before;9|${piece}|2;After;8`)).toMatchObject({ rows: { names: ['Before', 'After'] }, dropped: 1 });
  });

  it.each([
    ['123456;A;5', 5],
    ['1;A;-5.25', -5.25],
    ['1;A;+5', 5],
    ['1;A;1.5e3', 1500],
    ['1;A;2E-1', 0.2],
    ['1;A;.5', 0.5],
    ['1;A;5.', 5],
    ['1;A;-0', 0],
    [' 1;A;5 ', 5],
  ])('accepts %j', (piece, score) => {
    const { rows, dropped } = scanEntries(piece);
    expect([rows.scores, dropped]).toEqual([[score], 0]);
    expect(Object.is(rows.scores[0], score)).toBe(true);
  });

  it('keeps names unchanged, including spaces', () => {
    expect(scanEntries('1; Ünï çødé 名前 ;5').rows.names).toEqual([' Ünï çødé 名前 ']);
  });

  it('skips empty entries without counting them', () => {
    expect(scanEntries('||1;A;5| |')).toMatchObject({ rows: { names: ['A'] }, dropped: 0, firstDropped: null });
  });

  it('sorts entries by rank, ties in dump order', () => {
    expect(scanEntries('3;C;1|1;A;5|2;B;9|1;A2;7').rows).toEqual({
      ranks: [1, 1, 2, 3],
      names: ['A', 'A2', 'B', 'C'],
      scores: [5, 7, 9, 1],
    });
  });
});

describe('createLineSplitter', () => {
  const split = (pieces: string[], longest = 10) => {
    const splitter = createLineSplitter(longest);
    return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  };

  it('returns the same lines for any chunk boundaries', () => {
    const text = 'one\ntwo\n\nthree';
    const expected = ['one', 'two', '', 'three'];
    expect(split([text])).toEqual(expected);
    expect(split([...text])).toEqual(expected);
    expect(split(['one\nt', 'wo\n', '\nthr', 'ee'])).toEqual(expected);
  });

  it('returns null for an overlong line and continues with the next line', () => {
    expect(split(['short\n', 'much too ', 'long a line\nnext'])).toEqual(['short', null, 'next']);
  });
});

describe('parsing arbitrary text', () => {
  it('never throws and returns only valid entries', () => {
    expect(() => tryMutations(1, 2000)).not.toThrow();
  });
});
