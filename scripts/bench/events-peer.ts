import { createServer } from 'node:http';
import { createChannel, createSession } from 'better-sse';

/**
 * Baseline of the event stream: one process of better-sse on node:http. `GET /stream` starts with the snapshot in the variable
 * PEER_SNAPSHOT, `POST /publish` sends its body to all streams, `GET /count` returns the number of streams.
 */
const channel = createChannel();
const snapshot = JSON.parse(process.env.PEER_SNAPSHOT ?? '[]') as { type: string; data: unknown }[];

const server = createServer(async (request, response) => {
  if (request.url === '/count') {
    response.end(String(channel.sessionCount));
  } else if (request.method === 'POST') {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    channel.broadcast(JSON.parse(Buffer.concat(chunks).toString()), 'challenge');
    response.end('{}');
  } else {
    const session = await createSession(request, response, { retry: 5000, keepAlive: 20_000 });
    for (const { type, data } of snapshot) session.push(data, type);
    channel.register(session);
  }
});

server.listen(Number(process.env.PEER_PORT), '127.0.0.1', () => process.send?.('ready'));
// Exit with the benchmark.
process.on('disconnect', () => process.exit());
