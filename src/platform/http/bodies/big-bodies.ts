import { declaredLength } from './body.ts';
import { createMemoryBudget } from './memory-budget.ts';

/** Smaller bodies need no place: many of them fit. A body of undeclared length counts as big. */
const BIG_BYTES = 1024 * 1024;

/** Bounds how many big bodies an isolate, which has little memory, holds at once. */
export interface BigBodies {
  /** Runs work that reads the body of the request. Throws 503 when every place is taken. */
  holding<Value>(request: Request, work: () => Promise<Value>): Promise<Value>;
}

export function createBigBodies(places: number): BigBodies {
  const budget = createMemoryBudget(places, { refusal: 'too many large bodies are being read at once' });
  return {
    async holding(request, work) {
      const declared = declaredLength(request);
      if (declared !== null && declared < BIG_BYTES) return work();
      const reservation = budget.open(request.signal);
      try {
        reservation.grow(1);
        return await work();
      } finally {
        reservation.release();
      }
    },
  };
}
