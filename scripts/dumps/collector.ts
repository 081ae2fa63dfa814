import { type Dirent, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_DUMP_BYTES as MAX_BOARD_BYTES } from '../../src/areas/leaderboards/leaderboards.data.ts';
import { MAX_DUMP_BYTES as MAX_MARKET_BYTES } from '../../src/areas/market/market.data.ts';
import { pauseAfter, type RetryPolicy } from '../../src/platform/durable/retry-policy.domain.ts';
import { integerOf, type JsonObject, objectOf, textOf } from '../../src/platform/kit/values/json-values.ts';
import { readExcerpt } from '../../src/platform/upstream/response-body.ts';
import { retryAfterSeconds } from '../../src/platform/upstream/retry.ts';
import { UserError } from '../lib/main.ts';

/** The folders of a collector; the endpoint that receives the files of each, and the size of a file that it refuses. */
export const DUMP_KINDS = {
  leaderboards: { path: '/v1/leaderboards/insert?sync=true', maxBytes: MAX_BOARD_BYTES },
  market: { path: '/v1/market/insert?', maxBytes: MAX_MARKET_BYTES },
} as const;
export type DumpKind = keyof typeof DUMP_KINDS;
const KINDS = Object.keys(DUMP_KINDS) as DumpKind[];

/** Sent and refused files move into these folders, beside the new ones. */
const SENT = 'sent';
const REFUSED = 'refused';
const REQUEST_TIMEOUT_MS = 5 * 60_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_REASON_LENGTH = 2000;
const REASON_SUFFIX = '.reason.txt';
/** Pauses of a kind when the service does not say for how long. */
const PAUSES: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 2, longestPauseSeconds: 300 };
/** A file is complete when nothing was written to it for this time, unless the options say otherwise. */
export const SETTLE_SECONDS = 10;
/** Files of other programs that are still being written, and hidden ones. */
const UNFINISHED = /^\.|\.(tmp|part|partial|crdownload)$/i;

