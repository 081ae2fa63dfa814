import { h, sizeText } from '../../../../assets/ui/dom.js';
import { createWorkPlace } from '../frame/work.browser.ts';
import { type TmodJob, type TmodOutcome, WORK_SCRIPT } from './tmod-jobs.browser.ts';
import { hexDump, kindOf } from './tmod-tool.domain.ts';

const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const MAX_IMAGE_SIDE = 512;
const MAX_TEXT_BYTES = 64 * 1024;
const HEX_BYTES = 256;
const MODEL_SIDE = 320;

/** What a file looks like: an image, a drawn model, the start of a text, or its first bytes. */
export function fileView(path: string, content: Blob): HTMLElement {
  const place = h('div', { className: 'file-view', 'aria-busy': 'true' });
  const fill = (...elements: HTMLElement[]) => {
    place.replaceChildren(...elements);
    place.removeAttribute('aria-busy');
  };
  const work = {
    image: () => image(content, path),
    model: () => model(content, path, place),
    text: () => text(content),
    other: () => bytes(content),
  };
  work[kindOf(path)]().then(
    (elements) => fill(...elements),
    async (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      fill(h('p', { className: 'error' }, `This file cannot be shown: ${message}.`), ...(await bytes(content)));
    },
  );
  return place;
}

async function image(content: Blob, path: string): Promise<HTMLElement[]> {
  if (content.size > MAX_IMAGE_BYTES) throw new Error(`images above ${sizeText(MAX_IMAGE_BYTES)} are not drawn`);
  const whole = await createImageBitmap(content).catch(() => {
    throw new Error('it is not an image that browsers read');
  });
  const scale = Math.min(1, MAX_IMAGE_SIDE / Math.max(whole.width, whole.height));
  const canvas = canvasOf(Math.max(1, Math.round(whole.width * scale)), Math.max(1, Math.round(whole.height * scale)), path);
  canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height);
  const text = `${whole.width} × ${whole.height} pixels`;
  whole.close();
  return [canvas, h('p', { className: 'hint' }, text)];
}

async function model(content: Blob, path: string, place: HTMLElement): Promise<HTMLElement[]> {
  const work = createWorkPlace('Drawing the model');
  place.replaceChildren(work.element);
  const job: TmodJob = { kind: 'render', file: content, side: MODEL_SIDE };
  const outcome = await work.run<TmodOutcome>(WORK_SCRIPT, job);
  if (outcome?.kind !== 'image') return [h('p', { className: 'hint' }, 'Drawing was cancelled.')];
  const canvas = canvasOf(outcome.width, outcome.height, path);
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(outcome.rgba), outcome.width, outcome.height), 0, 0);
  return [canvas];
}

function canvasOf(width: number, height: number, path: string): HTMLCanvasElement {
  return h('canvas', { width, height, role: 'img', 'aria-label': `Preview of ${path}` });
}

async function text(content: Blob): Promise<HTMLElement[]> {
  const shown = await content.slice(0, MAX_TEXT_BYTES).text();
  const rest = content.size > MAX_TEXT_BYTES ? [h('p', { className: 'hint' }, `The first ${sizeText(MAX_TEXT_BYTES)}.`)] : [];
  return [preOf(shown, 'Text'), ...rest];
}

async function bytes(content: Blob): Promise<HTMLElement[]> {
  const start = new Uint8Array(await content.slice(0, HEX_BYTES).arrayBuffer());
  const rest = content.size > HEX_BYTES ? [h('p', { className: 'hint' }, `The first ${HEX_BYTES} bytes.`)] : [];
  return [start.length === 0 ? h('p', { className: 'hint' }, 'The file is empty.') : preOf(hexDump(start), 'Bytes'), ...rest];
}

const preOf = (content: string, label: string) => h('pre', { tabIndex: 0, role: 'region', 'aria-label': label }, h('code', {}, content));

/** Saves a blob as a file. */
export function saveBlob(content: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
