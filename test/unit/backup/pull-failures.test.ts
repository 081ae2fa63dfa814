import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pullBackup } from '../../../scripts/lib/backup/pull.ts';
import { sha256Of } from '../../../src/platform/storage/content-store.ts';

const FOLDER = 'backups/2026-11-29/';
const PIECES = ['a', 'b'].map((name) => ({ key: `${FOLDER}${name}`, bytes: Uint8Array.from(Buffer.from(`rows of ${name}`)) }));
const ENTRY = 'changes/002000000000/x';

/** A bucket with a backup of two pieces and an entry of the journal, whose request number `failing` fails. */
async function bucketFailingAt(failing: number | null): Promise<{ bucket: R2Bucket; requests: () => number }> {
  const pieces = await Promise.all(PIECES.map(async ({ key, bytes }) => ({ key, sha256: await sha256Of(bytes), bytes: bytes.length })));
  const manifest = { format: 1, startedAt: 1_900_000_000, tables: [{ name: 'users', rows: 2, pieces }], inPlace: [] };
  const objects = new Map<string, Uint8Array>([
    ...PIECES.map(({ key, bytes }) => [key, bytes] as const),
    [ENTRY, Uint8Array.from(Buffer.from('entry'))],
    [`${FOLDER}manifest.json`, Uint8Array.from(Buffer.from(JSON.stringify(manifest)))],
  ]);
  let requests = 0;
  const request = () => {
    requests += 1;
    if (requests - 1 === failing) throw new Error('the network was lost');
  };
  const bucket = {
    async list({ prefix = '', delimiter }: { prefix?: string; delimiter?: string }) {
      request();
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
      return delimiter === undefined
        ? { objects: keys.map((key) => ({ key })), delimitedPrefixes: [], truncated: false }
        : { objects: [], delimitedPrefixes: [FOLDER], truncated: false };
    },
    async get(key: string) {
      request();
      const bytes = objects.get(key);
      return bytes ? { text: async () => Buffer.from(bytes).toString(), arrayBuffer: async () => Uint8Array.from(bytes).buffer } : null;
    },
  };
  return { bucket: bucket as unknown as R2Bucket, requests: () => requests };
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pull-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('pullBackup', () => {
  it('writes the manifest only when everything is there, whichever request fails, and can be run again', async () => {
    const whole = await bucketFailingAt(null);
    await pullBackup(whole.bucket, folder);
    const manifest = join(folder, `${FOLDER}manifest.json`);
    expect(existsSync(manifest)).toBe(true);
    const count = whole.requests();
    expect(count).toBe(6);
    for (let failing = 0; failing < count; failing += 1) {
      rmSync(folder, { recursive: true });
      await expect(pullBackup((await bucketFailingAt(failing)).bucket, folder)).rejects.toThrow('the network was lost');
      expect([failing, existsSync(manifest)]).toEqual([failing, false]);
      await pullBackup((await bucketFailingAt(null)).bucket, folder);
      for (const { key, bytes } of PIECES) expect(new Uint8Array(readFileSync(join(folder, key)))).toEqual(bytes);
      expect(readFileSync(join(folder, ENTRY), 'utf8')).toBe('entry');
    }
  });
});
