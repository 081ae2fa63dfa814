import { describe, expect, it } from 'vitest';
import { fileForm } from '../../support/costly-requests.ts';
import { bearer, call } from '../../support/requests.ts';
import { containerOf } from '../../support/tmod.ts';
import { createSuperuserToken, createToken } from '../../support/tokens.ts';
import { testApp } from './test-app.ts';

const app = testApp({ settings: { ingestCooldownMax: 1000 } });

describe('POST /v1/market/insert', () => {
  const insert = async (text: string) => {
    const authorization = bearer(await createSuperuserToken());
    const { body, headers } = fileForm(text);
    return call('/v1/market/insert', { method: 'POST', authorization, body, headers }, app);
  };

  it.each([
    ['\n', 500_000, 'line breaks'],
    [';', 1_000_000, 'semicolons'],
  ])('returns 422 for a dump with too many of %j', async (text, most, what) => {
    const refused = await insert(text.repeat(most + 1));
    expect(refused.status).toBe(422);
    expect(JSON.parse(refused.text).error.details).toEqual([
      expect.objectContaining({ loc: ['body', 'file'], msg: `must have at most ${most} ${what}` }),
    ]);
  });

  it('accepts a dump with 500,000 line breaks', async () => {
    expect((await insert('\n'.repeat(500_000))).status).toBe(200);
  });
});

describe('POST /v1/mods/read', () => {
  it('returns 400 for a container whose header has more than 8 MiB', async () => {
    const entries = Array.from({ length: 40_000 }, (_, index) => ({
      path: `${index}/${'a'.repeat(200)}`,
      offset: 0,
      size: 1,
      checksum: 0,
    }));
    const { status, text } = await call(
      '/v1/mods/read',
      {
        method: 'POST',
        authorization: bearer(await createToken()),
        headers: { 'Content-Type': 'application/octet-stream' },
        body: containerOf({ entries, stream: new Uint8Array(0) }),
      },
      app,
    );
    expect([status, text]).toEqual([400, expect.stringMatching(/header_size: \d+ exceeds the maximum of 8388608 bytes/)]);
  });
});

describe('POST /v1/mods/build', () => {
  it('returns 400 for a body with more than 524,288 members and items', async () => {
    const authorization = bearer(await createToken());
    const body = `{"files":[{"path":"a","content_base64":""}],"more":[${'0,'.repeat(524_288)}0]}`;
    const headers = { 'Content-Type': 'application/json' };
    const { status, text } = await call('/v1/mods/build', { method: 'POST', authorization, body, headers }, app);
    expect([status, text]).toEqual([400, expect.stringContaining('must have at most 524288 members and items')]);
  });
});
