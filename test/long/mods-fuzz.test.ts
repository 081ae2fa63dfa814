import { expect, it } from 'vitest';
import { sendMutated } from '../worker/mods/mutations.ts';

it('returns a documented response for 10,000 damaged mod files and requests', async () => {
  const statuses = await sendMutated(10_000);
  console.log(statuses);
  expect(Object.keys(statuses)).toEqual(['200', '400', '422']);
});
