import { parseArgs } from 'node:util';
import { UserError } from '../main.ts';
import { portFrom } from '../ports.ts';

export const START_USAGE = `Usage: npm start -- [options]

  --port <n>     port to serve on (default 8787, or the variable PORT)
  --log          one line for each request
  --no-demo      neither demo data nor mock services`;

export interface StartOptions {
  port: number;
  showsRequests: boolean;
  /** Whether to fill an empty database with demo data and mock unreachable external services. */
  isDemo: boolean;
}

/** Parses the command line of `npm start`. `--port` overrides the variable PORT. */
export function readStartOptions(args: readonly string[], portVariable: string | undefined): StartOptions {
  const values = parse(args);
  return {
    port: values.port === undefined ? portFrom(portVariable) : portFrom(values.port, '--port'),
    showsRequests: values.log ?? false,
    isDemo: !values['no-demo'],
  };
}

function parse(args: readonly string[]) {
  try {
    const options = { port: { type: 'string' }, log: { type: 'boolean' }, 'no-demo': { type: 'boolean' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n\n${START_USAGE}`);
  }
}
