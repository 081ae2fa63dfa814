import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hasBlock, withBlock, withoutBlock } from '../../../scripts/lib/dev/dev-vars.ts';
import { canReach, startOnOwnPort } from '../../../scripts/lib/dev/mock-services.ts';
import { newsUpstream } from '../../support/upstreams/news.ts';

describe('canReach', () => {
  it('returns true for a port that listens and false for one that does not', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    await expect(canReach({ host: '127.0.0.1', port })).resolves.toBe(true);
    await new Promise((resolve) => server.close(resolve));
    await expect(canReach({ host: '127.0.0.1', port })).resolves.toBe(false);
  });
});

describe('startOnOwnPort', () => {
  it('uses the port of the mock, and a free one while another program listens on it', async () => {
    const free = await newsUpstream.start(0);
    await free.stop();
    const spec = { ...newsUpstream, port: free.port };
    const first = await startOnOwnPort(spec);
    const second = await startOnOwnPort(spec);
    expect(first.port).toBe(free.port);
    expect(second.port).not.toBe(free.port);
    await Promise.all([first.stop(), second.stop()]);
  });
});

describe('hasBlock', () => {
  it('returns true when npm run upstreams is connected', () => {
    const connected = withBlock('A=1\n', { NEWS_FEED_URL: 'http://127.0.0.1:9811/feed' });
    expect(hasBlock(connected)).toBe(true);
    expect(hasBlock(withoutBlock(connected))).toBe(false);
  });
});
