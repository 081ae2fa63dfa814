import { BoundedMap } from '../../platform/storage/bounded-map.ts';

/** What menu and search need of a guide; the build writes it (`scripts/lib/docs`). */
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

/** The guides, which are rendered by the build and are static assets. */
export interface Guides {
  /** Every guide, in reading order. */
  all(): Promise<readonly GuideEntry[]>;
  /** HTML of a guide that `all` names. */
  html(name: string): Promise<string>;
}

/** Address of the example server in guides; pages show their own instead. */
export const EXAMPLE_BASE_URL = 'http://127.0.0.1:8787';

const KEPT_PAGES = 64;
/** Assets are found by path alone. */
const FOLDER = 'https://assets.invalid/docs/guide';

export function createGuides(assets: Fetcher): Guides {
  const pages = new BoundedMap<string, string>(KEPT_PAGES);
  // Assets are part of the deployment: read once in the life of the isolate.
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
    async all() {
      index ??= await read<GuideEntry[]>('index');
      return index;
    },
    async html(name) {
      const known = pages.get(name);
      if (known !== undefined) return known;
      const { html } = await read<{ html: string }>(name);
      pages.set(name, html);
      return html;
    },
  };
}
