import { type ArchiveOptions, encodeDirectory, manifestText, type PackedArchives, pointerText } from './encode.ts';

/** A build on the patch network. */
export interface Build {
  versionTag: string;
  contentPath: string;
  pointer: string;
  manifest: string;
  /** Files by path in the manifest. */
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Content of a build. */
export interface BuildParts {
  versionTag: string;
  contentPath?: string;
  loose?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
  /** Archives by directory, each with its contents by name. */
  packed?: Readonly<Record<string, readonly Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>[]>>;
  options?: ArchiveOptions;
  /** Overrides of files in the manifest; null removes one. */
  override?: Readonly<Record<string, Uint8Array<ArrayBuffer> | null>>;
}

export function bytesOf(content: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? Uint8Array.from(new TextEncoder().encode(content)) : content;
}

export function makeBuild({
  versionTag,
  contentPath = 'branch/build',
  loose = {},
  packed = {},
  options,
  override = {},
}: BuildParts): Build {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [path, content] of Object.entries(loose)) files.set(path, bytesOf(content));
  for (const [dir, archives] of Object.entries(packed)) {
    const contents: PackedArchives = archives.map((archive) =>
      Object.entries(archive).map(([name, content]) => ({ name, bytes: bytesOf(content) })),
    );
    for (const [path, bytes] of encodeDirectory(dir, contents, options)) files.set(path, bytes);
  }
  for (const [path, bytes] of Object.entries(override)) {
    if (bytes === null) files.delete(path);
    else files.set(path, bytes);
  }
  return { versionTag, contentPath, pointer: pointerText(versionTag, contentPath), manifest: manifestText(versionTag, files), files };
}

/** Expected game files of a build by logical path. */
export function logicalFiles({ loose = {}, packed = {} }: Pick<BuildParts, 'loose' | 'packed'>): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [path, content] of Object.entries(loose)) files.set(path, bytesOf(content));
  for (const [dir, archives] of Object.entries(packed)) {
    for (const archive of archives) {
      for (const [name, content] of Object.entries(archive)) files.set(dir === '' ? name : `${dir}/${name}`, bytesOf(content));
    }
  }
  return files;
}
