import { connect, type Socket } from 'node:net';

export interface StreamAddress {
  host: string;
  port: number;
  path: string;
}

/** Maximum connections that open in parallel. */
const OPENING = 100;
const OPEN_MS = 60_000;
/** Characters kept of the previous chunk, to find a marker that is split across two chunks. */
const MARKER_CHARACTERS = 64;

interface Client {
  socket: Socket;
  tail: string;
  isPrimed: boolean;
  isOpen: boolean;
}

/**
 * Many clients of an event stream over raw sockets, which add little load to the measurement. A client counts as open once it has
 * received the end of its snapshot.
 */
export class Swarm {
  readonly #address: StreamAddress;
  readonly #primedBy: string;
  readonly #clients: Client[] = [];
  #marker: string | null = null;
  #arrivals: number[] = [];
  #arrived: (() => void) | null = null;

  constructor(address: StreamAddress, primedBy: string) {
    this.#address = address;
    this.#primedBy = primedBy;
  }

  get size(): number {
    return this.#clients.filter(({ isOpen }) => isOpen).length;
  }

  /** Opens clients until there are `count`. */
  async grow(count: number): Promise<void> {
    let missing = count - this.#clients.length;
    const opener = async () => {
      for (; missing > 0; await this.#open()) missing -= 1;
    };
    await Promise.all(Array.from({ length: OPENING }, opener));
  }

  /** Runs `act`, then waits until every client has received `marker` or the timeout expires. Returns the time of each receipt. */
  async expect(marker: string, milliseconds: number, act: () => Promise<void>): Promise<number[]> {
    this.#marker = marker;
    this.#arrivals = [];
    const all = new Promise<void>((resolve) => {
      this.#arrived = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await act();
    await Promise.race([all, timeout]);
    clearTimeout(timer);
    this.#marker = null;
    return this.#arrivals;
  }

  /** Disconnects clients with a reset, like a crashed program, or with a close, like a closed tab. */
  kill(count: number, how: 'reset' | 'close'): void {
    for (const { socket } of this.#clients.splice(0, count)) {
      socket.removeAllListeners('data');
      if (how === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  #open(): Promise<void> {
    const { host, port, path } = this.#address;
    const socket = connect({ host, port, noDelay: true });
    const client: Client = { socket, tail: '', isPrimed: false, isOpen: true };
    this.#clients.push(client);
    // 100 addresses, as behind a proxy: the rate limiter has one object per address.
    const address = `10.9.0.${1 + (this.#clients.length % 100)}`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAccept: text/event-stream\r\nCF-Connecting-IP: ${address}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('a stream did not open in time')), OPEN_MS);
      socket.on('error', reject);
      socket.on('close', () => {
        client.isOpen = false;
      });
      socket.on('data', (chunk) => {
        this.#receive(client, chunk.toString('latin1'));
        if (!client.isPrimed) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #receive(client: Client, chunk: string): void {
    const text = client.tail + chunk;
    if (!client.isPrimed) client.isPrimed = text.includes(this.#primedBy);
    if (this.#marker !== null && text.includes(this.#marker)) {
      this.#arrivals.push(performance.now());
      client.tail = '';
      if (this.#arrivals.length === this.#clients.length) this.#arrived?.();
    } else {
      client.tail = text.slice(-MARKER_CHARACTERS);
    }
  }
}
