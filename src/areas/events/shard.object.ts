import { DurableObject } from 'cloudflare:workers';
import { MAX_CONNECTIONS_PER_SHARD } from './events.data.ts';
import type { StreamEvent } from './framing.domain.ts';
import { COORDINATOR, encodeForSocket, HELLO } from './shards.ts';

const LAST_ID = 'last-id';

/**
 * Holds the sockets of a share of all streams and passes events on. Sockets hibernate: between events the object
 * sleeps and costs nothing. All it must remember is the id of the last event it passed on.
 */
export class EventShardObject extends DurableObject<Env> {
  /** Takes a socket of a stream, or refuses with 503 when every place is taken. */
  override async fetch(): Promise<Response> {
    const lastId = this.#lastId() ?? (await this.#firstId());
    if (this.ctx.getWebSockets().length >= MAX_CONNECTIONS_PER_SHARD) return new Response(null, { status: 503 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(encodeForSocket(Math.max(lastId, this.#lastId() ?? 0), HELLO, ''));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Passes an event on to every socket; first whatever it missed. */
  async publish(event: StreamEvent): Promise<void> {
    await this.catchUp(event.id - 1);
    this.#send(event);
  }

  /** Passes on what it missed up to an id. A shard that never passed anything on has nobody waiting for the past. */
  async catchUp(latestId: number): Promise<void> {
    for (let id = this.#lastId(); id !== null && id < latestId; id = this.#lastId()) {
      const page = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).eventsAfter(id);
      for (const event of page) if (event.id <= latestId) this.#send(event);
      // What has been pruned from the log is out of reach.
      if (page.length === 0 || this.#lastId() === id) return;
    }
  }

  /** Streams held now. */
  connections(): number {
    return this.ctx.getWebSockets().length;
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  #lastId(): number | null {
    return this.ctx.storage.kv.get<number>(LAST_ID) ?? null;
  }

  async #firstId(): Promise<number> {
    const latest = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).join();
    if (this.#lastId() === null) this.ctx.storage.kv.put(LAST_ID, latest);
    return latest;
  }

  /** In one synchronous turn, so that a socket taken meanwhile either has this event in its hello or gets it here. */
  #send({ id, type, text }: StreamEvent): void {
    if (id <= (this.#lastId() ?? 0)) return;
    this.ctx.storage.kv.put(LAST_ID, id);
    const message = encodeForSocket(id, type, text);
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(message);
      } catch {
        // A socket that just closed: its stream ends by itself.
      }
    }
  }
}
