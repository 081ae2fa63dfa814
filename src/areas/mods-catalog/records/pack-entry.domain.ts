import type { ModAddress } from './mod.domain.ts';

/** A file that was uploaded with a pack. */
export interface PackFile {
  sha256: string;
  /** Bytes. */
  size: number;
  /** File name, which ends in `.tmod`. */
  filename: string;
}

/** An entry of a pack as stored: a branch of a mod, or an uploaded file. Names are copies, for mods that are hidden later. */
export interface PackEntry extends ModAddress {
  modId: number | null;
  branch: string;
  /** Tag of a locked entry; null follows the newest release. */
  tag: string | null;
  title: string;
  author: string;
  /** Null for a mod. */
  file: PackFile | null;
}

/** A variant of a pack as stored. */
export interface PackVariant {
  name: string;
  label: string;
  entries: readonly PackEntry[];
}
