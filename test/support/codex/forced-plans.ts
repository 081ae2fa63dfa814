import type { CodexesRepository } from '../../../src/areas/codexes/api/codexes.repository.ts';
import { createCodexesService } from '../../../src/areas/codexes/api/codexes.service.ts';
import type { Plan } from '../../../src/areas/codexes/api/entry-filter.domain.ts';

/** Query plans of a large branch; the first is the default for its size. */
export const PLANS: readonly Partial<Plan>[] = [
  {},
  { source: 'order', isFew: false, isTextTested: false },
  { source: 'order', isFew: false, isTextTested: true },
];

/** A service that always uses one plan and has no stored totals. */
export function serviceWithPlan(repository: CodexesRepository, forced: Partial<Plan>) {
  return createCodexesService({
    ...repository,
    count: (filter, plan) => repository.count(filter, { ...plan, ...forced }),
    page: (filter, plan, sort, page) => repository.page(filter, { ...plan, ...forced }, sort, page),
    total: async () => undefined,
  });
}
