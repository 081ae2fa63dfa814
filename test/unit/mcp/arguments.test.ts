import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { lenientArguments } from '../../../src/areas/mcp/tools/arguments.domain.ts';

const SCHEMA = z.object({
  limit: z.number().int().min(1).default(5),
  name: z.string().optional(),
  image: z.boolean().default(false),
  types: z.array(z.enum(['item', 'codex'])).optional(),
  stats: z.array(z.object({ value: z.number(), boosts: z.number().optional() })).optional(),
  level: z.number().optional(),
  required: z.string().optional(),
});

describe('lenientArguments', () => {
  it.each([
    [null, {}],
    [undefined, {}],
    [{ limit: '2' }, { limit: 2 }],
    [{ limit: ' 2 ' }, { limit: 2 }],
    [{ level: '-1.5' }, { level: -1.5 }],
    [{ image: 'true' }, { image: true }],
    [{ image: 'false' }, { image: false }],
    [{ image: 'False' }, { image: false }],
    [{ name: null, limit: null }, {}],
    [{ name: 1 }, { name: '1' }],
    [{ types: '["item"]' }, { types: ['item'] }],
    [{ stats: [{ value: '8400', boosts: null }] }, { stats: [{ value: 8400 }] }],
    [{ stats: '[{"value": "1"}]' }, { stats: [{ value: 1 }] }],
    ['{"limit": "2"}', { limit: 2 }],
    // Clients write an absent value as an empty text.
    ['', {}],
    [{ types: '', stats: ' ' }, {}],
  ])('converts %j to %j', (given, expected) => {
    expect(lenientArguments(SCHEMA, given)).toEqual(expected);
  });

  it.each([
    { limit: '' },
    { limit: 'two' },
    { limit: '0x2' },
    { limit: '1e3' },
    { image: 'yes' },
    { image: 1 },
    { types: '[item' },
    { types: 'item' },
    { limit: true },
    [],
    7,
  ])('leaves %j to the schema, which refuses it', (given) => {
    expect(lenientArguments(SCHEMA, given)).toEqual(given);
    expect(SCHEMA.safeParse(lenientArguments(SCHEMA, given)).success).toBe(false);
  });

  it('leaves null to a required argument, and unknown names unchanged', () => {
    const required = z.object({ name: z.string() });
    expect(lenientArguments(required, { name: null, other: null, constructor: '1' })).toEqual({
      name: null,
      other: null,
      constructor: '1',
    });
  });
});
