/** Pause between two reports of progress, in milliseconds. */
const REPORT_EVERY_MS = 50;

/** In a worker: does the work of the first message. `progress` may be called often; few calls are reported. */
export function serveWork<Input, Output>(work: (input: Input, progress: (share: number) => void) => Output | Promise<Output>): void {
  let reported = 0;
  const progress = (share: number) => {
    const now = performance.now();
    if (now - reported < REPORT_EVERY_MS) return;
    reported = now;
    postMessage({ progress: share });
  };
  addEventListener('message', async ({ data }: MessageEvent<Input>) => {
    try {
      postMessage({ result: await work(data, progress) });
    } catch (error) {
      postMessage({ error: error instanceof Error ? error.message : String(error) });
    }
  });
}
