import { describe, expect, it, vi } from 'vitest';
import { type ObjectContracts, readReleasedContracts, unacceptedContractChanges } from '../../scripts/lib/objects/object-contracts.ts';

// The compiler checks both versions of all contracts.
vi.setConfig({ testTimeout: 60_000 });

const released = readReleasedContracts();
const text = released?.declarations.join('\n') ?? '';

/** Problems after a change of the released declarations. */
async function problemsOf(from: string | RegExp, to: string, tables = released?.tables ?? {}) {
  const changed = text.replace(from, to);
  if (from !== '') expect(changed).not.toBe(text);
  const current: ObjectContracts = { declarations: changed.split('\n'), tables };
  return released === null ? null : await unacceptedContractChanges({ ...released, accepted: {} }, current);
}

describe('contracts of objects', () => {
  it('accept an equal contract, a new method, an optional argument, an optional field and a new table', async () => {
    expect(await problemsOf('', '')).toEqual([]);
    expect(await problemsOf('        admit: ', '        added: () => number;\n        admit: ')).toEqual([]);
    expect(await problemsOf('releaseSlot: (id: string)', 'releaseSlot: (id: string, reason?: string)')).toEqual([]);
    expect(await problemsOf('callerAddress: string | [null];', 'callerAddress: string | [null];\n added?: number;')).toEqual([]);
    expect(await problemsOf('', '', { ...released?.tables, added: 'CREATE TABLE' })).toEqual([]);
  });

  it('reject a renamed RPC method and a renamed stored key', async () => {
    expect(await problemsOf('        admit: ', '        admitRequest: ')).toEqual(['TokenGateObject.rpc.admit: removed or renamed']);
    expect(await problemsOf('        entry: ', '        record: ')).toEqual(['IdempotencyObject.stored.entry: removed or renamed']);
  });

  it('reject a narrowed argument, a required argument, a required field of a result and a changed stored shape', async () => {
    const narrowed = await problemsOf('callerAddress: string | [null];', 'callerAddress: string;');
    expect(narrowed).toEqual([expect.stringMatching(/^TokenGateObject\.rpc\.admit: the released version cannot use the new one/)]);
    const required = await problemsOf('releaseSlot: (id: string)', 'releaseSlot: (id: string, reason: string)');
    expect(required).toEqual([expect.stringMatching(/^RateLimitObject\.rpc\.releaseSlot: the released version cannot use the new one/)]);
    const field = await problemsOf('isNetworkExhausted: boolean;', 'isNetworkExhausted: boolean;\n added: number;');
    expect(field).toEqual([expect.stringMatching(/^RateLimitObject\.rpc\.reserve: this version cannot use the released one/)]);
    const stored = await problemsOf('bodyHash: string;', 'bodyDigest: string;');
    expect(stored).toEqual([expect.stringMatching(/^IdempotencyObject\.stored\.entry: /)]);
  });

  it('reject a class of wrangler.toml without a contract', async () => {
    expect(await problemsOf('const BackupObject', 'const OtherObject')).toContain('BackupObject: no contract in src/object-contracts.ts');
  });

  it('reject a changed field of an object beside null, and of one in a union', async () => {
    const nullable = await problemsOf(/owner: \{(\s+)/, 'owner: {$1added: number;$1');
    expect(nullable).toEqual([expect.stringMatching(/^TokenGateObject\.stored\.token-usage: /)]);
    const united = await problemsOf(/key: string \| \{(\s+)/, 'key: string | {$1added: number;$1');
    expect(united).toEqual([expect.stringMatching(/^EventShardObject\.rpc\.request: /)]);
  });

  it('reject a removed and a changed table', async () => {
    const { events = '', ...others } = released?.tables ?? {};
    expect(await problemsOf('', '', others)).toEqual(['tables.events: removed or renamed']);
    expect(await problemsOf('', '', { ...others, events: events.replace('at INTEGER', 'time INTEGER') })).toEqual([
      'tables.events: changed: objects that exist keep the released table',
    ]);
  });
});
