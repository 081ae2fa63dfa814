import type { JobContext } from '../../../platform/durable/schedule/job.ts';
import { BROWSER_USER_AGENT } from '../../../platform/upstream/browser-headers.ts';
import { decodeEntities } from '../../../platform/upstream/html-text.ts';
import type { UpstreamClient } from '../../../platform/upstream/upstream-client.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { FEED_SOURCES, requireConfigured } from '../feeds-config.domain.ts';
import { type Video, videoLimitsOf } from './videos.domain.ts';
import { type VideoCard, videosFromCards } from './videos-b.domain.ts';

type VideosBUpstream = ReturnType<typeof createVideosBUpstream>;

const SOURCE = FEED_SOURCES.videosB;
const CARD = '.bili-video-card';
const LINK = 'a[href^="//www.bilibili.com/video/"]';
const HEADERS = {
  'User-Agent': BROWSER_USER_AGENT,
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.5',
};

/** Videos of the platform without an API, read from its search page with browser headers. */
export function createVideosBUpstream(client: UpstreamClient, searchUrl: string) {
  return {
    /** Cards of the search page. Throws for a page without cards, which is how the platform rejects requests. */
    async fetch(keyword: string, signal: AbortSignal): Promise<VideoCard[]> {
      const url = new URL(searchUrl);
      url.searchParams.set('keyword', keyword);
      const response = await client.fetch({ source: SOURCE, url, headers: HEADERS, signal });
      const cards = await parseCards(response.text());
      if (cards.length === 0) throw new UpstreamError(SOURCE, 'malformed', 'search page has no results');
      return cards;
    },
  };
}

/** Fetches and filters videos-b. */
export async function fetchVideosB(upstream: VideosBUpstream | null, { now, settings, signal }: JobContext): Promise<Video[]> {
  return videosFromCards(await requireConfigured(upstream).fetch(settings.feedsVideosBKeyword, signal), now, videoLimitsOf(settings));
}

/** Cards of a page, in its order. */
async function parseCards(page: string): Promise<VideoCard[]> {
  const cards: VideoCard[] = [];
  const onCard = (use: (card: VideoCard, element: Element) => void) => ({
    element(element: Element) {
      const card = cards.at(-1);
      if (card) use(card, element);
    },
  });
  const appendText = (field: 'channel' | 'date') => ({
    text({ text }: Text) {
      const card = cards.at(-1);
      if (card) card[field] += text;
    },
  });
  const rewriter = new HTMLRewriter()
    .on(CARD, { element: () => void cards.push({ link: null, title: '', channel: '', date: '', image: null }) })
    .on(
      `${CARD} ${LINK}`,
      onCard((card, link) => (card.link ??= link.getAttribute('href'))),
    )
    .on(
      `${CARD} h3.bili-video-card__info--tit`,
      onCard((card, title) => (card.title ||= title.getAttribute('title') ?? '')),
    )
    .on(
      `${CARD} picture source`,
      onCard((card, source) => (card.image ??= source.getAttribute('srcset'))),
    )
    .on(`${CARD} .bili-video-card__info--author`, appendText('channel'))
    .on(`${CARD} .bili-video-card__info--date`, appendText('date'));
  await rewriter.transform(new Response(page)).arrayBuffer();
  return cards.map(decodeCard);
}

/** Decodes the entities, which `HTMLRewriter` does not do. */
function decodeCard({ link, title, channel, date, image }: VideoCard): VideoCard {
  return {
    link: link && decodeEntities(link),
    title: decodeEntities(title),
    channel: decodeEntities(channel),
    date: decodeEntities(date),
    image: image && decodeEntities(image),
  };
}
