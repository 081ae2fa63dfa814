import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nextToDatabase, REGIONS } from '../../../src/platform/storage/regional-objects.ts';

type Call = [name: string, options?: { locationHint?: string }];

function namespace() {
  const calls: Call[] = [];
  const objects = { getByName: (...call: Call) => calls.push(call) };
  return { calls, objects: objects as unknown as DurableObjectNamespace<Rpc.DurableObjectBranded> };
}

describe('nextToDatabase', () => {
  it.each(REGIONS)('creates objects with the hint %s', (region) => {
    const { calls, objects } = namespace();
    nextToDatabase(objects, ` ${region} `).getByName('one');
    expect(calls).toEqual([['one', { locationHint: region }]]);
  });

  it.each(['', 'mars', undefined])('gives no hint for the region %j', (region) => {
    const { calls, objects } = namespace();
    nextToDatabase(objects, region).getByName('one');
    expect(calls).toEqual([['one']]);
  });

  it('is used by everything that gets an object which works with the database', () => {
    const root = join(import.meta.dirname, '../../../src');
    const bindings = /env\.(?:EVENT_COORDINATOR|SERVICE_STATUS|BOARDS_INGEST|CODEX_INDEX|ARCHIVE_SYNC|MODS_MIRROR|WEBHOOK_SENDERS)\b/g;
    const uses = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .flatMap((name) => {
        const text = readFileSync(join(root, name), 'utf8');
        return [...text.matchAll(bindings)].map(({ index }) => ({ name, before: text.slice(0, index) }));
      });
    expect(uses.length).toBeGreaterThanOrEqual(7);
    expect(uses.filter(({ before }) => !/nextToDatabase\((?:this\.)?$/.test(before)).map(({ name }) => name)).toEqual([]);
  });
});
