import { httpUpstream } from './http-upstream.ts';

export interface StreamsState {
  clientId: string;
  clientSecret: string;
  /** The valid token; every POST creates a new one. */
  validToken: string;
  streams: Readonly<Record<string, unknown>>[];
}

/** Mock of the streaming platform: client credentials return a token, the token gives access to the list of live streams. */
export const streamsUpstream = httpUpstream<StreamsState>({
  name: 'streams',
  port: 9813,
  initial: (now) => ({
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    validToken: '',
    streams: [stream('Glimmer', 'glimmer', 120, now - 5400), stream('', 'night_owl', 7, now - 600)],
  }),
  respond(call, state) {
    if (call.path === '/oauth2/token' && call.method === 'POST') return mint(call.query, state);
    if (call.path !== '/helix/streams') return { status: 404, body: { error: 'Not Found', status: 404 } };
    const isValid = state.validToken !== '' && call.headers.authorization === `Bearer ${state.validToken}`;
    if (!isValid || call.headers['client-id'] !== state.clientId) {
      return { status: 401, body: { error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' } };
    }
    return { body: { data: state.streams, pagination: {} } };
  },
  wiring: (url) => ({
    vars: {
      STREAMS_TOKEN_URL: `${url}/oauth2/token`,
      STREAMS_API_URL: `${url}/helix/streams`,
      STREAMS_CLIENT_ID: 'demo-client',
      STREAMS_CLIENT_SECRET: 'demo-secret',
    },
  }),
});

function mint(query: Readonly<Record<string, string>>, state: StreamsState) {
  const isKnown = query.client_id === state.clientId && query.client_secret === state.clientSecret;
  if (!isKnown || query.grant_type !== 'client_credentials')
    return { status: 403, body: { status: 403, message: 'invalid client secret' } };
  state.validToken = `token-${crypto.randomUUID()}`;
  return { body: { access_token: state.validToken, expires_in: 5_184_000, token_type: 'bearer' } };
}

function stream(userName: string, login: string, viewers: number, startedAt: number): Readonly<Record<string, unknown>> {
  return {
    id: String(startedAt),
    user_id: login,
    user_login: login,
    user_name: userName,
    game_id: '412756',
    game_name: 'Trove',
    type: 'live',
    title: `Exploring with ${login}`,
    viewer_count: viewers,
    started_at: new Date(startedAt * 1000).toISOString().replace('.000Z', 'Z'),
    language: 'en',
    thumbnail_url: `https://images.example/${login}-{width}x{height}.jpg`,
    tags: [],
    is_mature: false,
  };
}
