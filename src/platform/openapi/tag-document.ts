import { dropUnusedComponents, type Node } from './finish.ts';

/** URL slug of a tag: `client-app` for `Client app`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

/** Slugs of the tags of a document. */
export function tagSlugs(document: Node): string[] {
  return (document.tags as { name: string }[]).map(({ name }) => slugOf(name));
}

/** The document of the operations of one tag; null for an unknown tag. */
export function documentOfTag(document: Node, slug: string): Node | null {
  const tag = (document.tags as { name: string }[]).find(({ name }) => slugOf(name) === slug);
  if (!tag) return null;
  const { paths, webhooks, ...rest } = document;
  const operationsOfTag = (items: unknown) =>
    Object.fromEntries(
      Object.entries(items as Record<string, Record<string, { tags: string[] }>>).flatMap(([path, operations]) => {
        const matching = Object.entries(operations).filter(([, { tags }]) => tags.includes(tag.name));
        return matching.length > 0 ? [[path, Object.fromEntries(matching)]] : [];
      }),
    );
  return dropUnusedComponents({ ...rest, tags: [tag], paths: operationsOfTag(paths), webhooks: operationsOfTag(webhooks) });
}
