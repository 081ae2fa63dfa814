/** Waits. Rejects with the signal's reason when it aborts. */
export function wait(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Delay before the next attempt: exponential up to `max`, half of it random, so clients do not retry simultaneously. */
export function backoff(attempts: number, first: number, max: number): number {
  const full = Math.min(max, first * 2 ** Math.min(attempts, 20));
  return full / 2 + (Math.random() * full) / 2;
}

/** Value of `Retry-After` (seconds or a date) in milliseconds; null without the header. */
export function retryAfter(response: Response): number | null {
  const value = response.headers.get('Retry-After');
  if (value === null) return null;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
