import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';

const GUIDE = readFileSync('docs/guide/webhooks.md', 'utf8');

const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\\b[^\n]*\n(.*?)^\`\`\``, 'ms').exec(GUIDE)?.[1] ?? '';
const quoted = (name: string) => new RegExp(`['"]?${name}['"]?(?: =|:)\\s+['"](.*)['"]`).exec(blockOf('js'))?.[1] ?? '';

afterEach(() => void vi.useRealTimers());

describe('guide of signed webhooks', () => {
  it('contains a recorded request that the reference library accepts', () => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(names.map((name) => [name, quoted(name)]));
    vi.useFakeTimers({ now: Number(headers['webhook-timestamp']) * 1000, toFake: ['Date'] });
    expect(new Webhook(quoted('const secret')).verify(blockOf('json').trim(), headers)).toMatchObject({ type: 'challenge' });
  });

  it.each([
    ['js', 'node', '--input-type=module', 'body, 1773156002', 'body, 1773159999'],
    ['python', 'python3', '-', 'body, 1773156002', 'body, 1773159999'],
  ])(
    'has a %s program that verifies the request and rejects another body or an old timestamp',
    (language, command, argument, call, late) => {
      const run = (code: string) => spawnSync(command, [argument], { input: code, encoding: 'utf8' });
      const code = blockOf(language);
      expect(run(code)).toMatchObject({ status: 0, stdout: 'Racing Challenge\n' });
      expect(run(code.replace(call, late)).stderr).toContain('timestamp out of tolerance');
      expect(run(code.replace('Racing', 'Raging')).stderr).toContain('no matching signature');
    },
  );
});
