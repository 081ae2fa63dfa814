import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCredential } from '../../../../src/platform/access/policy/credentials.ts';
import { checkOf, createTokenSecret } from '../../../../src/platform/access/tokens/token-format.ts';
import { ENDPOINTS, titleOf } from '../../../support/endpoints.ts';
import { createProject, createProjectKey } from '../../../support/projects.ts';
import { bearer, call, FIRST_INSTANT, freshInstant } from '../../../support/requests.ts';
import { FAR_AWAY } from '../../../support/sessions.ts';
import { createToken, TOKEN_FORMAT } from '../../../support/tokens.ts';
import { clearCatalog } from '../catalog.ts';
import { type Author, join, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

/** The routes of a project, and whether they accept project keys. */
const ROUTES = ENDPOINTS.filter(
  ({ spec }) => spec.path.includes('/{handle}/{slug}') && /^\/(?:v1\/publishing|projects)\//.test(spec.path),
).map((endpoint) => ({ title: titleOf(endpoint), spec: endpoint.spec, takesKeys: endpoint.spec.access.kind === 'project' }));

/** Bodies that pass the validation, so that the decision about the client is the only one. */
const BODIES: Readonly<Record<string, unknown>> = {
  editModProject: { summary: 'x' },
  withdrawModRelease: { reason: 'x' },
  publishModRelease: {},
  editModDraft: { title: 'x' },
  setModMember: { handle: 'nobody', role: 'author' },
  createProjectKey: { name: 'x' },
};

async function world() {
  const owner = await newAuthor();
  const project = await createProject({ userId: owner.userId, visibility: 'public' });
  const draft = await upload(`${project.path}/releases`, owner, { tag: '1' });
  expect(draft.status, draft.text).toBe(201);
  const { secret, id } = await createProjectKey({ project, expiresAt: FAR_AWAY });
  const paths: Record<string, string> = {
    handle: project.handle,
    slug: project.slug,
    id: String(draft.json.id),
    member: project.handle,
    sha256: '0'.repeat(64),
  };
  /** Status of each route for a client; the routes of keys and the others. */
  async function statuses(client: Pick<Author, 'authorization'>, now?: number) {
    const found = { keys: new Set<string>(), others: new Set<string>() };
    for (const { spec, takesKeys } of ROUTES) {
      const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? '');
      const options = { now: now ?? freshInstant() };
      const { status, json } = await send(spec.method.toUpperCase(), path, client, BODIES[spec.operationId], options);
      (takesKeys ? found.keys : found.others).add(`${status} ${json.error?.code ?? ''}`.trim());
    }
    return { keys: [...found.keys], others: [...found.others] };
  }
  return { owner, project, key: { authorization: bearer(secret) }, keyId: id, statuses };
}

const UNKNOWN = { keys: ['404 not_found'], others: ['404 not_found'] };
const NO_KEY = ['401 not_authenticated'];

