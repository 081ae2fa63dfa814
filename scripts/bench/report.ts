/** Prints a row of a table of measurements; widths are characters. */
export function printRow(name: string, nameWidth: number, values: readonly (string | number)[], valueWidth: number, verdict = ''): void {
  console.log(
    `${name.padEnd(nameWidth)} ${values.map((value) => String(value).padStart(valueWidth)).join('')}${verdict && `  ${verdict}`}`,
  );
}

/** Prints measurements with a target and records a missed one in the exit code. An empty target is none. */
export type Report = (name: string, measured: string, target?: string | null, isMet?: boolean) => void;

/** Creates the report of a benchmark from the widths of its columns, in characters. */
export function createReport(nameWidth: number, valueWidth: number): Report {
  return (name, measured, target, isMet = true) => {
    printRow(name, nameWidth, [measured], valueWidth, target ? `${target.padEnd(18)} ${isMet ? 'ok' : 'MISSED'}` : '');
    if (!isMet) process.exitCode = 1;
  };
}
