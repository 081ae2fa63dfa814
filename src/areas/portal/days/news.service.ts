import type { Service } from '../../../platform/area/area.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';

/** An article of the news. */
export interface Article {
  title: string;
  url: string;
  /** ISO 8601; null if the article has no date. */
  published_at: string | null;
}

/** The newest articles, newest first. */
export type NewsReader = ReturnType<typeof createNewsReader>;

/** Reads the articles from the snapshot body of the news. */
export function createNewsReader({ snapshotBodies }: Pick<Service, 'snapshotBodies'>) {
  return async (now: UnixSeconds, settings: Settings, baseUrl: string): Promise<readonly Article[]> => {
    const body = snapshotBodies().news;
    if (!body) return [];
    const { items } = JSON.parse((await body.source(now, settings, baseUrl)).text) as { items: Article[] };
    return items;
  };
}
