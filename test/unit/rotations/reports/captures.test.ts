import { describe, expect, it } from 'vitest';
import { checkChallengeName, checkChaosChestName } from '../../../../src/areas/rotations/reports/reports.service.ts';

describe('checkChaosChestName and checkChallengeName', () => {
  it('trims names', () => {
    expect(checkChaosChestName('  Golden Dragon\t\n')).toEqual({ ok: true, name: 'Golden Dragon' });
    expect(checkChallengeName(' Racing Challenge ')).toEqual({ ok: true, name: 'Racing Challenge' });
  });

  it.each(['', '   ', '\n\t', ' '.repeat(500)])('rejects %j as empty', (raw) => {
    expect(checkChaosChestName(raw)).toEqual({ ok: false, fault: 'empty' });
    expect(checkChallengeName(raw)).toEqual({ ok: false, fault: 'empty' });
  });

  it.each(['none', 'None', 'NONE', ' nOnE '])('rejects %j for challenges only', (raw) => {
    expect(checkChallengeName(raw)).toEqual({ ok: false, fault: 'none' });
    expect(checkChaosChestName(raw)).toEqual({ ok: true, name: raw.trim() });
  });

  it('accepts names that contain the word none', () => {
    expect(checkChallengeName('none of this')).toEqual({ ok: true, name: 'none of this' });
  });

  it('accepts at most 200 characters after trimming', () => {
    expect(checkChaosChestName(` ${'x'.repeat(200)} `).ok).toBe(true);
    expect(checkChaosChestName('x'.repeat(201))).toEqual({ ok: false, fault: 'malformed' });
  });

  it.each(['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b'])('rejects control characters: %j', (raw) => {
    expect(checkChaosChestName(raw)).toEqual({ ok: false, fault: 'malformed' });
    expect(checkChallengeName(raw)).toEqual({ ok: false, fault: 'malformed' });
  });
});
