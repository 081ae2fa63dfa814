import { h } from '../../../../assets/ui/dom.js';
import { actionButton } from './controls.browser.ts';

interface Policy {
  createScriptURL(url: string): string;
}

/** Scripts of workers that a page may start. */
const WORK_SCRIPT = /^\/ui\/tools\/[a-z-]+-work\.js$/;

let policy: Policy | null | undefined;

/** The address as the type that the Content-Security-Policy requires. Browsers without Trusted Types take the text. */
function scriptUrl(url: string): string {
  if (!WORK_SCRIPT.test(url)) throw new TypeError(`not a script of a worker: ${url}`);
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  policy ??= trustedTypes?.createPolicy('tool-work', { createScriptURL: (text) => (WORK_SCRIPT.test(text) ? text : '') }) ?? null;
  return policy ? policy.createScriptURL(url) : url;
}

type Message<Output> = { progress: number } | { result: Output } | { error: string };

/** Runs a script of a worker with one input. `progress`: from 0 to 1. An aborted signal ends the worker at once. */
function runWork<Output>(script: string, input: unknown, progress: (share: number) => void, signal: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl(script), { type: 'module' });
    const end = () => worker.terminate();
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    worker.addEventListener('error', (event) => {
      end();
      reject(new Error(event.message || 'the calculation failed'));
    });
    worker.addEventListener('message', ({ data }: MessageEvent<Message<Output>>) => {
      if ('progress' in data) return progress(data.progress);
      end();
      if ('error' in data) reject(new Error(data.error));
      else resolve(data.result);
    });
    worker.postMessage(input);
  });
}

/** Shows the progress of long work, with a button that cancels it. */
export function createWorkPlace(label: string) {
  const bar = h('progress', { max: 1, 'aria-label': label });
  const text = h('p', { className: 'hint', role: 'status' });
  const element = h('div', { className: 'work', hidden: true });
  let running: AbortController | null = null;
  element.append(
    text,
    bar,
    actionButton('Cancel', () => running?.abort(), { className: 'work-cancel' }),
  );
  return {
    element,
    /** Ends what runs. */
    cancel: () => running?.abort(),
    /** Runs a script, after it ended what ran before. Null if it was cancelled. */
    async run<Output>(script: string, input: unknown): Promise<Output | null> {
      running?.abort();
      const own = new AbortController();
      running = own;
      text.textContent = `${label} …`;
      bar.value = 0;
      element.hidden = false;
      try {
        return await runWork<Output>(script, input, (share) => (bar.value = share), own.signal);
      } catch (error) {
        if (own.signal.aborted) return null;
        throw error;
      } finally {
        if (running === own) {
          running = null;
          element.hidden = true;
        }
      }
    },
  };
}
