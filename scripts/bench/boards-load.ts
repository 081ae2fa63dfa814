import type { RunningBundle } from '../lib/bundle.ts';

const POLL_MS = 25;
const TIMEOUT_MS = 300_000;

/** The measured service, with the operations of a bot and of a client. */
export interface BoardsTarget {
  bundle: RunningBundle;
  /** Sends a dump. Returns the milliseconds to the response. */
  insert(dump: string, anchor: number, query?: string): Promise<number>;
  /** Waits until an anchor can be read. */
  untilVisible(anchor: number): Promise<void>;
  /** Waits until the queue is empty. */
  untilIdle(): Promise<void>;
  /** Reads a path below `/v1/leaderboards`. Returns milliseconds and body. */
  read(path: string): Promise<{ milliseconds: number; body: Record<string, unknown> }>;
  /** Runs the job that packs and deletes. */
  repack(): Promise<void>;
}

interface IngestObject {
  isIdle(): Promise<boolean>;
}

async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function boardsTarget(bundle: RunningBundle): Promise<BoardsTarget> {
  const origin = bundle.directUrl ?? bundle.url;
  const master = { Authorization: `Bearer ${await bundle.mintToken({ superuser: true })}` };
  const reader = { Authorization: `Bearer ${await bundle.mintToken()}` };
  const objects = await bundle.mf.getDurableObjectNamespace('BOARDS_INGEST');
  const ingest = () => objects.get(objects.idFromName('ingest')) as unknown as IngestObject;

  async function timed(path: string, init: RequestInit) {
    const started = performance.now();
    const response = await fetch(`${origin}${path}`, init);
    const text = await response.text();
    const milliseconds = performance.now() - started;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return { milliseconds, body: JSON.parse(text) as Record<string, unknown> };
  }

  const target: BoardsTarget = {
    bundle,
    async insert(dump, anchor, query = '') {
      const form = new FormData();
      form.append('file', new File([dump], 'leaderboards.cfg', { type: 'text/plain' }));
      // Encoded before the measurement, to measure only the service.
      const encoded = new Response(form);
      const headers = { ...master, 'Content-Type': encoded.headers.get('Content-Type') ?? '' };
      const body = await encoded.arrayBuffer();
      const path = `/v1/leaderboards/insert?backfill=true&timestamp=${anchor}${query}`;
      return (await timed(path, { method: 'POST', headers, body })).milliseconds;
    },
    untilVisible: (anchor) =>
      until(async () => {
        const row = await bundle.database.prepare('SELECT 1 FROM board_captures WHERE anchor = ?').bind(anchor).first();
        return row !== null;
      }, `capture ${anchor}`),
    untilIdle: () => until(() => ingest().isIdle(), 'the queue'),
    read: (path) => timed(`/v1/leaderboards${path}`, { headers: reader }),
    async repack() {
      await timed('/admin/jobs/leaderboards-retention/run', { method: 'POST', headers: master });
      await new Promise((resolve) => setTimeout(resolve, 500));
      await target.untilIdle();
    },
  };
  return target;
}
