import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { UserError } from './main.ts';
import { inRoot, ROOT } from './paths.ts';

export interface CommandResult {
  code: number;
  /** Standard output and standard error, interleaved. */
  output: string;
  stdout: string;
}

/** Disables network requests of wrangler and Miniflare: telemetry, and the download of a sample `request.cf`. */
export const TOOL_ENV: Readonly<Record<string, string>> = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

/** Sets this environment for tools that run inside this process, with warnings only. Commands that it starts inherit it. */
export function quietTools(): void {
  Object.assign(process.env, TOOL_ENV, { WRANGLER_LOG: 'warn' });
}

interface CommandOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The command is stopped after this time, with a line in its output. Without it, it may take any time. */
  timeoutMs?: number;
}

/** Exit code of a command that was stopped after its time, as of the program `timeout`. */
const TIMED_OUT = 124;

/** Runs a Node program of the checkout without a terminal and collects its output. */
export function runNode(program: string, args: readonly string[], options?: CommandOptions): Promise<CommandResult> {
  return runCommand(process.execPath, [program, ...args], options);
}

/** Runs a command without a terminal and collects its output. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...TOOL_ENV, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env },
    });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    let timer: NodeJS.Timeout | undefined;
    const { timeoutMs } = options;
    const stop = () => {
      child.kill();
      // A process of the command may keep the pipes open.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ code: TIMED_OUT, output: `${output}\nstopped: no end after ${Math.round((timeoutMs ?? 0) / 1000)} s`, stdout });
    };
    if (timeoutMs !== undefined) timer = setTimeout(stop, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, stdout });
    });
  });
}

/** Program files of the tools, which run with the current Node. */
export const TOOLS = {
  wrangler: inRoot('node_modules', 'wrangler', 'bin', 'wrangler.js'),
  biome: inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome'),
  vitest: inRoot('node_modules', 'vitest', 'vitest.mjs'),
  tsc: inRoot('node_modules', 'typescript', 'bin', 'tsc'),
} as const;

/** Runs wrangler. `env`: additional environment variables. Throws CommandError on failure, and after `timeoutMs`. */
export async function runWrangler(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  timeoutMs?: number,
): Promise<CommandResult> {
  // A lower level, such as that of a runtime that this process started, hides the results too.
  const withResults = { WRANGLER_LOG: 'log', ...env };
  const result = await runNode(TOOLS.wrangler, args, { env: withResults, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  if (result.code !== 0) throw new CommandError(`wrangler ${args.slice(0, 3).join(' ')} failed`, result.output);
  return result;
}

/** A failed command, with its output, which says more than a stack of this process. */
export class CommandError extends UserError {
  readonly output: string;

  constructor(message: string, output: string) {
    super(`${message}\n${readable(output)}`);
    this.output = output;
  }
}

/** Output without colours, stacks, the address of another project's issues, and repeated empty lines. */
function readable(output: string): string {
  const isNoise = (line: string) => /^\s+at .+:\d+:\d+\)?$|^\s*If you think this is a bug/.test(line);
  const lines = stripVTControlCharacters(output).split('\n');
  return lines
    .filter((line) => !isNoise(line))
    .join('\n')
    .replaceAll(/\n\s*\n\s*\n+/g, '\n\n')
    .trim();
}
