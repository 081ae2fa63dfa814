import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { parseXml, type XmlElement } from '../../../platform/values/xml.ts';
import type { NewsEntry } from './news.domain.ts';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
const MEDIA_RSS = 'http://search.yahoo.com/mrss/';
const WELL_KNOWN = { dc: DUBLIN_CORE, media: MEDIA_RSS };

/** Entries of an RSS 2.0 document in its order. Throws `malformed` for anything else, a document cut short included. */
export function parseRssFeed(source: string, text: string): NewsEntry[] {
  const rss = rootOf(source, text);
  const channel = childrenOf(rss, rss.namespace, 'channel')[0];
  if (rss.name !== 'rss' || !channel) throw new UpstreamError(source, 'malformed', 'response is not an RSS feed');
  return childrenOf(channel, rss.namespace, 'item').map((item) => entryOf(item, rss.namespace));
}

function rootOf(source: string, text: string): XmlElement {
  try {
    return parseXml(text, WELL_KNOWN);
  } catch (error) {
    throw new UpstreamError(source, 'malformed', 'response is not well-formed XML', { cause: error });
  }
}

/** `own` is the namespace of the feed's own elements, in RSS 2.0 usually none. */
function entryOf(item: XmlElement, own: string): NewsEntry {
  const textOf = (namespace: string, name: string) => childrenOf(item, namespace, name)[0]?.text ?? '';
  // Pictures may stand in a group of their own.
  const media = [item, ...childrenOf(item, MEDIA_RSS, 'group')];
  const addresses = (name: string) =>
    media.flatMap((parent) => childrenOf(parent, MEDIA_RSS, name)).flatMap(({ attributes }) => attributes.url ?? []);
  return {
    title: textOf(own, 'title'),
    link: textOf(own, 'link'),
    author: textOf(DUBLIN_CORE, 'creator'),
    description: textOf(own, 'description'),
    categories: childrenOf(item, own, 'category').map((category) => category.text),
    images: [...addresses('content'), ...addresses('thumbnail')],
    published: textOf(own, 'pubDate'),
  };
}

function childrenOf({ children }: XmlElement, namespace: string, name: string): XmlElement[] {
  return children.filter((child) => child.name === name && child.namespace === namespace);
}
