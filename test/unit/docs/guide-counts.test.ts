import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const GUIDES = readdirSync('docs/guide', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs/guide', name));
const NUMBER = '\\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(?:twenty|thirty|forty|fifty)[a-z-]*';
const COUNT = new RegExp(`\\b(?:${NUMBER}) (?:event types|types of events|tools)\\b`, 'gi');

describe('guides', () => {
  it.each(['README.md', ...GUIDES])('do not write numbers of tools and event types by hand: %s', (path) => {
    expect(readFileSync(path, 'utf8').match(COUNT) ?? []).toEqual([]);
  });
});
