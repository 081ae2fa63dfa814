import type { Draft, DraftFile, ReadMod } from './tmod-tool.domain.ts';

/** What the worker does. */
export type TmodJob =
  | { kind: 'read'; file: Blob }
  | { kind: 'build'; draft: Draft<Blob> }
  | { kind: 'zip'; files: readonly DraftFile<Blob>[] }
  | { kind: 'render'; file: Blob; side: number };

export type TmodOutcome =
  | { kind: 'read'; mod: ReadMod<Blob> }
  | { kind: 'file'; file: Blob }
  | { kind: 'image'; width: number; height: number; rgba: Uint8Array | Uint8ClampedArray };

export const WORK_SCRIPT = '/ui/tools/tmod-work.js';
