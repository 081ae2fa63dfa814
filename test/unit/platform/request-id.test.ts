import { describe, expect, it } from 'vitest';
import { requestIdOf } from '../../../src/app.ts';

const idFor = (given?: string) =>
  requestIdOf(new Request('https://api.test/', given === undefined ? {} : { headers: { 'X-Request-ID': given } }));

describe('requestIdOf', () => {
  it.each(['a', 'A-b_c.9', 'x'.repeat(64)])('keeps the valid id %s', (id) => {
    expect(idFor(id)).toBe(id);
  });

  it.each([undefined, '', 'x'.repeat(65), 'a b', 'a,b', 'a/b', '<script>', 'é', '"a"'])(
    'creates an id instead of the invalid %j',
    (given) => {
      expect(idFor(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(idFor(given)).not.toBe(idFor(given));
    },
  );
});
