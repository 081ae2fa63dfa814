import { describe, expect, it } from 'vitest';
import { createDevOutput } from '../../../scripts/lib/dev/dev-output.ts';

function collect() {
  const lines: string[] = [];
  return { lines, output: createDevOutput((line) => lines.push(line)) };
}

describe('createDevOutput', () => {
  it('keeps the preliminaries of a good start to itself, then shows what the service logs', () => {
    const { lines, output } = collect();
    output.write('Your Worker has access to\n[wrangler:info] Ready on http://127.0.0.1:8787\n');
    expect(output.state()).toBe('ready');
    output.open();
    output.write('{"path":"/hea');
    output.write('lth"}\n[wrangler:info] GET /health 200 OK (3ms)\nplain\n');
    expect(lines).toEqual(['{"path":"/health"}', 'plain']);
  });

  it('shows everything as soon as there is an error', () => {
    const { lines, output } = collect();
    output.write('Starting\n\u001b[31mERROR\u001b[0m no such file\n');
    output.write('more\n');
    expect(lines).toEqual(['Starting', '\u001b[31mERROR\u001b[0m no such file', 'more']);
    expect(output.state()).toBe('starting');
  });

  it('notices that another program took the port', () => {
    const { output } = collect();
    output.write('\u001b[31mERROR\u001b[0m Address already in use (127.0.0.1:8787).\n');
    expect(output.state()).toBe('port-taken');
  });
});
