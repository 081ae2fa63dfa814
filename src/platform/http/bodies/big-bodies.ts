import { ApiError } from '../../errors/api-error.ts';

/** Smaller bodies need no place: many of them fit. A body of undeclared length counts as big. */
const BIG_BYTES = 1024 * 1024;
const RETRY_SECONDS = 5;

/** Bounds how many big bodies an isolate, which has little memory, holds at once. */
export interface BigBodies {
  /** Runs work that reads the body of the request. Throws 503 when every place is taken. */
  holding<Value>(request: Request, work: () => Promise<Value>): Promise<Value>;
}

export function createBigBodies(places: number): BigBodies {
  let held = 0;
  return {
    async holding(request, work) {
      const declared = request.headers.get('Content-Length');
      if (declared !== null && Number(declared) < BIG_BYTES) return work();
      if (held >= places) {
        throw new ApiError('service_unavailable', 'too many large bodies are being read at once', {
          headers: { 'Retry-After': String(RETRY_SECONDS) },
        });
      }
      held += 1;
      try {
        return await work();
      } finally {
        held -= 1;
      }
    },
  };
}
