import { connect, createServer } from 'node:net';
import { UserError } from './main.ts';

export const HOST = '127.0.0.1';
const DEFAULT_PORT = 8787;

/** Parses the port of `PORT` or an option; the default if empty or absent. */
export function portFrom(value: string | undefined, name = 'PORT'): number {
  const text = value?.trim() ?? '';
  if (text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UserError(`${name} must be an integer from 1 to 65535, not "${text}".`);
  return port;
}

export function baseUrlOf(port: number): string {
  return `http://${HOST}:${port}`;
}

/** Reason why the port cannot be used: another server listens, or binding fails; null if it can. */
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
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

/** Throws if the port is in use. Called before the start, because an old instance would respond instead of the new one. */
export async function requireFreePort(port: number): Promise<void> {
  const reason = await whyPortIsUnusable(port);
  if (reason === null) return;
  const other = port < 65_535 ? port + 1 : port - 1;
  throw new UserError(`Port ${port} ${reason}. Stop that program, or choose another port: npm start -- --port ${other}`);
}
