import { declaredLength } from './body.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** Minimum size of a body that needs a reservation, in bytes. A body of undeclared length always needs one. */
const BIG_BYTES = 1024 * 1024;

/** Limits the large bodies that an isolate holds in memory at the same time. */
export interface BigBodies {
  /** Runs work that reads the body of the request. Throws 503 when the isolate has too little memory left. */
  withReservation<Value>(request: Request, work: () => Promise<Value>): Promise<Value>;
}

/** `bytes`: peak memory of a request in bytes, including its body and derived data. */
export function createBigBodies(memory: MemoryBudget, bytes: number): BigBodies {
  return {
    async withReservation(request, work) {
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
