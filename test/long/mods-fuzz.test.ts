import { expect, it } from 'vitest';
import { sendMutated } from '../worker/mods/mutations.ts';

it('answers ten thousand injured files and requests in form', async () => {
  const statuses = await sendMutated(10_000);
  console.log(statuses);
  expect(Object.keys(statuses)).toEqual(['200', '400', '422']);
});
