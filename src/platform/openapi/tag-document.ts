import { type Node, withoutUnused } from './finish.ts';

/** The URL slug of a documentation tag: `Client app` becomes `client-app`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

/** The slugs of the groups that a document has. */
export function tagSlugs(document: Node): string[] {
  return (document.tags as { name: string }[]).map(({ name }) => slugOf(name));
}

/** The part of a document that describes one group; null when it has no such group. */
export function documentOfTag(document: Node, slug: string): Node | null {
  const tag = (document.tags as { name: string }[]).find(({ name }) => slugOf(name) === slug);
  if (!tag) return null;
  const { paths, webhooks, ...rest } = document;
  const own = (items: unknown) =>
    Object.fromEntries(
      Object.entries(items as Record<string, Record<string, { tags: string[] }>>).flatMap(([path, operations]) => {
        const kept = Object.entries(operations).filter(([, { tags }]) => tags.includes(tag.name));
        return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : [];
      }),
    );
  return withoutUnused({ ...rest, tags: [tag], paths: own(paths), webhooks: own(webhooks) });
}
