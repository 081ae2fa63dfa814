import { describe, expect, it } from 'vitest';
import { createDevOutput } from '../../../scripts/lib/dev/dev-output.ts';

function collect() {
  const lines: string[] = [];
  return { lines, output: createDevOutput((line) => lines.push(line)) };
}

describe('createDevOutput', () => {
  it('hides the output of a successful start, then shows the log of the service', () => {
    const { lines, output } = collect();
    output.write('Your Worker has access to\n[wrangler:info] Ready on http://127.0.0.1:8787\n');
    expect(output.state()).toBe('ready');
    output.open();
    output.write('{"path":"/hea');
    output.write('lth"}\n{"level":"info","message":"mail"}\n[wrangler:info] GET /health 200 OK (3ms)\nplain\n');
    expect(lines).toEqual(['{"path":"/health"}', 'plain']);
  });

  it('shows the hidden output when an error appears', () => {
    const { lines, output } = collect();
    output.write('Starting\n\u001b[31mERROR\u001b[0m file not found\n');
    output.write('more\n');
    expect(lines).toEqual(['Starting', '\u001b[31mERROR\u001b[0m file not found', 'more']);
    expect(output.state()).toBe('starting');
  });

  describe('without network', () => {
    const REPORT = [
      '\u001b[31m✘ \u001b[41;97mERROR\u001b[0m e = rust/worker/ffi.rs:110: failed: failed to lookup address information: Temporary failure',
      '',
      '  stack: /modules/workerd-linux-64/bin/workerd@34dcea9 /modules/workerd-linux-64/bin/workerd@26b6840',
      '',
      '',
      '✘ ERROR {"level":"error","message":"job failed","job":"news-refresh","cause":"UpstreamError: news: no response, or a truncated one"}',
      '',
      '{"level":"warn","message":"probe round discarded: no anchor responds, the prober itself is offline"}',
      '',
    ].join('\n');

    it('reports unreachable services once per ten minutes instead of the stacks of the runtime', () => {
      const lines: string[] = [];
      let now = 1_000_000;
      const output = createDevOutput((line) => lines.push(line), { now: () => now });
      output.open();
      output.write(REPORT.repeat(3));
      expect(lines).toEqual([expect.stringContaining('External services cannot be reached')]);
      now += 599_000;
      output.write(REPORT);
      expect(lines).toHaveLength(1);
      now += 1000;
      output.write(REPORT);
      expect(lines).toHaveLength(2);
    });

    it('does not say that services cannot be reached while mocks replace them', () => {
      const lines: string[] = [];
      const output = createDevOutput((line) => lines.push(line), { hasMocks: true });
      output.open();
      output.write(REPORT);
      expect(lines).toEqual([expect.stringContaining('A mock service did not respond')]);
    });

    it('shows every other error of the service, without the stack of the runtime', () => {
      const { lines, output } = collect();
      output.open();
      output.write('✘ ERROR Uncaught TypeError: x is not a function\n\n  stack: /bin/workerd@34dcea9\n    at file.ts:1\n');
      expect(lines).toEqual(['✘ ERROR Uncaught TypeError: x is not a function', '', '    at file.ts:1']);
    });
  });

  it('reports that another program listens on the port', () => {
    const { output } = collect();
    output.write('\u001b[31mERROR\u001b[0m Address already in use (127.0.0.1:8787).\n');
    expect(output.state()).toBe('port-taken');
  });
});
