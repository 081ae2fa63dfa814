import { describe, expect, it } from 'vitest';
import { readStartOptions } from '../../../scripts/lib/dev/start-options.ts';

describe('readStartOptions', () => {
  it.each([
    [[], undefined, { port: 8787, showsRequests: false, isDemo: true }],
    [[], '9000', { port: 9000, showsRequests: false, isDemo: true }],
    [['--port', '9001', '--log', '--no-demo'], '9000', { port: 9001, showsRequests: true, isDemo: false }],
    [['--port=9001'], undefined, { port: 9001, showsRequests: false, isDemo: true }],
  ])('reads %j with PORT=%j', (args, port, options) => expect(readStartOptions(args, port)).toEqual(options));

  it.each([
    [['--port', 'x'], /^--port must be an integer from 1 to 65535/],
    [['--prot', '1'], /Usage: npm start/],
    [['extra'], /Usage: npm start/],
  ])('throws for %j', (args, message) => expect(() => readStartOptions(args, undefined)).toThrow(message));
});
