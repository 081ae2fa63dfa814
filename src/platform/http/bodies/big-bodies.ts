import { declaredLength } from './body.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** Smaller bodies need no reservation. A body of undeclared length counts as big. */
const BIG_BYTES = 1024 * 1024;

/** Bounds the big bodies that an isolate, which has little memory, holds at once. */
export interface BigBodies {
  /** Runs work that reads the body of the request. Throws 503 when the isolate has no memory left for it. */
  holding<Value>(request: Request, work: () => Promise<Value>): Promise<Value>;
}

/** `bytes`: peak memory of a request, including its body and derived data. */
export function createBigBodies(memory: MemoryBudget, bytes: number): BigBodies {
  return {
    async holding(request, work) {
      const declared = declaredLength(request);
      if (declared !== null && declared < BIG_BYTES) return work();
      const reservation = memory.open(request.signal);
      try {
        reservation.grow(bytes);
        return await work();
      } finally {
        reservation.release();
      }
    },
  };
}
