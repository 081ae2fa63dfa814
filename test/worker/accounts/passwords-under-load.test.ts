import { afterEach, describe, expect, it } from 'vitest';
import { createPasswords } from '../../../src/platform/access/sessions/passwords.ts';
import { heavyWork } from '../../../src/platform/kit/heavy-work.ts';

let end = () => {};
afterEach(() => end());

describe('passwords', () => {
  it('are hashed while images occupy the queue of heavy work', async () => {
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const occupied = heavyWork.run(6000, () => ended);
    await expect(heavyWork.run(100, async () => {})).rejects.toMatchObject({ code: 'service_unavailable' });
    const passwords = createPasswords({ n: 1024, r: 8, p: 1 });
    expect(await passwords.check('secret', await passwords.hash('secret'))).toEqual({ isCorrect: true, needsRehash: false });
    end();
    await occupied;
  });
});
