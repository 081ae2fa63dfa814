/** Resolves with the result of `work`, or rejects after `timeoutMs`. The work itself is not cancelled. `label` names it in the error. */
export async function withTimeout<Result>(work: Result | Promise<Result>, timeoutMs: number, label: string): Promise<Result> {
  // No `instanceof Promise`: promises of storage and RPC may belong to another realm.
  if (typeof (work as Partial<PromiseLike<Result>> | null | undefined)?.then !== 'function') return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${label} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
