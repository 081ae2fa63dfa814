import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const NO_CONTENT = 204;
const BAD_REQUEST = 400;
const MAX_MESSAGE_CHARACTERS = 100_000;

/** The chat service as snippets see it: it takes messages that have a text or embeds, as the real one does. */
export interface ChatServer {
  /** A webhook of its own, and the number of messages it took. */
  createRoom(): { url: string; count: () => number };
  close(): void;
}

/** A loopback server that takes messages. */
export async function startChatServer(): Promise<ChatServer> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < MAX_MESSAGE_CHARACTERS) text += part;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      const isTaken = request.method === 'POST' && isMessage(text);
      if (isTaken) counts.set(path, (counts.get(path) ?? 0) + 1);
      response.writeHead(isTaken ? NO_CONTENT : BAD_REQUEST).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let rooms = 0;
  return {
    createRoom() {
      rooms += 1;
      const path = `/api/webhooks/${rooms}/secret`;
      return { url: `http://127.0.0.1:${port}${path}`, count: () => counts.get(path) ?? 0 };
    },
    close: () => server.close(),
  };
}

function isMessage(text: string): boolean {
  try {
    const { content, embeds } = JSON.parse(text) as { content?: unknown; embeds?: unknown };
    return (typeof content === 'string' && content !== '') || (Array.isArray(embeds) && embeds.length > 0);
  } catch {
    return false;
  }
}
