import type { UsageRecord } from '../../src/platform/access/usage/usage-buffer.ts';

/** A finished request at an instant, with overridden fields. */
export const usageRecord = (fields: Partial<UsageRecord> & Pick<UsageRecord, 'at'>): UsageRecord => ({
  method: 'GET',
  route: '/v1/x',
  path: '/v1/x',
  status: 200,
  durationMilliseconds: 10,
  count: 1,
  ...fields,
});
