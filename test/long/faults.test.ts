import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import '../contract/prepare.ts';
import { injector } from '../faults/entry.ts';
import { tryFaults, withoutPauses } from '../faults/fault-checks.ts';
import { ENDPOINTS, titleOf } from '../support/endpoints.ts';

let restore = () => {};
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  restore = withoutPauses();
});
afterAll(() => restore());

describe('a fault of the platform', () => {
  it.each(ENDPOINTS.map((endpoint) => ({ title: titleOf(endpoint), endpoint })))(
    'never makes $title a 500, and never does it twice',
    async ({ endpoint }) => {
      expect((await tryFaults(injector, endpoint)).problems).toEqual([]);
    },
    600_000,
  );
});
