const MINUTE = 60_000;
const CRON = '* * * * *';

/**
 * Triggers the Worker's scheduled handler now and at the start of every minute, because `wrangler dev` does not. Returns a function
 * that stops the ticker.
 */
export function startCronTicker(baseUrl: string, onFailure: (message: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const tick = async () => {
    const now = Date.now();
    timer = setTimeout(tick, MINUTE - (now % MINUTE));
    const query = new URLSearchParams({ cron: CRON, time: String(now) });
    try {
      const response = await fetch(`${baseUrl}/cdn-cgi/handler/scheduled?${query}`, { signal: AbortSignal.timeout(5 * MINUTE) });
      await response.arrayBuffer();
      if (!response.ok) onFailure(`cron: the scheduled handler failed (${response.status})`);
    } catch (error) {
      // Errors after the stop are expected.
      if (timer !== undefined) onFailure(`cron: ${error instanceof Error ? error.message : error}`);
    }
  };
  void tick();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
