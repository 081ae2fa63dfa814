import { describe, expect, it } from 'vitest';
import { chooseLanguage, wantedLanguages, wantsEnglish } from '../../../src/areas/portal/layout/reader-language.domain.ts';

const wanted = (headers: Record<string, string>) => wantedLanguages(new Request('https://example.com', { headers }));

describe('wantedLanguages', () => {
  it.each([
    [{}, []],
    [{ 'Accept-Language': '*' }, []],
    [{ 'Accept-Language': 'de' }, ['de']],
    [{ 'Accept-Language': 'de-CH, de;q=0.9, en;q=0.8, *;q=0.5' }, ['de-ch', 'de', 'en']],
    [{ 'Accept-Language': 'en;q=0.2, fr;q=0.7,pt-BR' }, ['pt-br', 'fr', 'en']],
    [{ 'Accept-Language': 'de;q=0, fr;q=x, es' }, ['es']],
    [{ 'Accept-Language': `${'x'.repeat(5000)},<b>,de` }, ['de']],
    [{ 'Accept-Language': 'de', Cookie: 'language=fr' }, ['fr']],
    [{ 'Accept-Language': 'de', Cookie: 'a=b; language=pt-br; c=d' }, ['pt-br']],
    [{ 'Accept-Language': 'de', Cookie: 'language=' }, ['de']],
    [{ 'Accept-Language': 'de', Cookie: 'language=%3Cb%3E; mylanguage=es' }, ['de']],
  ] as [Record<string, string>, string[]][])('reads %j', (headers, tags) => {
    expect(wanted(headers)).toEqual(tags);
  });

  it('reads the first ten languages of a browser', () => {
    expect(wanted({ 'Accept-Language': Array.from({ length: 500 }, () => 'de').join(',') })).toHaveLength(10);
  });
});

describe('chooseLanguage', () => {
  const codes = ['en', 'de', 'fr', 'pt-br', 'zh-hans'];

  it.each([
    [[], undefined],
    [['de'], 'de'],
    [['de-at'], 'de'],
    [['pt'], 'pt-br'],
    [['pt-pt'], 'pt-br'],
    [['zh-hans-cn'], 'zh-hans'],
    [['sv', 'fr'], 'fr'],
    [['sv', 'en-gb', 'fr'], undefined],
    [['en', 'de'], undefined],
    [['sv'], undefined],
  ] as [string[], string | undefined][])('chooses for %j', (tags, code) => {
    expect(chooseLanguage(tags, codes)).toBe(code);
  });
});

describe('wantsEnglish', () => {
  it.each([
    [[], true],
    [['en-us', 'de'], true],
    [['de', 'en'], false],
  ] as [string[], boolean][])('says for %j', (tags, isEnglish) => {
    expect(wantsEnglish(tags)).toBe(isEnglish);
  });
});
