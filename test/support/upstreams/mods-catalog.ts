import { PIXEL_PNG } from '../pixel.data.ts';
import { containerOf, packed, storedStream } from '../tmod.ts';
import { httpUpstream } from './http-upstream.ts';

/** A mod in the community catalog. */
export type CommunityEntry = Readonly<Record<string, unknown>>;

interface State {
  mods: CommunityEntry[];
  /** Whether the catalog returns an array or a map of mods. */
  shape: 'list' | 'map';
  /** Files by number, in base64. */
  files: Record<string, string>;
}

/** A packed mod with one file. */
export function packedMod(title: string, author: string, content: string): string {
  const { entries, decoded } = packed([{ path: 'ui/file.swf', content: new TextEncoder().encode(content) }]);
  const properties = [
    ['title', title],
    ['author', author],
  ] as const;
  return Buffer.from(containerOf({ properties, entries, stream: storedStream(decoded) })).toString('base64');
}

/** An entry with one file. Numbers are strings, like most in the catalog. */
export function communityEntry(id: number, name: string, change: CommunityEntry = {}): CommunityEntry {
  return {
    id: String(id),
    name,
    description: `About ${name}.`,
    author: { ID: '7', Username: 'somebody' },
    image: `/images/${id}.png`,
    type: 'Wings',
    subtype: '',
    totaldownloads: String(id * 10),
    likes: String(id),
    downloads: [download(id * 100)],
    ...change,
  };
}

/** A file of an entry. */
export function download(fileId: number, change: CommunityEntry = {}): CommunityEntry {
  return {
    fileid: String(fileId),
    format: 'tmod',
    version: '1.0',
    changes: 'First.',
    date: '1700000000',
    extra: '0',
    downloads: '5',
    ...change,
  };
}

/** Mock of the community catalog of mods: the list, files by number, images. */
export const modsCatalogUpstream = httpUpstream<State>({
  name: 'mods-catalog',
  port: 9831,
  initial: () => ({
    mods: [
      communityEntry(1, 'Little Wings'),
      communityEntry(2, 'Big Boat', { type: 'Boats and Sails' }),
      communityEntry(3, 'Quiet GUI', { type: 'GUI' }),
    ],
    shape: 'list',
    files: Object.fromEntries([1, 2, 3].map((id) => [id * 100, packedMod(`Mod ${id}`, `Author ${id}`, `content ${id}`)])),
  }),
  respond({ path, query }, { mods, shape, files }) {
    if (path === '/api/mods-all') return { body: shape === 'list' ? mods : Object.fromEntries(mods.map((mod) => [`m${mod.id}`, mod])) };
    if (path.startsWith('/images/')) return { contentType: 'application/octet-stream', body: Buffer.from(PIXEL_PNG, 'base64') };
    const file = path === '/client/downloadfile.php' ? files[query.fileid ?? ''] : undefined;
    if (file === undefined) return { status: 404, body: 'not found' };
    return { contentType: 'application/octet-stream', body: Buffer.from(file, 'base64') };
  },
  wiring: (url) => ({ vars: { MODS_MIRROR_URL: url }, settings: { mods_mirror_enabled: true } }),
});
