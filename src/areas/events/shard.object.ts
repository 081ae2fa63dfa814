import { DurableObject } from 'cloudflare:workers';
import { maxConnectionsPerShard } from './deployment.ts';
import type { Newest, StreamEvent } from './framing.domain.ts';
import { COORDINATOR, encodeEvent, encodeHello, PROBE, PROBE_ANSWER } from './shards.ts';

const NEWEST = 'newest';

/**
 * Holds the sockets of a share of all streams and passes events on. Sockets hibernate: between events the object
 * sleeps and costs nothing. All it must remember is the last event it passed on.
 */
export class EventShardObject extends DurableObject<Env> {
  /** Streams counted since the object woke up, but for those that are closing; counted afresh before anyone is refused. */
  #count: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PROBE, PROBE_ANSWER));
  }

  /** Takes a socket of a stream, or refuses with 503 when every place is taken. */
  override async fetch(): Promise<Response> {
    if (!this.#newest()) await this.#join();
    if (this.#isFull()) return new Response(null, { status: 503 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    if (this.#count !== null) this.#count += 1;
    server.send(encodeHello(this.#newest() ?? { id: 0, at: 0 }));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** Passes an event on to every socket; first whatever it missed. */
  async publish(event: StreamEvent): Promise<void> {
    await this.catchUp(event.id - 1);
    this.#send(event);
  }

  /** Passes on what it missed up to an id. A shard that never passed anything on has nobody waiting for the past. */
  async catchUp(latestId: number): Promise<void> {
    for (let known = this.#newest(); known && known.id < latestId; known = this.#newest()) {
      const page = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).eventsAfter(known.id);
      for (const event of page) if (event.id <= latestId) this.#send(event);
      // What has been pruned from the log is out of reach.
      if (this.#newest()?.id === known.id) return;
    }
  }

  /** Streams held now. */
  connections(): number {
    return this.ctx.getWebSockets().length;
  }

  override webSocketClose(socket: WebSocket): void {
    if (this.#count !== null) this.#count -= 1;
    socket.close();
  }

  /** Asking the runtime for all sockets at each connection would make a crowd of thousands quadratic. */
  #isFull(): boolean {
    const places = maxConnectionsPerShard(this.env);
    if (this.#count === null || this.#count >= places) this.#count = this.connections();
    return this.#count >= places;
  }

  #newest(): Newest | undefined {
    return this.ctx.storage.kv.get<Newest>(NEWEST);
  }

  async #join(): Promise<void> {
    const newest = await this.env.EVENT_COORDINATOR.getByName(COORDINATOR).join();
    // Meanwhile an event may have come, or another stream may have asked.
    if (!this.#newest()) this.ctx.storage.kv.put(NEWEST, newest);
  }

  /** In one synchronous turn, so that a socket taken meanwhile either has this event in its hello or gets it here. */
  #send(event: StreamEvent): void {
    const { id, at, bookmark } = event;
    if (id <= (this.#newest()?.id ?? 0)) return;
    this.ctx.storage.kv.put<Newest>(NEWEST, { id, at, ...(bookmark ? { bookmark } : {}) });
    const message = encodeEvent(event);
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send(message);
      } catch {
        // A socket that just closed: its stream ends by itself.
      }
    }
  }
}
