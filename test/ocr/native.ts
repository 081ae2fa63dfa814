import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractCharacterStats } from '../../src/areas/ocr/character-stats.domain.ts';
import { CORPUS_FOLDER, type SheetImage } from './manifest.ts';
import type { RecognisedStat } from './service.ts';

const run = promisify(execFile);
const MAX_DURATION_MS = 120_000;

/** Name and version of the installed tesseract, or null. */
export async function nativeVersion(): Promise<string | null> {
  try {
    const { stdout, stderr } = await run('tesseract', ['--version']);
    return (stdout || stderr).split('\n')[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Reads an unmodified image with tesseract and builds rows and stats from its words like the service. A failed or timed-out reading
 * has no stats.
 */
export async function readNatively(image: SheetImage): Promise<{ stats: Record<string, RecognisedStat>; milliseconds: number }> {
  const started = performance.now();
  const words = await outputFor(image);
  const milliseconds = performance.now() - started;
  return { stats: extractCharacterStats(rowsOf(words)).stats as Record<string, RecognisedStat>, milliseconds };
}

async function outputFor({ file }: SheetImage): Promise<string> {
  try {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: MAX_DURATION_MS };
    return (await run('tesseract', [join(CORPUS_FOLDER, file), 'stdout', '-l', 'eng', 'tsv'], options)).stdout;
  } catch {
    console.log(`  native tesseract failed on ${file}`);
    return '';
  }
}

interface Word {
  left: number;
  top: number;
  bottom: number;
  text: string;
}

function rowsOf(tsv: string): string[] {
  const words = tsv
    .split('\n')
    .slice(1)
    .flatMap((line): Word[] => {
      const fields = line.split('\t');
      const [left, top, , height] = fields.slice(6, 10).map(Number);
      const text = fields[11]?.trim() ?? '';
      return text === '' || left === undefined || top === undefined || height === undefined
        ? []
        : [{ left, top, bottom: top + height, text }];
    });
  const rows: { top: number; bottom: number; words: Word[] }[] = [];
  for (const word of words.toSorted((one, other) => one.top - other.top)) {
    const middle = (word.top + word.bottom) / 2;
    const row = rows.find(({ top, bottom }) => middle >= top && middle < bottom);
    if (row) row.words.push(word);
    else rows.push({ top: word.top, bottom: word.bottom, words: [word] });
  }
  return rows.map((row) =>
    row.words
      .sort((one, other) => one.left - other.left)
      .map(({ text }) => text)
      .join(' '),
  );
}
