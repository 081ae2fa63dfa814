import { describe, expect, it } from 'vitest';
import {
  createSealingKeyPair,
  fingerprintOf,
  isPublicKey,
  readSignedRecord,
  seal,
  signRecord,
  unseal,
} from '../../../src/platform/storage/sealed-box.ts';

const keys = await createSealingKeyPair();
const text = new TextEncoder().encode('a row');

describe('sealed box', () => {
  it('opens with the private key, under its own name only', async () => {
    const box = await seal(keys.publicKey, 'one', text);
    expect(new TextDecoder().decode(await unseal(keys, 'one', box))).toBe('a row');
    await expect(unseal(keys, 'other', box)).rejects.toThrow('other cannot be decrypted');
    await expect(unseal(await createSealingKeyPair(), 'one', box)).rejects.toThrow('sealed to another key');
    await expect(unseal(keys, 'one', box.with(box.length - 1, 1 - (box.at(-1) ?? 0)))).rejects.toThrow('it is damaged');
    await expect(unseal(keys, 'one', new Uint8Array(5))).rejects.toThrow('is not a sealed box');
  });

  it('differs each time', async () => {
    expect(await seal(keys.publicKey, 'one', text)).not.toEqual(await seal(keys.publicKey, 'one', text));
  });

  it('recognizes a public key', () => {
    expect([keys.publicKey, '', 'key', keys.privateKey, `${keys.publicKey} `].map(isPublicKey)).toEqual([true, false, false, false, false]);
  });
});

describe('signed record', () => {
  it('is read with the same secret only, and unchanged only', () => {
    const signed = signRecord('secret', { a: 1, b: [null] });
    expect(readSignedRecord('secret', signed)).toEqual({ a: 1, b: [null] });
    expect(readSignedRecord('other', signed)).toBeNull();
    expect(readSignedRecord('secret', signed.replace('1', '2'))).toBeNull();
    expect(readSignedRecord('secret', '{"a":1}')).toBeNull();
  });
});

it('fingerprints differ by name and by secret; an absent secret has none', () => {
  expect(new Set([fingerprintOf('A', 'x'), fingerprintOf('B', 'x'), fingerprintOf('A', 'y')]).size).toBe(3);
  expect([fingerprintOf('A', ''), fingerprintOf('A', null)]).toEqual([null, null]);
});
