import { describe, expect, it } from 'vitest';
import { createSearch, MAX_RESULTS } from '../../../src/areas/docs/search.domain.ts';

const entry = (title: string, text = '') => ({ url: `/docs#${title}`, title, page: 'Page', text });
const titlesOf = (find: ReturnType<typeof createSearch>, query: string) => find(query).map(({ title }) => title);

describe('createSearch', () => {
  const find = createSearch([
    entry('Rate limits', 'A window of 60 s.'),
    entry('Resume the stream'),
    entry('429 rate_limited', 'Wait for Retry-After.'),
  ]);

  it('ranks a match in the title before a match in the text', () => {
    expect(titlesOf(createSearch([entry('One', 'a token here'), entry('Token')]), 'token')).toEqual(['Token', 'One']);
  });

  it('matches prefixes, typing errors, numbers and parts of error codes', () => {
    expect(titlesOf(find, 'strea')).toEqual(['Resume the stream']);
    expect(titlesOf(find, 'resumme')).toEqual(['Resume the stream']);
    expect(titlesOf(find, 'why 429')).toEqual(['429 rate_limited']);
    expect(titlesOf(find, 'limited')[0]).toBe('429 rate_limited');
  });

  it('returns no results for stop words alone and for an empty query', () => {
    expect(titlesOf(find, 'how do I get the')).toEqual([]);
    expect(titlesOf(find, '')).toEqual([]);
  });

  it('returns at most ten results and reads at most 100 characters', () => {
    const many = createSearch(Array.from({ length: 50 }, (_, n) => entry(`Token ${n}`)));
    expect(titlesOf(many, 'token')).toHaveLength(MAX_RESULTS);
    expect(titlesOf(find, `${' '.repeat(100)}stream`)).toEqual([]);
  });
});
