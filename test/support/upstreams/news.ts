import { httpUpstream } from './http-upstream.ts';

export interface NewsPost {
  title: string;
  link: string;
  /** RFC 822. */
  pubDate?: string;
  description?: string;
  creator?: string;
  categories?: string[];
  image?: string;
}

const DAY = 86_400;

/** Mock of the official news feed: RSS 2.0 of WordPress; `/feed` redirects to `/feed/`. */
export const newsUpstream = httpUpstream<{ posts: NewsPost[] }>({
  name: 'news',
  port: 9811,
  initial: (now) => ({ posts: [samplePost(1, now - 3600), samplePost(2, now - 2 * DAY), samplePost(3, now - 5 * DAY)] }),
  respond({ path }, { posts }) {
    if (path === '/feed') return { status: 301, headers: { Location: 'feed/' } };
    if (path !== '/feed/') return { status: 404, body: 'not found' };
    return { contentType: 'application/rss+xml; charset=UTF-8', body: rss(posts) };
  },
  wiring: (url) => ({ vars: { NEWS_FEED_URL: `${url}/feed` } }),
});

function samplePost(number: number, at: number): NewsPost {
  return {
    title: `Patch notes ${number} &amp; what comes next`,
    link: `https://news.example/posts/${number}/`,
    pubDate: new Date(at * 1000).toUTCString().replace('GMT', '+0000'),
    description: `&lt;p&gt;Hello &lt;b&gt;adventurers&lt;/b&gt;! Build ${number} is live.&lt;/p&gt;`,
    creator: number === 1 ? 'The Team' : '',
    categories: ['Patch Notes', 'PC'],
    image: `https://news.example/images/${number}.jpg`,
  };
}

/** The feed as XML. Texts are inserted unescaped, so that tests control the escaping. */
export function rss(posts: readonly NewsPost[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:media="http://search.yahoo.com/mrss/"
	>
<channel>
	<title>Official news</title>
	<atom:link href="https://news.example/feed/" rel="self" type="application/rss+xml" />
	<link>https://news.example</link>
	<description>News of the game</description>
${posts.map(item).join('\n')}
</channel>
</rss>
`;
}

function item({ title, link, pubDate, description, creator, categories = [], image }: NewsPost): string {
  return `	<item>
		<title>${title}</title>
		<link>${link}</link>
		${creator === undefined ? '' : `<dc:creator><![CDATA[${creator}]]></dc:creator>`}
		${pubDate === undefined ? '' : `<pubDate>${pubDate}</pubDate>`}
		${categories.map((category) => `<category><![CDATA[${category}]]></category>`).join('')}
		<guid isPermaLink="false">${link}</guid>
		${description === undefined ? '' : `<description>${description}</description>`}
		<content:encoded><![CDATA[<p>The whole article.</p>]]></content:encoded>
		${image === undefined ? '' : `<media:content url="${image}" medium="image" />`}
	</item>`;
}
