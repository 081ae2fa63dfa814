import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../main.ts';
import { portFrom } from '../ports.ts';

export const START_USAGE = `Usage: npm start -- [options]

  --port <n>     port to serve on (default 8787, or the variable PORT)
  --log          one line for each request
  --game <DIR>   unpacked folder of the game instead of the demo game; repeat it for several versions, older first.
                 The name of the folder is the tag of the version
  --no-demo      neither demo data nor mock services`;

export interface StartOptions {
  port: number;
  showsRequests: boolean;
  /** Whether to fill an empty database with demo data and mock unreachable external services. */
  isDemo: boolean;
  /** Unpacked folders of the game, older first; empty: the demo game. */
  games: readonly GameFolder[];
}

/** An unpacked folder of the game. */
export interface GameFolder {
  dir: string;
  /** Tag of its version. */
  tag: string;
}

/** Parses the command line of `npm start`. `--port` overrides the variable PORT. */
export function readStartOptions(args: readonly string[], portVariable: string | undefined): StartOptions {
  const values = parse(args);
  return {
    port: values.port === undefined ? portFrom(portVariable) : portFrom(values.port, '--port'),
    showsRequests: values.log ?? false,
    isDemo: !values['no-demo'],
    games: toGameFolders(values.game ?? []),
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      port: { type: 'string' },
      log: { type: 'boolean' },
      'no-demo': { type: 'boolean' },
      game: { type: 'string', multiple: true },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n\n${START_USAGE}`);
  }
}

/** Folders of `--game` with the tags of their versions. */
export function toGameFolders(dirs: readonly string[]): GameFolder[] {
  return dirs.map((dir) => ({ dir: resolve(dir), tag: basename(resolve(dir)) }));
}
