import { httpUpstream, type UpstreamResponse } from './http-upstream.ts';

/**
 * Responses of the authentication gateway: `header`: its own header at once; `login`: its own response after a login only; `bare`: 404
 * for every path, as when logins are broken; `error`: 500 with its own header.
 */
export type GameAuthMode = 'header' | 'login' | 'bare' | 'error';

const OWN_HEADER = { 'X-Trionworlds-Request': '1f0c' };

/** Mock of the game's authentication gateway. */
export const gameAuthUpstream = httpUpstream<{ mode: GameAuthMode }>({
  name: 'game-auth',
  port: 9820,
  initial: () => ({ mode: 'header' }),
  respond({ path, method }, { mode }): UpstreamResponse {
    const bare = { status: 404, contentType: 'text/plain', body: '404 page not found\n' };
    if (mode === 'bare' || path !== '/auth/v1_2') return bare;
    if (mode === 'error') return { status: 500, headers: OWN_HEADER, body: 'internal error' };
    if (mode === 'header') return { status: 400, headers: OWN_HEADER, contentType: 'text/plain', body: 'bad request' };
    return method === 'POST' ? { status: 401, contentType: 'text/plain', body: 'login failed\nSignature: 00ff' } : { ...bare, status: 405 };
  },
  wiring: (url) => ({ settings: { game_status_auth_url: `${url}/auth/v1_2` } }),
});
