import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hasBlock, withBlock, withoutBlock } from '../../../scripts/lib/dev/dev-vars.ts';
import { canReach } from '../../../scripts/lib/dev/mock-services.ts';

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

describe('hasBlock', () => {
  it('returns true when npm run upstreams is connected', () => {
    const connected = withBlock('A=1\n', { NEWS_FEED_URL: 'http://127.0.0.1:9811/feed' });
    expect(hasBlock(connected)).toBe(true);
    expect(hasBlock(withoutBlock(connected))).toBe(false);
  });
});
