import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../scripts/lib/main.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import type { SheetPlan } from './sheets.ts';

export const CORPUS_FOLDER = inRoot('.local', 'ocr-corpus');
export const MANIFEST = join(CORPUS_FOLDER, 'manifest.json');

/** An image of the corpus with its known values. */
export type SheetImage = Omit<SheetPlan, 'rows'> & {
  file: string;
  /** Every stat on the image. */
  stats: Record<string, number>;
};

export function readManifest(): SheetImage[] {
  if (!existsSync(MANIFEST)) throw new UserError('The corpus is missing: run `npm run ocr -- corpus` first.');
  return JSON.parse(readFileSync(MANIFEST, 'utf8')) as SheetImage[];
}

export function readImage({ file }: Pick<SheetImage, 'file'>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(CORPUS_FOLDER, file)));
}
