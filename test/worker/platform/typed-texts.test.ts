import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/platform/http/pipeline/validation.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';
import { ENDPOINTS, enableAllFeatures, titleOf } from '../../support/endpoints.ts';
import { createProject } from '../../support/projects.ts';
import { call, freshInstant, type TestResponse } from '../../support/requests.ts';
import { textLeavesOf } from '../../support/text-leaves.ts';
import { send as sendFeedback } from '../misc/forms.ts';
import { base64, insert, insertBody, packed, publisher } from '../mods-catalog/catalog.ts';
import { newAuthor, send, upload } from '../mods-catalog/publishing/authors.ts';

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
const LINE_BREAKS = ['\t', '\n', '\r'];
const HIDDEN = [
  ...range(0, 0x1f).filter((text) => !LINE_BREAKS.includes(text)),
  ...range(0x7f, 0x9f),
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
];

/** Paths of the texts that a validation refuses for their characters. */
function refusedIn(schema: Parameters<typeof validate>[0], source: 'body' | 'query' | 'path', input: unknown): unknown[] {
  try {
    validate(schema, source, input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.details as { loc: unknown[]; type: string }[]).filter(({ type }) => type === 'invalid_text').map(({ loc }) => loc);
  }
  return [];
}

const FIELDS = ENDPOINTS.filter(({ spec }) => spec.method !== 'get').flatMap((endpoint) => {
  const { body, rawBody, query, params } = endpoint.spec;
  const sources = [['body', body ?? rawBody?.schema] as const, ['query', query] as const, ['path', params] as const];
  return sources.flatMap(([source, schema]) =>
    textLeavesOf(schema).map((leaf) => ({
      ...leaf,
      source,
      schema: schema as NonNullable<typeof schema>,
      title: `${titleOf(endpoint)} ${source}.${leaf.path.join('.')}`,
    })),
  );
});

/** Names of the fields of several lines. */
const SEVERAL_LINES = [
  'changelog',
  'changelog_i18n',
  'content',
  'description',
  'description_i18n',
  'footer',
  'message',
  'note',
  'readme_i18n',
  'readme_text',
  'reason',
  'svg',
  'value',
  'warnings',
  'warnings_i18n',
];
/** Reports of the game and texts that administrators write. */
const TRIMMED_OR_MAILED = [
  'POST /admin/mods/{handle}/{slug}/take-down body.reason',
  'POST /v1/rotations/challenge/insert body.name',
  'POST /v1/rotations/chaos-chest/insert body.name',
];
const nameOf = (path: readonly (string | number)[]) =>
  path.filter((part) => typeof part === 'string').find((part) => part.endsWith('_i18n')) ??
  path.findLast((part) => typeof part === 'string');

describe('texts of writes', () => {
  it('refuses control characters and direction overrides in every text of every write, and names the field', () => {
    expect(FIELDS.length).toBeGreaterThan(300);
    const accepted = FIELDS.flatMap(({ schema, source, path, inputWith, title }) =>
      HIDDEN.filter((character) => {
        const refused = refusedIn(schema, source, inputWith(`a${character}b`));
        return JSON.stringify(refused) !== JSON.stringify([[source, ...path]]);
      }).map((character) => `${title} ${JSON.stringify(character)}`),
    );
    expect(accepted).toEqual([]);
  });

  it('accepts tab and line breaks only in fields of several lines', () => {
    const accepting = FIELDS.filter(({ schema, source, inputWith }) =>
      LINE_BREAKS.some((character) => refusedIn(schema, source, inputWith(`a${character}b`)).length === 0),
    );
    const others = accepting.filter(({ title }) => !TRIMMED_OR_MAILED.includes(title));
    expect([...new Set(others.map(({ path }) => nameOf(path)))].sort()).toEqual(SEVERAL_LINES);
    expect(accepting.length - others.length).toBe(TRIMMED_OR_MAILED.length);
  });
});

describe('bodies that handlers read', () => {
  const OVERRIDE = 'evil\u202egnp.exe';
  const fieldOf = ({ status, text }: TestResponse) => [
    status,
    (JSON.parse(text).error?.details ?? []).map(({ loc }: { loc: string[] }) => loc.join('.')),
  ];

  it.each(['message', 'contact', 'app_version'])('returns 422 for hidden characters in %s of feedback', async (name) => {
    const response = await sendFeedback({ fields: { message: 'Something is wrong.', [name]: `text ${OVERRIDE}` } });
    expect(fieldOf(response)).toEqual([422, [`body.${name}`]]);
  });

  it('accepts feedback of several lines', async () => {
    expect((await sendFeedback({ fields: { message: 'First line\r\n\tsecond line' } })).status).toBe(200);
  });

  it.each(['title', 'changelog', 'tag', 'branch'])('returns 422 for hidden characters in %s of an uploaded release', async (name) => {
    await enableAllFeatures();
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId });
    const response = await upload(`${project.path}/releases`, author, { tag: '1.0', [name]: OVERRIDE });
    expect(fieldOf(response)).toEqual([422, [`body.${name}`]]);
  });

  it.each(['description', 'readme_text', 'warnings', 'summary'])('returns 422 for hidden characters in %s of a project', async (name) => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId });
    expect(fieldOf(await send('PATCH', project.path, author, { [name]: OVERRIDE }))).toEqual([422, [`body.${name}`]]);
  });

  it('returns 422 for hidden characters in an inserted mod and its release', async () => {
    const response = await insert(insertBody({ description: OVERRIDE, tags: ['Wings', OVERRIDE] }, { changelog: OVERRIDE }), {
      now: freshInstant(),
    });
    expect(fieldOf(response)).toEqual([422, ['body.description', 'body.tags.1', 'body.release.changelog']]);
  });

  it('returns 422 for hidden characters in an inserted pack', async () => {
    const variants = [{ name: 'default', label: OVERRIDE, mods: [] }];
    const json = { handle: 'ana', title: 'Pack', description: OVERRIDE, variants };
    const response = await call('/v1/modpacks/insert', { method: 'POST', json, authorization: await publisher(), now: freshInstant() });
    expect(fieldOf(response)).toEqual([422, ['body.description', 'body.variants.0.label']]);
  });

  it('removes hidden characters of the texts in an uploaded file instead of refusing it', async () => {
    const file = packed('hidden', { title: 'Hidden', author: `A\u202en\u0007a` });
    const response = await insert(insertBody({ title: 'Hidden' }, { artifact_base64: base64(file) }), { now: freshInstant() });
    expect([response.status, JSON.parse(response.text).mod.author]).toEqual([200, 'Ana']);
    const id = response.headers.get('X-Ingest-ID') ?? '';
    const receipt = await call(`/v1/ingest/${id}`, { authorization: await publisher(), now: freshInstant() });
    expect(JSON.parse(receipt.text)).toMatchObject({ state: 'accepted', hidden_characters: 2 });
  });
});
