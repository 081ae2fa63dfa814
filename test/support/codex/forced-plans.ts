import { createCodexesService } from '../../../src/areas/codexes/api/codexes.service.ts';
import type { CodexesStore } from '../../../src/areas/codexes/api/codexes.store.ts';
import type { Plan } from '../../../src/areas/codexes/api/entry-filter.domain.ts';

/** Query plans of a large branch; the first is the default for its size. */
export const PLANS: readonly Partial<Plan>[] = [
  {},
  { source: 'order', hasFewEntries: false, testsText: false },
  { source: 'order', hasFewEntries: false, testsText: true },
];

/** A service that always uses one plan and has no stored totals. */
export function serviceWithPlan(store: CodexesStore, forced: Partial<Plan>) {
  return createCodexesService({
    ...store,
    countEntries: (filter, plan) => store.countEntries(filter, { ...plan, ...forced }),
    readPage: async (filter, request) => ({
      ...(await store.readPage(filter, { ...request, plan: { ...request.plan, ...forced } })),
      cached: undefined,
    }),
  });
}
