import { html, raw } from 'hono/html';
import { toIso, type UnixSeconds } from '../../kit/time/clock.ts';
import { digestOf, type RawReply } from './reply.ts';

export const ATOM_TYPE = 'application/atom+xml';
const MAX_AGE = 300;

/** Characters that XML 1.0 does not allow, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the feed removes these characters
const INVALID_XML_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export interface AtomEntry {
  /** A unique and permanent URI. */
  id: string;
  title: string;
  /** URL of the page, or of the document itself. */
  url: string;
  publishedAt: UnixSeconds;
  /** Default: `publishedAt`. */
  updatedAt?: UnixSeconds;
  /** Default: the author of the feed. */
  author?: string;
  /** Plain text. */
  summary: string;
}

export interface AtomFeed {
  title: string;
  author: string;
  /** URL of the feed. */
  selfUrl: string;
  /** URL of the page with the same content. */
  pageUrl: string;
  /** Newest first. */
  entries: readonly AtomEntry[];
}

/** An Atom feed (RFC 4287). The update time of an empty feed is the epoch, so its bytes do not change. */
export function atomReply(feed: AtomFeed): RawReply {
  const body = atomText(feed);
  return { kind: 'raw', body, contentType: `${ATOM_TYPE}; charset=utf-8`, etag: `"${digestOf(body)}"`, maxAge: MAX_AGE };
}

/** Serializes a feed. */
export function atomText({ title, author, selfUrl, pageUrl, entries }: AtomFeed): string {
  const updated = Math.max(0, ...entries.map(updatedAt));
  const text = html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${title}</title>
<id>${selfUrl}</id>
<link rel="self" type="${ATOM_TYPE}" href="${selfUrl}"/>
<link rel="alternate" type="text/html" href="${pageUrl}"/>
<author><name>${author}</name></author>
<updated>${toIso(updated)}</updated>
${entries.map(entryText)}</feed>
`;
  return String(text).replaceAll(INVALID_XML_CHARACTERS, '').toWellFormed();
}

const updatedAt = (entry: AtomEntry): UnixSeconds => entry.updatedAt ?? entry.publishedAt;

function entryText(entry: AtomEntry) {
  const { id, title, url, publishedAt, author, summary } = entry;
  return html`<entry>
<title>${title}</title>
<id>${id}</id>
<link rel="alternate" href="${url}"/>
${author === undefined ? '' : html`<author><name>${author}</name></author>`}
<published>${toIso(publishedAt)}</published>
<updated>${toIso(updatedAt(entry))}</updated>
<summary>${summary}</summary>
</entry>
`;
}
