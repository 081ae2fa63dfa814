/** The result of some work, or an error when it takes too long. The work itself continues: it cannot be cancelled from here. */
export async function withTimeout<Result>(work: Result | Promise<Result>, milliseconds: number, what: string): Promise<Result> {
  // Promises of storage and of objects may belong to another realm.
  if (typeof (work as Partial<PromiseLike<Result>> | null | undefined)?.then !== 'function') return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
