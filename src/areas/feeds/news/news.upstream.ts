import { parseXml, type XmlElement } from '../../../platform/kit/values/xml.ts';
import { decodeEntities } from '../../../platform/upstream/html-text.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES } from '../feeds-config.domain.ts';
import { type NewsEntry, type NewsItem, toNewsItems } from './news.domain.ts';

/** Response of the official feed. */
interface FetchedNews {
  items: NewsItem[];
  /** Call after the items are stored: later fetches then return null until the response changes. */
  confirm(): Promise<void>;
}

export type NewsUpstream = ReturnType<typeof createNewsUpstream>;

const SOURCE = FEED_SOURCES.news;

export function createNewsUpstream(client: UpstreamClient, url: string) {
  return {
    /** Null when the response has not changed since the last `confirm`. */
    async fetch(signal: AbortSignal): Promise<FetchedNews | null> {
      const headers = { Accept: 'application/rss+xml, application/xml;q=0.9, text/xml;q=0.8' };
      const response = await client.fetch({ source: SOURCE, url, headers, signal, conditional: true });
      if (response.notModified) return null;
      return { items: toNewsItems(parseRssFeed(SOURCE, response.text()), decodeEntities), confirm: response.confirm };
    },
  };
}

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
const MEDIA_RSS = 'http://search.yahoo.com/mrss/';
const WELL_KNOWN_PREFIXES = { dc: DUBLIN_CORE, media: MEDIA_RSS };

/** Parses an RSS 2.0 document; entries in its order. Throws `malformed` for other or truncated documents. */
export function parseRssFeed(source: string, text: string): NewsEntry[] {
  const rss = rootOf(source, text);
  const channel = childrenOf(rss, rss.namespace, 'channel')[0];
  if (rss.name !== 'rss' || !channel) throw new UpstreamError(source, 'malformed', 'response is not an RSS feed');
  return childrenOf(channel, rss.namespace, 'item').map((item) => toNewsEntry(item, rss.namespace));
}

function rootOf(source: string, text: string): XmlElement {
  try {
    return parseXml(text, WELL_KNOWN_PREFIXES);
  } catch (error) {
    throw new UpstreamError(source, 'malformed', 'response is not well-formed XML', { cause: error });
  }
}

/** `own`: namespace of the feed's elements; usually empty in RSS 2.0. */
function toNewsEntry(item: XmlElement, own: string): NewsEntry {
  const textOf = (namespace: string, name: string) => childrenOf(item, namespace, name)[0]?.text ?? '';
  // Images may be in a `media:group`.
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
