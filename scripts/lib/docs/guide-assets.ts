import { readGuides } from './guide-source.ts';
import { renderGuide } from './render-guide.ts';

/** Rendered guides below `docs/guide/` of the assets: the HTML of each, and `index.json` for menu and search. */
export function guideAssets(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const index = readGuides(folder).map(({ markdown, order, ...guide }) => {
    const { html, headings, sections } = renderGuide(guide.name, markdown);
    files.set(`docs/guide/${guide.name}.json`, JSON.stringify({ html }));
    return { ...guide, headings: headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text })), sections };
  });
  files.set('docs/guide/index.json', JSON.stringify(index));
  return files;
}
