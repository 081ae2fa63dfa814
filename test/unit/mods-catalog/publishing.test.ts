import { describe, expect, it } from 'vitest';
import { handleProblem, newSlug, scheduleProblem, zipName } from '../../../src/areas/mods-catalog/publishing/publishing.domain.ts';
import { checkOf, createTokenSecret, hasValidCheck, isWellFormedToken } from '../../../src/platform/access/tokens/token-format.ts';

describe('newSlug', () => {
  it.each([
    ['Été & Co!', [], 't-co'],
    ['!!!', [], 'mod'],
    ['!!!', ['mod'], 'mod-2'],
    ['!!!', ['mod', 'mod-2'], 'mod-3'],
    ['Tiny Wings', ['tiny-wings'], 'tiny-wings-2'],
    ['a'.repeat(70), [], 'a'.repeat(60)],
    [`${'a'.repeat(59)} b`, [], 'a'.repeat(59)],
    ['a'.repeat(70), ['a'.repeat(60)], `${'a'.repeat(58)}-2`],
  ])('derives the slug of %s beside %j as %s', (title, taken, slug) => {
    expect(newSlug(title, new Set(taken))).toBe(slug);
  });
});

describe('handleProblem', () => {
  it.each(['ana', 'a_b-c', '123', 'x'.repeat(40)])('accepts %s', (handle) => {
    expect(handleProblem(handle)).toBeNull();
  });

  it.each(['stray', 'admin', 'images', 'insert', 'support', 'packs', 'ab', 'Ana', 'a b', 'x'.repeat(41), ''])('refuses "%s"', (handle) => {
    expect(handleProblem(handle)).not.toBeNull();
  });
});

describe('scheduleProblem', () => {
  it('allows a time within 90 days', () => {
    const now = 1_773_156_630;
    expect(scheduleProblem(now + 1, now)).toBeNull();
    expect(scheduleProblem(now + 90 * 86_400, now)).toBeNull();
    expect(scheduleProblem(now, now)).toContain('future');
    expect(scheduleProblem(now + 90 * 86_400 + 1, now)).toContain('90 days');
  });
});

describe('zipName', () => {
  it('has the slug and the tag without characters that file systems refuse', () => {
    expect(zipName('tiny-wings', '1.0/beta:2')).toBe('tiny-wings-1.0beta2.zip');
  });
});

describe('project keys', () => {
  it('have the format of API tokens and another check', () => {
    const format = { prefix: 'api', key: 'test-key', previousKeys: [], verifiesCheck: true };
    const zeros = (count: number) => new Uint8Array(count);
    const key = createTokenSecret('api', 'test-key', 'bot0Example', zeros, 'project-key');
    expect(isWellFormedToken(key, 'api')).toBe(true);
    expect(checkOf('bot0Example', 'test-key')).toBe('NDnId');
    expect(checkOf('bot0Example', 'test-key', 'project-key')).not.toBe('NDnId');
    expect(hasValidCheck(key, format)).toBe(false);
    expect(hasValidCheck(key, { ...format, kind: 'project-key' })).toBe(true);
    expect(hasValidCheck(createTokenSecret('api', 'test-key', 'bot0Example', zeros), { ...format, kind: 'project-key' })).toBe(false);
  });
});
