import { connect, createServer } from 'node:net';
import { UserError } from './main.ts';

export const HOST = '127.0.0.1';
const DEFAULT_PORT = 8787;

/** The port to serve on, from `PORT` or an option; empty or absent is the default. */
export function portFrom(value: string | undefined, name = 'PORT'): number {
  const text = value?.trim() ?? '';
  if (text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UserError(`${name} must be a whole number from 1 to 65535, not "${text}".`);
  return port;
}

export function baseUrlOf(port: number): string {
  return `http://${HOST}:${port}`;
}

/** Whether a server listens on the port, or it cannot be bound (no permission included). */
export async function whyPortIsUnusable(port: number): Promise<string | null> {
  if (await accepts(port)) return 'is in use by another program';
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code ?? error.message})`);
    });
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/** Refuses before anything is started: otherwise an old instance would respond in place of the new one. */
export async function requireFreePort(port: number): Promise<void> {
  const reason = await whyPortIsUnusable(port);
  if (reason === null) return;
  const other = port < 65_535 ? port + 1 : port - 1;
  throw new UserError(`Port ${port} ${reason}. Stop that program, or choose another port: npm start -- --port ${other}`);
}
