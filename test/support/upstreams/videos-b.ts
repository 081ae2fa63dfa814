import { httpUpstream } from './http-upstream.ts';

export interface DemoCard {
  id: string;
  title: string;
  channel: string;
  /** Date as displayed on the page: `昨天`, `3小时前`, `5-1`, `2026-1-31`. */
  date: string;
}

/** A PNG of one pixel. */
const COVER = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkaPhfDwAEgQIAkhrx5AAAAABJRU5ErkJggg==', 'base64');

/** Path of the image in the examples of the documentation. */
const EXAMPLE_COVER = '/bfs/archive/cover.jpg';

/** Mock of the video platform without an API: a search page with a card per result, and the images of the cards. */
export const videosBUpstream = httpUpstream<{ cards: DemoCard[]; isRefusing: boolean }>({
  name: 'videos-b',
  port: 9815,
  initial: () => ({
    isRefusing: false,
    cards: [
      { id: 'BV1aa411c7mA', title: '宝藏世界 新手攻略 &amp; 技巧', channel: '方块君', date: '3小时前' },
      { id: 'BV1aa411c7mB', title: 'Trove 深渊', channel: '星海', date: '昨天' },
    ],
  }),
  respond({ path }, { cards, isRefusing }) {
    if (isRefusing) return { status: 412, body: '<html><body>The request was rejected</body></html>' };
    if (path === '/all') return { body: page(cards) };
    const isCover = path === EXAMPLE_COVER || cards.some(({ id }) => path === `/bfs/archive/${id}.jpg`);
    return isCover ? { contentType: 'image/png', body: COVER } : { status: 404, body: 'not found' };
  },
  wiring: (url) => ({ vars: { VIDEOS_B_SEARCH_URL: `${url}/all` } }),
});

function page(cards: readonly DemoCard[]): string {
  return `<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>search</title></head><body>
<div class="video-list row">${cards.map(card).join('\n')}</div></body></html>`;
}

function card({ id, title, channel, date }: DemoCard): string {
  return `<div class="video-list-item col_3"><div class="bili-video-card" data-v-1>
  <div class="bili-video-card__wrap __scale-wrap">
    <a href="//www.bilibili.com/video/${id}/" target="_blank"><div class="bili-video-card__image __scale-player-wrap">
      <picture class="v-img bili-video-card__cover">
        <source srcset="//i0.hdslb.com/bfs/archive/${id}.jpg@672w_378h_1c.avif" type="image/avif">
        <source srcset="//i0.hdslb.com/bfs/archive/${id}.jpg@672w_378h_1c.webp" type="image/webp">
        <img src="//i0.hdslb.com/bfs/archive/${id}.jpg@672w_378h_1c" alt="${title}"></picture></div></a>
    <div class="bili-video-card__info __scale-disable"><div class="bili-video-card__info--right">
      <a href="//www.bilibili.com/video/${id}/" target="_blank"><h3 class="bili-video-card__info--tit" title="${title}"><em class="keyword">宝藏世界</em> ...</h3></a>
      <div class="bili-video-card__info--bottom"><a class="bili-video-card__info--owner" href="//space.bilibili.com/1">
        <span class="bili-video-card__info--author"> ${channel} </span><span class="bili-video-card__info--date"> · ${date}</span></a></div>
    </div></div></div></div></div>`;
}
