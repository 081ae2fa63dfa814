import { fetchWorker, ORIGIN } from '../../support/requests.ts';
import { pause } from './objects.ts';

/** Behaviour of a client on one connection: bytes per read, and bytes after which it disconnects. */
export interface ClientBehavior {
  bytesAtOnce: number;
  leavesAfterBytes: number;
  /** Milliseconds before the first read. */
  readDelayMs: number;
}

let clients = 0;

/** A misbehaving client that reconnects until it has received everything, as `EventSource` does. */
export class ChaosClient {
  /** Mod releases received on all connections, in order. */
  readonly releases: number[] = [];
  /** Ids of all messages outside snapshots, on all connections. */
  readonly ids: number[] = [];
  connections = 0;
  readonly #now: number;
  #lastEventId: string;
  readonly #address: string;

  /** `lastEventId`: id of the last event before the first connection. */
  constructor(now: number, lastEventId: number) {
    clients += 1;
    this.#lastEventId = String(lastEventId);
    this.#now = now;
    this.#address = `10.78.0.${clients}`;
  }

  /** Reconnects until `isDone`; the behaviour may differ per connection. */
  async run(behavior: () => ClientBehavior, isDone: (client: ChaosClient) => boolean): Promise<void> {
    while (!isDone(this)) {
      await this.#connect(behavior(), isDone).catch(() => {});
      await pause(1);
    }
  }

  async #connect(
    { bytesAtOnce, leavesAfterBytes, readDelayMs: looksAwayFor }: ClientBehavior,
    isDone: (client: ChaosClient) => boolean,
  ): Promise<void> {
    this.connections += 1;
    const abort = new AbortController();
    // One minute per connection, to stay within the rate limit.
    const headers = {
      'X-Test-Now': String(this.#now + this.connections * 60),
      'CF-Connecting-IP': this.#address,
      'Last-Event-ID': this.#lastEventId,
    };
    const response = await fetchWorker(
      new Request(`${ORIGIN}/v1/events/stream?types=mod_release,stampy`, { headers, signal: abort.signal }),
    );
    const reader = response.body?.getReader({ mode: 'byob' });
    await pause(looksAwayFor);
    let text = '';
    for (let read = 0; reader && read < leavesAfterBytes && !isDone(this); ) {
      const { value, done } = await reader.read(new Uint8Array(bytesAtOnce));
      if (done || !value) return;
      read += value.length;
      text += String.fromCharCode(...value);
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        this.#receive(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
    abort.abort();
    await reader?.cancel();
  }

  #receive(frame: string): void {
    const [, event, id, json] = /^event: (\S+)\nid: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
    if (event === undefined || id === undefined || json === undefined) return;
    this.#lastEventId = id;
    if (event !== 'mod_release') return;
    this.ids.push(Number(id));
    this.releases.push(JSON.parse(json).data.release);
  }
}