export interface CollectorOptions {
  folder: string;
  /** Public address of the service, without a trailing slash. */
  origin: string;
  /** The token of a superuser. */
  token: string;
  settleSeconds: number;
  /** Also leaderboards that are older than 14 days. */
  backfill: boolean;
  /** Sent files are deleted after this many days; 0 keeps them. */
  keepDays: number;
  log(line: string): void;
  /** Milliseconds since 1970. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
}

interface Found {
  kind: DumpKind;
  name: string;
  modifiedMs: number;
  size: number;
}

type Outcome = { state: 'sent' | 'refused'; text: string } | { state: 'wait'; text: string; afterSeconds: number | null };

/**
 * Sends the complete files of a folder, oldest first, each with the time of its last change. A file that was taken moves to `sent`; one that
 * the service refuses moves to `refused`, with the reason in a file beside it. Whatever else fails leaves the file where it is, and the kind
 * waits: as long as the service asks, otherwise 5 s to 5 min. Sending a file twice changes nothing, so it can be stopped at any moment.
 */
export function createCollector(options: CollectorOptions) {
  const { folder, now } = options;
  /** Names and reasons of several lines would look like other lines. */
  const log = (line: string) => options.log(line.replaceAll(/[\r\n]+/g, ' '));
  /** End of the pause of each kind, and failures in a row. */
  const pauses: Record<DumpKind, { until: number; failures: number }> = {
    leaderboards: { until: 0, failures: 0 },
    market: { until: 0, failures: 0 },
  };

  for (const kind of KINDS) for (const name of [SENT, REFUSED]) mkdirSync(join(folder, kind, name), { recursive: true });

  /** The complete files of a kind, oldest first, and the number of those that may still be written. */
  function candidates(kind: DumpKind): { files: Found[]; unsettled: number } {
    const isCandidate = (entry: Dirent) => entry.isFile() && !UNFINISHED.test(entry.name);
    const found = readdirSync(join(folder, kind), { withFileTypes: true })
      .filter(isCandidate)
      .flatMap(({ name }) => {
        const stats = statSync(join(folder, kind, name), { throwIfNoEntry: false });
        return stats ? [{ kind, name, modifiedMs: stats.mtimeMs, size: stats.size }] : [];
      });
    const files = found
      .filter(({ modifiedMs }) => modifiedMs <= now() - options.settleSeconds * 1000)
      .toSorted((one, other) => one.modifiedMs - other.modifiedMs || (one.name < other.name ? -1 : 1));
    return { files, unsettled: found.length - files.length };
  }

  /** Sends what is complete. Returns the number of files that still wait, also those that may still be written. Throws UserError when the token is refused. */
  async function collect(signal: AbortSignal): Promise<number> {
    let waiting = 0;
    for (const kind of KINDS) {
      const pause = pauses[kind];
      const { files, unsettled } = candidates(kind);
      while (files.length > 0 && now() >= pause.until && !signal.aborted) {
        const file = files[0] as Found;
        const outcome = await send(file, options, signal);
        const title = `${kind}/${file.name}`;
        if (outcome.state === 'wait') {
          if (signal.aborted) break;
          pause.failures += 1;
          const backoff = (pauseAfter(PAUSES, pause.failures) ?? 0) * (0.5 + options.random() / 2);
          const ms = (outcome.afterSeconds ?? backoff) * 1000;
          pause.until = now() + ms;
          log(`${title}: ${outcome.text}; next try in ${Math.ceil(ms / 1000)} s`);
          break;
        }
        Object.assign(pause, { until: 0, failures: 0 });
        move(file, outcome);
        log(`${title}: ${outcome.state}: ${outcome.text}`);
        files.shift();
      }
      waiting += files.length + unsettled;
      removeOld(kind);
    }
    return waiting;
  }

  function move({ kind, name }: Found, { state, text }: Outcome): void {
    const target = state === 'sent' ? SENT : REFUSED;
    if (state === 'refused') writeFileSync(join(folder, kind, REFUSED, reasonFileOf(name)), `${text}\n`);
    renameSync(join(folder, kind, name), join(folder, kind, target, name));
    // The time of sending decides how long a sent file is kept.
    if (state === 'sent') utimesSync(join(folder, kind, target, name), now() / 1000, now() / 1000);
  }

  function removeOld(kind: DumpKind): void {
    if (options.keepDays === 0) return;
    const oldest = now() - options.keepDays * 86_400_000;
    for (const name of readdirSync(join(folder, kind, SENT))) {
      const file = join(folder, kind, SENT, name);
      if (statSync(file).mtimeMs < oldest) rmSync(file, { force: true });
    }
  }

  return { collect };
}

/** The name of the file with the reason. A name has at most 255 bytes; a character of it has at most three. */
function reasonFileOf(name: string): string {
  const isLong = Buffer.byteLength(name) > 255 - REASON_SUFFIX.length;
  return (isLong ? name.slice(0, 80) : name) + REASON_SUFFIX;
}

async function send({ kind, name, modifiedMs, size }: Found, options: CollectorOptions, signal: AbortSignal): Promise<Outcome> {
  const { path, maxBytes } = DUMP_KINDS[kind];
  if (size > maxBytes) return { state: 'refused', text: `the file has ${size} bytes, the limit is ${maxBytes}` };
  if (size === 0) return { state: 'refused', text: 'the file is empty' };
  const form = new FormData();
  form.set('file', new Blob([readFileSync(join(options.folder, kind, name))]), name);
  const parameters = `&timestamp=${Math.floor(modifiedMs / 1000)}${kind === 'leaderboards' && options.backfill ? '&backfill=true' : ''}`;
  let response: Response;
  let body: JsonObject;
  try {
    response = await fetch(options.origin + path + parameters, {
      method: 'POST',
      headers: { Authorization: `Bearer ${options.token}` },
      body: form,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    body = bodyOf(await readExcerpt(response, MAX_RESPONSE_BYTES));
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { state: 'wait', text: `no response (${cause instanceof Error ? cause.message : cause})`, afterSeconds: null };
  }
  return outcomeOf(response, body, Math.floor(options.now() / 1000));
}

function bodyOf(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function outcomeOf({ status, headers }: Response, body: JsonObject, now: number): Outcome {
  const message = textOf(body.message);
  const reason = (textOf(objectOf(body.error).message) ?? message ?? `status ${status}`).slice(0, MAX_REASON_LENGTH);
  if (status === 401 || status === 403) throw new UserError(`The service refuses the token: ${reason}`);
  if (status >= 200 && status < 300) {
    if (body.accepted === false) return { state: 'refused', text: reason };
    return { state: 'sent', text: message ?? `${integerOf(body.imported) ?? 0} of ${integerOf(body.parsed) ?? 0} listings imported` };
  }
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return { state: 'wait', text: reason, afterSeconds: retryAfterSeconds(headers.get('Retry-After'), now) };
  if (status >= 300 && status < 400) throw new UserError(`The service redirects (${status}): give its own address with --url.`);
  return { state: 'refused', text: reason };
}
