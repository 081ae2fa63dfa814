import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions, UserError } from '../lib/main.ts';
import { SETTLE_SECONDS } from './collector.ts';

const KEEP_DAYS = 14;

const DUMPS_WATCH_USAGE = `Usage: npm run dumps -- watch FOLDER --url URL [options]

Sends the files of FOLDER/leaderboards and FOLDER/market to the service, oldest first, and moves them to "sent", or to "refused" with the
reason. The token of a superuser comes from the variable GAME_DATA_SUPERUSER_TOKEN or from --token-file.

  --url URL            public address of the service
  --token-file FILE    file with the token
  --settle SECONDS     a file is complete when it has not changed for this time; default: ${SETTLE_SECONDS}
  --keep-days DAYS     delete sent files after this time; 0 keeps them; default: ${KEEP_DAYS}
  --backfill           also leaderboards that are older than 14 days
  --once               end when nothing is left to send, instead of waiting for new files`;

interface DumpsWatchOptions {
  folder: string;
  origin: string;
  token: string;
  settleSeconds: number;
  keepDays: number;
  backfill: boolean;
  once: boolean;
}

/** Parses the command line. Throws UserError. */
export function parseDumpsWatchOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): DumpsWatchOptions {
  const { values, positionals } = parseOptions(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'token-file': { type: 'string' },
        settle: { type: 'string' },
        'keep-days': { type: 'string' },
        backfill: { type: 'boolean' },
        once: { type: 'boolean' },
      },
    },
    DUMPS_WATCH_USAGE,
  );
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UserError(DUMPS_WATCH_USAGE);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`);
  const url = URL.parse(values.url ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) throw new UserError(`--url must be the address of the service.\n\n${DUMPS_WATCH_USAGE}`);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal) throw new UserError('--url must be https: the token would be readable on the way.');
  return {
    folder: resolve(folder),
    origin: url.origin,
    token: tokenIn(values['token-file'], env),
    settleSeconds: numberIn('--settle', values.settle, SETTLE_SECONDS),
    keepDays: numberIn('--keep-days', values['keep-days'], KEEP_DAYS),
    backfill: values.backfill ?? false,
    once: values.once ?? false,
  };
}

function tokenIn(file: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  if (file !== undefined && !existsSync(file)) throw new UserError(`--token-file: ${file} does not exist.`);
  const token = (file === undefined ? env.GAME_DATA_SUPERUSER_TOKEN : readFileSync(file, 'utf8'))?.trim();
  if (!token) throw new UserError('Set GAME_DATA_SUPERUSER_TOKEN, or give a file with --token-file.');
  return token;
}

function numberIn(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,5}$/.test(text)) throw new UserError(`${option} must be a whole number from 0 to 99999, not "${text}".`);
  return Number(text);
}
