import { describe, expect, it } from 'vitest';
import { imageBytes } from '../../support/image-forms.ts';
import { bearer, call } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { solvedCaptcha } from '../../support/upstreams/captcha.ts';
import { portalWorld, START } from '../accounts/world.ts';

const VISITOR = '/ocr/visitor';
const ACCOUNT = '/ocr/account';
const MAX_VISITOR = 2;
const MAX_ALL = 4;
const DAY_2 = START + 86_400;
const DAY_3 = START + 2 * 86_400;

const world = portalWorld({ settings: { ocrVisitorMax: MAX_VISITOR, ocrAllVisitorsMax: MAX_ALL, ocrRateLimitMax: 1 } });
const ORIGIN_HEADERS = { Origin: 'https://api.test', 'Sec-Fetch-Site': 'same-origin' };

interface SendOptions {
  path?: string;
  captcha?: string | null;
  file?: Uint8Array<ArrayBuffer>;
  address?: string;
  authorization?: string;
  now?: number;
  headers?: Record<string, string>;
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.77.0.${addresses}`;
}

async function send({
  path = VISITOR,
  captcha = solvedCaptcha('read-sheet'),
  file = imageBytes('short-sheet.webp'),
  headers = {},
  ...rest
}: SendOptions) {
  const form = new FormData();
  if (captcha !== null) form.set('captcha_token', captcha);
  form.set('file', new Blob([file], { type: 'image/webp' }), 'sheet');
  const response = await call(
    path,
    { method: 'POST', body: form, now: START, headers: { ...ORIGIN_HEADERS, ...headers }, ...rest },
    world.fetch,
  );
  return { ...response, body: JSON.parse(response.text) };
}

describe('POST /ocr/visitor', () => {
  it('returns each value with its confidence and its place in the image', async () => {
    const { status, body } = await send({ file: imageBytes('sheet.png'), address: newAddress() });
    expect(status).toBe(200);
    expect(body.stats).toContainEqual({
      key: 'magic_damage',
      value: 702_115,
      unit: 'count',
      raw: '702,115',
      confidence: 1,
      in_range: true,
      type_match: true,
      derived: false,
      box: expect.objectContaining({ left: expect.any(Number), bottom: expect.any(Number) }),
    });
    const boxes = body.stats.filter(({ derived }: { derived: boolean }) => !derived).map(({ box }: { box: object }) => box);
    for (const { left, top, right, bottom } of boxes) {
      expect(right - left).toBeGreaterThan(3);
      expect(bottom - top).toBeGreaterThan(3);
    }
    expect(body.stats.find(({ derived }: { derived: boolean }) => derived)?.box).toBeNull();
  });

  it('refuses a visitor who solved no captcha without counting the request', async () => {
    const address = newAddress();
    for (const captcha of [null, 'wrong', solvedCaptcha('login')]) {
      const { status, body } = await send({ captcha, address });
      expect([status, body.error.code]).toEqual([400, 'captcha_failed']);
    }
    expect((await send({ address })).status).toBe(200);
  });

  it('refuses more screenshots of an address than the setting allows', async () => {
    const address = newAddress();
    const statuses = [await send({ address, now: DAY_2 }), await send({ address, now: DAY_2 }), await send({ address, now: DAY_2 })];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it('refuses screenshots of all visitors above the setting, and says that an account has its own', async () => {
    for (let count = 0; count < MAX_ALL; count += 1) expect((await send({ address: newAddress(), now: DAY_3 })).status).toBe(200);
    const { status, body } = await send({ address: newAddress(), now: DAY_3 });
    expect([status, body.error.code]).toEqual([429, 'rate_limited']);
    expect(body.error.hint).toContain('sign in');
  });

  it('refuses requests of other sites', async () => {
    const { status } = await send({
      address: newAddress(),
      headers: { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(status).toBe(403);
  });
});

describe('POST /ocr/account', () => {
  it('reads a screenshot without a captcha, on the rate limit of screenshots', async () => {
    const authorization = bearer((await createSession()).credential);
    const first = await send({ path: ACCOUNT, captcha: null, authorization });
    expect([first.status, first.body.stats[0].key]).toEqual([200, 'physical_damage']);
    const second = await send({ path: ACCOUNT, captcha: null, authorization });
    expect([second.status, second.body.error.code]).toEqual([429, 'rate_limited']);
  });

  it('refuses a client without a session', async () => {
    expect((await send({ path: ACCOUNT })).status).toBe(401);
  });
});
