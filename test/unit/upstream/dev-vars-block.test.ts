import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withBlock, withoutBlock } from '../../../scripts/lib/dev/dev-vars.ts';

const vars = { NEWS_FEED_URL: 'http://127.0.0.1:9811/feed', STREAMS_CLIENT_ID: 'demo' };

describe('.dev.vars block', () => {
  it.each(['', 'ENVIRONMENT=development', 'ENVIRONMENT=development\n', '# mine\nA=1\n\nB=2\n'])('leaves %j unchanged', (text) => {
    const changed = withBlock(text, vars);
    expect(parseEnv(changed)).toEqual({ ...parseEnv(text), ...vars });
    expect(withBlock(changed, vars)).toBe(changed);
    expect(withoutBlock(changed)).toBe(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  });

  it('keeps lines that a developer adds after it', () => {
    const text = `${withBlock('A=1\n', vars)}B=2\n`;
    expect(withoutBlock(text)).toBe('A=1\nB=2\n');
    expect(parseEnv(withBlock(text, { C: '3' }))).toEqual({ A: '1', B: '2', C: '3' });
  });

  it('is not removed when its end marker is missing', () => {
    const text = '# >>> npm run upstreams\nA=1\n';
    expect(withoutBlock(text)).toBe(text);
  });
});
