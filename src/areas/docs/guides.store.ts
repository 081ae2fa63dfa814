import { BoundedMap } from '../../platform/storage/memory-caches.ts';

/** Index entry of a guide for menu and search, written by the build (`scripts/lib/docs`). */
export interface GuideEntry {
  /** Path below `/docs/`. */
  name: string;
  title: string;
  description: string;
  section: 'Guides' | 'Recipes';
  /** Headings of the second level. */
  headings: readonly { id: string; text: string }[];
  sections: readonly { id: string; title: string; text: string }[];
}

/** Base URL in the sources of guides. Pages replace it by their own. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:8787';

const KEPT_PAGES = 64;
/** The binding ignores the origin. */
const FOLDER = 'https://assets.invalid/docs/guide';

export type Guides = ReturnType<typeof createGuides>;

/** The guides, which the build renders to static assets. */
export function createGuides(assets: Fetcher) {
  const pages = new BoundedMap<string, string>(KEPT_PAGES);
  // Assets are part of the deployment, so they are read once per isolate.
  let index: readonly GuideEntry[] | null = null;

  async function read<Value>(name: string): Promise<Value> {
    const response = await assets.fetch(`${FOLDER}/${name}.json`);
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`guide ${name} is missing: build the assets`);
    }
    return response.json<Value>();
  }

  return {
    /** Every guide, in reading order. */
    async all(): Promise<readonly GuideEntry[]> {
      index ??= await read<GuideEntry[]>('index');
      return index;
    },
    /** HTML of a guide listed by `all`. */
    async html(name: string): Promise<string> {
      const known = pages.get(name);
      if (known !== undefined) return known;
      const { html } = await read<{ html: string }>(name);
      pages.set(name, html);
      return html;
    },
  };
}
