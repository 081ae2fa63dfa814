import type { Caller } from '../../platform/access/policy/access-control.ts';
import { NOBODY, type Viewer } from './page.tsx';

/** What is known of an account by its id. */
export type ProfileOf = (userId: string) => Promise<{ email: string; displayName: string | null } | null>;

/** Who looks at a page: by the cookie that pages read, which can do nothing else. */
export type ViewerOf = (caller: Caller) => Promise<Viewer>;

export function createViewerOf(profileOf: ProfileOf): ViewerOf {
  return async (caller) => {
    if (caller.kind !== 'session') return NOBODY;
    const profile = await profileOf(caller.userId);
    return profile ? { name: profile.displayName ?? profile.email, isSuperuser: caller.isSuperuser } : NOBODY;
  };
}
