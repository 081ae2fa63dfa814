import { httpUpstream, type UpstreamResponse } from './http-upstream.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface ReleaseApiState {
  releases: unknown;
  tags: unknown;
  commits: unknown;
  /** Remaining requests in the rate limit window. */
  remaining: number;
  /** End of the window (unix seconds). */
  reset: number;
  /** Status of a request over the limit; 0: status 200 with the error message, like some proxies. */
  limitedStatus: number;
  /** Lists that respond with 500. */
  broken: string[];
}

const REPO = 'owner/companion';
const PAGE = `https://github.example/${REPO}`;

/** Mock of the release service: three lists of a repository, with an hourly rate limit for clients without a token. */
export const clientappUpstream = httpUpstream<ReleaseApiState>({
  name: 'clientapp',
  port: 9832,
  initial: (now) => ({
    releases: [
      release(3, 'v1.5.0-beta.1', now - 86_400, ['companion-1.5.0-beta.1.msi', 'companion-1.5.0-beta.1.apk'], { prerelease: true }),
      release(2, 'v1.4.0', now - 5 * 86_400, ['companion-1.4.0.msi', 'companion-1.4.0.exe', 'companion-1.4.0.AppImage', 'SHA256SUMS']),
      release(1, 'v1.3.2', now - 30 * 86_400, ['companion-1.3.2.exe', 'companion-1.3.2.apk']),
    ],
    tags: [tag('v1.4.0', sha(2)), tag('v1.3.2', sha(4))],
    commits: [
      commit(sha(1), 'feat(map): show biomes\n\nWith a legend.'),
      commit(sha(2), 'chore: release 1.4.0'),
      commit(sha(3), 'fix!: keep the window where it was'),
      commit(sha(4), 'Release 1.3.2'),
    ],
    remaining: 60,
    reset: now + 3600,
    limitedStatus: 403,
    broken: [],
  }),
  respond(call, state) {
    const list = call.path.replace(`/repos/${REPO}/`, '');
    if (!['releases', 'tags', 'commits'].includes(list)) return { status: 404, body: { message: 'Not Found' } };
    if (!call.headers['user-agent']) return { status: 403, body: { message: 'Request forbidden by administrative rules' } };
    if (state.broken.includes(list)) return { status: 500, body: 'unicorn' };
    if (state.remaining <= 0) return withLimit({ status: state.limitedStatus || 200, body: LIMITED }, state);
    state.remaining -= 1;
    return withLimit({ body: state[list as 'releases' | 'tags' | 'commits'] }, state);
  },
  wiring: (url) => ({ vars: { CLIENTAPP_API_BASE: url, CLIENTAPP_REPO: REPO } }),
});

const LIMITED = { message: 'API rate limit exceeded for 127.0.0.1.', documentation_url: 'https://docs.example/rate-limit' };

function withLimit(answer: UpstreamResponse, { remaining, reset }: ReleaseApiState): UpstreamResponse {
  return {
    ...answer,
    headers: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': String(remaining), 'X-RateLimit-Reset': String(reset) },
  };
}

export function release(id: number, tagName: string, publishedAt: number, files: readonly string[], more: object = {}): Entry {
  return {
    id,
    tag_name: tagName,
    name: `Companion ${tagName.replace(/^v/, '')}`,
    body: `Notes of ${tagName}`,
    html_url: `${PAGE}/releases/tag/${tagName}`,
    draft: false,
    prerelease: false,
    created_at: iso(publishedAt - 60),
    published_at: iso(publishedAt),
    assets: files.map((name, index) => ({
      id: id * 100 + index,
      name,
      content_type: 'application/octet-stream',
      size: 1000 + index,
      download_count: 10 * index,
      browser_download_url: `${PAGE}/releases/download/${tagName}/${name}`,
    })),
    ...more,
  };
}

export function tag(name: string, commitSha: string): Entry {
  return { name, commit: { sha: commitSha, url: `${PAGE}/commits/${commitSha}` }, node_id: name };
}

export function commit(hash: string, message: string): Entry {
  return { sha: hash, commit: { message, author: { name: 'dev' } }, html_url: `${PAGE}/commit/${hash}` };
}

/** A hash derived from a number. */
export function sha(number: number): string {
  return String(number).padStart(40, 'a0');
}

function iso(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z');
}