describe('access to the routes of a project', () => {
  it('covers every route', () => {
    expect(ROUTES.filter(({ takesKeys }) => takesKeys)).toHaveLength(17);
    expect(ROUTES.filter(({ takesKeys }) => !takesKeys)).toHaveLength(7);
  });

  it('returns 404 for the author of another project', async () => {
    const { statuses } = await world();
    const other = await newAuthor();
    await createProject({ userId: other.userId });
    expect(await statuses(other)).toEqual(UNKNOWN);
  });

  it('returns 404 for the key of another project, also of the same account', async () => {
    const { statuses, owner } = await world();
    const { secret } = await createProjectKey({ project: await createProject({ userId: owner.userId }), expiresAt: FAR_AWAY });
    expect(await statuses({ authorization: bearer(secret) })).toEqual({ keys: ['404 not_found'], others: NO_KEY });
  });

  it('returns 403 for an expired key', async () => {
    const { statuses, project } = await world();
    const { secret } = await createProjectKey({ project, expiresAt: FIRST_INSTANT });
    expect(await statuses({ authorization: bearer(secret) })).toEqual({ keys: ['403 forbidden'], others: NO_KEY });
  });

  it('returns 404 for a removed member and 403 for its key', async () => {
    const { statuses, owner, project } = await world();
    const member = await newAuthor();
    const { handle } = await createProject({ userId: member.userId });
    const members = `/projects/${project.handle}/${project.slug}/members`;
    await join(project, owner, member, handle);
    const { secret } = await createProjectKey({ project: { ...project, userId: member.userId }, expiresAt: FAR_AWAY });
    const key = { authorization: bearer(secret) };
    expect((await send('GET', project.path, key)).status).toBe(200);
    expect((await send('DELETE', `${members}/${handle}`, owner)).status).toBe(200);
    expect(await statuses(member)).toEqual(UNKNOWN);
    expect(await statuses(key)).toEqual({ keys: ['403 forbidden'], others: NO_KEY });
  });

  it('returns 403 for a key from an address off its allowlist', async () => {
    const { project } = await world();
    const { secret } = await createProjectKey({ project, allowedIps: ['192.0.2.0/24'], expiresAt: FAR_AWAY });
    const key = { authorization: bearer(secret) };
    expect((await send('GET', project.path, key)).json.error).toMatchObject({ code: 'ip_not_allowed' });
    expect((await send('GET', project.path, key, undefined, { address: '192.0.2.9' })).status).toBe(200);
  });

  it('returns 403 for an author on the routes of owners', async () => {
    const { owner, project } = await world();
    const author = await newAuthor();
    const { handle } = await createProject({ userId: author.userId });
    const path = `/projects/${project.handle}/${project.slug}`;
    await join(project, owner, author, handle);
    for (const [method, route, body] of [
      ['POST', '/members', { handle, role: 'owner' }],
      ['DELETE', `/members/${project.handle}`, undefined],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await send(method, path + route, author, body)).json.error, route).toMatchObject({ code: 'forbidden' });
    }
  });

  it('returns 401 for an API token and without a credential', async () => {
    const { statuses } = await world();
    expect(await statuses({ authorization: bearer(await createToken()) })).toEqual({ keys: NO_KEY, others: NO_KEY });
    expect(await statuses({ authorization: '' })).toEqual({ keys: NO_KEY, others: NO_KEY });
  });

  it('returns 401 for a key whose secret is wrong, and 429 after 120 of them', async () => {
    const { keyId, project } = await world();
    const zeros = (count: number) => new Uint8Array(count);
    const forged = createTokenSecret(TOKEN_FORMAT.prefix, TOKEN_FORMAT.key ?? '', keyId, zeros, 'project-key');
    expect(checkOf(keyId, TOKEN_FORMAT.key ?? '', 'project-key')).toHaveLength(5);
    const now = freshInstant();
    const statuses = new Set<number>();
    for (let count = 0; count < 121; count += 1) {
      statuses.add((await call(project.path, { authorization: bearer(forged), now })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});

describe('a project key on other routes', () => {
  it.each(['/v1/rotations/server-time', '/v1/token', '/v1/mods', '/tokens', '/admin/mods', '/v1/market/listings'])(
    'returns 401 on %s without reading an object or a row',
    async (path) => {
      const { secret, id } = await createProjectKey();
      expect(readCredential(bearer(secret)).kind).toBe('token');
      expect((await call(path, { authorization: bearer(secret) })).status).toBe(401);
      const row = await env.DB.prepare('SELECT last_used_at FROM project_keys WHERE id = ?1').bind(id).first();
      expect(row).toEqual({ last_used_at: null });
    },
  );
});

describe('keys', () => {
  it('shows the secret once and ends with the request', async () => {
    const { owner, project } = await world();
    const path = `/projects/${project.handle}/${project.slug}/keys`;
    const now = freshInstant();
    const created = await send('POST', path, owner, { name: ' pipeline ', expires_in_days: 30 }, { now });
    expect(created.status, created.text).toBe(201);
    expect(created.json).toMatchObject({
      name: 'pipeline',
      expires_at: new Date((now + 30 * 86_400) * 1000).toISOString(),
      last_used_at: null,
    });
    const key = { authorization: bearer(String(created.json.key)) };
    expect((await send('GET', project.path, key, undefined, { now })).status).toBe(200);
    expect((await send('GET', path, owner, undefined, { now })).text).not.toContain(String(created.json.key));
    expect((await send('DELETE', `${path}/${created.json.id}`, owner, undefined, { now })).status).toBe(200);
    expect((await send('GET', project.path, key, undefined, { now })).json.error).toMatchObject({ code: 'forbidden' });
  });

  it('returns 409 for an eleventh live key and 400 for an invalid address', async () => {
    const { owner, project } = await world();
    const path = `/projects/${project.handle}/${project.slug}/keys`;
    for (let count = 1; count < 10; count += 1) expect((await send('POST', path, owner, { name: 'x' })).status).toBe(201);
    expect((await send('POST', path, owner, { name: 'x' })).status).toBe(409);
    expect((await send('POST', path, owner, { name: 'x', allowed_ips: ['nowhere'] })).json.error.message).toContain('body.allowed_ips');
    expect((await send('POST', path, owner, { name: 'x', expires_in_days: 366 })).status).toBe(422);
  });
});
