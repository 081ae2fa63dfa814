import { describe, expect, it } from 'vitest';
import { groupChangelog, limitChangelog, parseCommits, parseTags } from '../../../src/areas/clientapp/changelog.domain.ts';
import { commit, sha, tag } from '../../support/upstreams/clientapp.ts';

const groups = (tags: unknown, commits: unknown) => groupChangelog(parseTags(tags), parseCommits(commits));
const shape = (tags: unknown, commits: unknown) =>
  groups(tags, commits).map(({ version, commits: inIt }) => [version, inIt.map(({ message }) => message)]);

describe('groupChangelog', () => {
  const commits = [1, 2, 3, 4].map((number) => commit(sha(number), `c${number}`));

  it('lists unreleased commits first and starts a group at each tagged commit', () => {
    expect(shape([tag('v2', sha(2)), tag('v1', sha(4))], commits)).toEqual([
      ['Unreleased', ['c1']],
      ['v2', ['c2', 'c3']],
      ['v1', ['c4']],
    ]);
  });

  it('returns no unreleased group if the newest commit is tagged', () => {
    expect(shape([tag('v2', sha(1))], commits)).toEqual([['v2', ['c1', 'c2', 'c3', 'c4']]]);
  });

  it.each([[[]], [null], [{ message: 'no' }]])('returns one unreleased group for the tags %j', (tags) => {
    expect(shape(tags, commits)).toEqual([['Unreleased', ['c1', 'c2', 'c3', 'c4']]]);
  });

  it('uses the first of two tags of a commit', () => {
    expect(shape([tag('v2', sha(1)), tag('v2-rc', sha(1))], commits)[0]?.[0]).toBe('v2');
  });

  it('skips commits without hash or message', () => {
    expect(shape([], [{ commit: { message: 'x' } }, { sha: 'a' }, commit('b', ' '), null, commit('c', 'kept')])).toEqual([
      ['Unreleased', ['kept']],
    ]);
    expect(groups([], [])).toEqual([]);
  });

  it.each([
    ['feat: x', 'feat'],
    ['FIX(api): x', 'fix'],
    ['feat!: x', 'feat'],
    ['feat(a)!: x', 'feat'],
    ['Merge branch x', null],
    ['https://x.example moved', null],
    ['feat (api): x', null],
  ])('classifies %s as %s', (message, type) => {
    expect(groups([], [commit(sha(1), `${message}\nmore`)])[0]?.commits[0]).toEqual({
      sha: sha(1),
      shortSha: 'a0a0a0a',
      message,
      type,
      url: `https://github.example/owner/companion/commit/${sha(1)}`,
    });
  });

  it('limits groups and commits', () => {
    const full = groups([tag('v2', sha(2))], commits);
    expect(limitChangelog(full, 0, 0)).toEqual(full);
    expect(limitChangelog(full, 1, 0)).toEqual(full.slice(0, 1));
    expect(limitChangelog(full, 0, 2).map((group) => group.commits.length)).toEqual([1, 2]);
  });
});
