import { evictAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { emptyStorage } from '../../support/migrated-database.ts';

it('empties objects that the runtime evicted', async () => {
  const stub = () => env.SERVICE_STATUS.getByName('status');
  for (let round = 0; round < 2; round += 1) {
    expect(await runInDurableObject(stub(), (_, { storage }) => storage.get('key'))).toBeUndefined();
    await runInDurableObject(stub(), (_, { storage }) => storage.put('key', 'value'));
    await evictAllDurableObjects();
    await emptyStorage();
  }
  expect(await runInDurableObject(stub(), (_, { storage }) => storage.get('key'))).toBeUndefined();
});
