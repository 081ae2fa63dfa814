/** Waits; rejects with the reason of the signal when it aborts. */
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

/** Delay before another try: doubled each time up to `max`, half of it at random, so that clients do not come back together. */
export function backoff(tries: number, first: number, max: number): number {
  const whole = Math.min(max, first * 2 ** Math.min(tries, 20));
  return whole / 2 + (Math.random() * whole) / 2;
}

/** Milliseconds that `Retry-After` asks for, as seconds or a date; null without one. */
export function retryAfter(response: Response): number | null {
  const value = response.headers.get('Retry-After');
  if (value === null) return null;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
