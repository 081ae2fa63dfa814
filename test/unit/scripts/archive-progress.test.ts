import { describe, expect, it } from 'vitest';
import { createProgressPrinter } from '../../../scripts/lib/archive/progress.ts';

const MIB = 1024 * 1024;

describe('createProgressPrinter', () => {
  it('writes the first and the last line, and one every five seconds with files, bytes and remaining time', () => {
    const lines: string[] = [];
    let now = 0;
    const printer = createProgressPrinter(
      (line) => lines.push(line),
      () => now,
    );
    printer.scan({ files: 1, bytes: MIB });
    now = 6000;
    printer.scan({ files: 1000, bytes: 2 * MIB });
    for (let done = 0; done <= 1000; done += 100) {
      printer.store({ done, total: 1000, files: 2 * done, bytes: done * MIB });
      now += 20_000;
    }
    expect([...lines.slice(0, 4), lines.at(-1)]).toEqual([
      'read: 1000 files, 2.0 MiB',
      '  0 %: 0 files, 0.0 MiB',
      ' 10 %: 200 files, 100.0 MiB, 3 min 0 s left',
      ' 20 %: 400 files, 200.0 MiB, 2 min 40 s left',
      '100 %: 2000 files, 1000.0 MiB',
    ]);
  });

  it('writes nothing between two lines', () => {
    const lines: string[] = [];
    const printer = createProgressPrinter(
      (line) => lines.push(line),
      () => 0,
    );
    for (let done = 0; done < 10; done += 1) printer.store({ done, total: 10, files: done, bytes: 0 });
    expect(lines).toHaveLength(1);
  });
});
