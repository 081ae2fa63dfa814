import { describe, expect, it } from 'vitest';
import { readStartOptions } from '../../../scripts/lib/dev/start-options.ts';

describe('readStartOptions', () => {
  it.each([
    [[], undefined, { port: 8787, showsRequests: false, isDemo: true, games: [] }],
    [[], '9000', { port: 9000, showsRequests: false, isDemo: true, games: [] }],
    [['--port', '9001', '--log', '--no-demo'], '9000', { port: 9001, showsRequests: true, isDemo: false, games: [] }],
    [['--port=9001'], undefined, { port: 9001, showsRequests: false, isDemo: true, games: [] }],
    [
      ['--game', '/games/247/', '--game', '/games/252'],
      undefined,
      {
        port: 8787,
        showsRequests: false,
        isDemo: true,
        games: [
          { dir: '/games/247', tag: '247' },
          { dir: '/games/252', tag: '252' },
        ],
      },
    ],
  ])('reads %j with PORT=%j', (args, port, options) => expect(readStartOptions(args, port)).toEqual(options));

  it.each([
    [['--port', 'x'], /^--port must be an integer from 1 to 65535/],
    [['--prot', '1'], /Usage: npm start/],
    [['extra'], /Usage: npm start/],
  ])('throws for %j', (args, message) => expect(() => readStartOptions(args, undefined)).toThrow(message));
});
