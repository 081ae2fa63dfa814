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

interface CommandOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

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
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output, stdout }));
  });
}

/** Program files of the tools, which run with the current Node. */
export const TOOLS = {
  wrangler: inRoot('node_modules', 'wrangler', 'bin', 'wrangler.js'),
  biome: inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome'),
  vitest: inRoot('node_modules', 'vitest', 'vitest.mjs'),
  tsc: inRoot('node_modules', 'typescript', 'bin', 'tsc'),
} as const;

/** Runs wrangler. `env`: additional environment variables. Throws CommandError on failure. */
export async function runWrangler(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
  const result = await runNode(TOOLS.wrangler, args, { env });
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
