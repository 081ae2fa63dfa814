import { html, raw } from 'hono/html';
import { toIso, type UnixSeconds } from '../../time/clock.ts';
import { digestOf, type RawReply } from './reply.ts';

export const ATOM_TYPE = 'application/atom+xml';
const MAX_AGE = 300;

/** Characters that XML 1.0 has no form for. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export interface AtomEntry {
  /** Never changes, and is unique: an address. */
  id: string;
  title: string;
  /** Page for people, or the document itself. */
  url: string;
  publishedAt: UnixSeconds;
  /** Absent: when it was published. */
  updatedAt?: UnixSeconds;
  /** Absent: that of the feed. */
  author?: string;
  /** Plain text. */
  summary: string;
}

export interface AtomFeed {
  title: string;
  author: string;
  /** Address of the feed itself. */
  selfUrl: string;
  /** Page for people about the same. */
  pageUrl: string;
  /** Newest first. */
  entries: readonly AtomEntry[];
}

/** An Atom feed (RFC 4287). Without entries its update time is the epoch, which keeps its bytes constant. */
export function atomReply(feed: AtomFeed): RawReply {
  const body = atomText(feed);
  return { kind: 'raw', body, contentType: `${ATOM_TYPE}; charset=utf-8`, etag: `"${digestOf(body)}"`, maxAge: MAX_AGE };
}

/** The text of a feed. */
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
  return String(text).replaceAll(NOT_XML, '').toWellFormed();
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
