import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import type { RunningUpstream, UpstreamServer } from './upstream-server.ts';

/** Behaviour of a game server after the first bytes of the client. */
export const SOCKET_BEHAVIOURS = [
  'held',
  'held-after-reply',
  'drips',
  'dropped',
  'dropped-after-reply',
  'talks-then-closes',
  'floods',
  'reset',
  'refused',
] as const;
export type SocketBehaviour = (typeof SOCKET_BEHAVIOURS)[number];

const ENVIRONMENTS = ['eu', 'us', 'pts'] as const;
type Environment = (typeof ENVIRONMENTS)[number];

/** Ports of the sockets of a session. */
export type SocketPorts = Record<Environment, number>;

/** First bytes received from a client. */
export interface OpenedSocket {
  environment: Environment;
  /** Hexadecimal. */
  opener: string;
}

const HOST = '127.0.0.1';
const SESSION = /^\/~([\w-]+)(\/.*)?$/;
const DROP_MS = 30;
const DRIP_MS = 40;

const REACTIONS: Readonly<Record<SocketBehaviour, (socket: Socket) => void>> = {
  held: () => {},
  'held-after-reply': (socket) => socket.write(Buffer.alloc(39, 1)),
  drips: (socket) => {
    const timer = setInterval(() => socket.write('.'), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  },
  dropped: (socket) => setTimeout(() => socket.end(), DROP_MS),
  'dropped-after-reply': (socket) => socket.write(Buffer.alloc(39, 1), () => setTimeout(() => socket.end(), DROP_MS)),
  'talks-then-closes': (socket) => socket.end(Buffer.alloc(300, 1)),
  floods: (socket) => socket.end(Buffer.alloc(40_000, 1)),
  reset: (socket) => socket.resetAndDestroy(),
  refused: (socket) => socket.destroy(),
};

/** Starts a game socket whose behaviour can be changed. */
async function startSocket(port: number, onOpen: (opener: string) => void) {
  const sockets = new Set<Socket>();
  let behaviour: SocketBehaviour = 'held';
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', (opener) => {
      onOpen(opener.toString('hex'));
      REACTIONS[behaviour](socket);
    });
  });
  await listen(server, port);
  const boundPort = (server.address() as AddressInfo).port;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    port: boundPort,
    close,
    async behave(next: SocketBehaviour): Promise<void> {
      if (next === 'refused' && server.listening) await close();
      if (next !== 'refused' && !server.listening) await listen(server, boundPort);
      behaviour = next;
    },
  };
}

type GameSocket = Awaited<ReturnType<typeof startSocket>>;

interface Session {
  sockets: Record<Environment, GameSocket>;
  opened: OpenedSocket[];
}

async function startSession(portOf: (index: number) => number): Promise<Session> {
  const opened: OpenedSocket[] = [];
  const [eu, us, pts] = await Promise.all(
    ENVIRONMENTS.map((environment, index) => startSocket(portOf(index), (opener) => opened.push({ environment, opener }))),
  );
  return { sockets: { eu, us, pts } as Record<Environment, GameSocket>, opened };
}

/**
 * Mock of the game servers of all environments. `PUT /control {"state": {"eu": "dropped"}}` changes their behaviour, `GET /sockets`
 * returns their ports, `GET /calls` the first bytes of each connection.
 */
export const gameSocketsUpstream: UpstreamServer = { name: 'game-sockets', port: 9821, start };

async function start(port: number): Promise<RunningUpstream> {
  // With a fixed port the sockets use the following ports; tests use any free ports.
  const shared = await startSession((index) => (port === 0 ? 0 : port + 1 + index));
  const sessions = new Map<string, Promise<Session>>([['', Promise.resolve(shared)]]);
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [, name = '', path = ''] = SESSION.exec(request.url ?? '/') ?? [undefined, '', request.url ?? '/'];
    const session = sessions.get(name) ?? startSession(() => 0);
    sessions.set(name, session);
    await answer(request, response, path, await session);
  });
  await listen(server, port);
  const boundPort = (server.address() as AddressInfo).port;
  const settings = ENVIRONMENTS.flatMap((environment) => [
    [`game_status_${environment}_host`, HOST],
    [`game_status_${environment}_port`, shared.sockets[environment].port],
  ]);
  return {
    name: 'game-sockets',
    port: boundPort,
    url: `http://${HOST}:${boundPort}`,
    // Offline, no other anchor responds.
    settings: { ...Object.fromEntries(settings), game_status_anchors: `${HOST}:${boundPort}` },
    async stop() {
      server.closeAllConnections();
      server.close();
      for (const session of sessions.values()) await Promise.all(Object.values((await session).sockets).map((socket) => socket.close()));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, path: string, session: Session): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (path === '/control' && request.method === 'PUT') {
    const { state = {} } = JSON.parse(Buffer.concat(chunks).toString()) as { state?: Partial<Record<Environment, SocketBehaviour>> };
    for (const environment of ENVIRONMENTS) {
      const behaviour = state[environment];
      if (behaviour && SOCKET_BEHAVIOURS.includes(behaviour)) await session.sockets[environment].behave(behaviour);
    }
  }
  const ports = Object.fromEntries(ENVIRONMENTS.map((environment) => [environment, session.sockets[environment].port]));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(path === '/calls' ? session.opened : ports));
}

function listen(server: Pick<Server, 'listen' | 'once' | 'off'>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
