import { describe, expect, it } from 'vitest';
import { checkWords } from '../../../scripts/lib/checks/words.ts';

const problemsOf = (text: string, path = 'src/areas/a/b.ts') => checkWords(new Map([[path, text]]));

describe('checkWords', () => {
  it.each([
    ['a message', "throw new Error('the answer has no list');", 'answer'],
    ['a template', 'const text = `$' + '{name} is no list`;', 'is no list'],
    ['a test title', "it('sends a picture back', () => {});", 'picture'],
    ['a phrase in a comment', '/** None is kept. */', 'None is kept'],
    ['a pair in a comment', '/** The answer is cached. */', 'answer'],
  ])('reports a replaced wording in %s with its line', (_, text, found) => {
    expect(problemsOf(`\n${text}`)).toEqual([expect.stringContaining(`src/areas/a/b.ts:2  "${found}"`)]);
  });

  it('reports a replaced identifier', () => {
    expect(problemsOf('const MOST_ITEMS = 5;')).toEqual(['src/areas/a/b.ts:1  MOST_ITEMS: use MAX_…']);
  });

  it('reports a replaced wording in a document', () => {
    expect(problemsOf('# Title\nWhoever calls.', 'docs/a.md')).toEqual(['docs/a.md:2  "Whoever": client, account, user']);
  });

  it.each([
    ['names on the wire', "row({ answer: 'answer', picture: text('picture') });"],
    ['quoted names', "describe('the field `answer` is required');"],
    ['paths', "get('the path /v1/answers/picture exists');"],
    ['expressions', 'const text = `the value $' + '{answer} is text`;'],
    ['identifiers', 'const answer = callers();'],
  ])('ignores %s', (_, text) => expect(problemsOf(text)).toEqual([]));

  it('ignores blocks of code in a document', () => {
    expect(problemsOf('# Title\n```json\n{"answer": "an answer"}\n```\n', 'docs/a.md')).toEqual([]);
  });
});
