import { DurableObject } from 'cloudflare:workers';
import { type AnnouncementChange, type AnnouncementResult, changeAnnouncements, parseAnnouncements } from './announcements.domain.ts';
import { advance, newer, type Snapshot } from './status.domain.ts';
import { parseHistory, readSnapshot } from './stored-history.domain.ts';

export const HISTORY = 'history';
const ANNOUNCEMENTS = 'announcements';

/** Stores the newest snapshot, 90 days of tallies, and the incidents, separately from the stores that it reports on. */
export class ServiceStatusObject extends DurableObject<Env> {
  /**
   * Returns the new history as JSON. `copy`: the history in KV, which is newer after an outage of this object. The snapshot may be of a
   * neighbour of this version.
   */
  record(snapshot: Snapshot, copy: string | null): string {
    const stored = parseHistory(this.read());
    const history = newer(stored, parseHistory(copy));
    const text = JSON.stringify(advance(history, readSnapshot(snapshot), history === stored ? 'object' : 'copy'));
    this.ctx.storage.kv.put(HISTORY, text);
    return text;
  }

  /** The history as JSON; null before the first snapshot. */
  read(): string | null {
    return this.ctx.storage.kv.get<string>(HISTORY) ?? null;
  }
  /** The announcements as JSON; null before the first. */
  readAnnouncements(): string | null {
    return this.ctx.storage.kv.get<string>(ANNOUNCEMENTS) ?? null;
  }

  /** Changes the announcements and returns all of them as JSON. With a problem nothing is stored. */
  changeAnnouncements(change: AnnouncementChange): { json: string; problem: AnnouncementResult['problem'] } {
    const { announcements, problem } = changeAnnouncements(parseAnnouncements(this.readAnnouncements()), change);
    const json = JSON.stringify(announcements);
    if (problem === null) this.ctx.storage.kv.put(ANNOUNCEMENTS, json);
    return { json, problem };
  }
}
