import { describe, expect, it } from 'vitest';
import { curlOf } from '../../../../src/areas/portal/tools/frame/request.domain.ts';

const BASE = 'https://api.example';

describe('curlOf', () => {
  it('writes a POST with its body on lines of their own', () => {
    expect(curlOf({ method: 'POST', path: '/v1/misc/time/convert', body: { unix: 1 } }, BASE)).toBe(
      `curl -X POST 'https://api.example/v1/misc/time/convert' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"unix":1}'`,
    );
  });

  it('names the variable of the token when the endpoint requires one', () => {
    expect(curlOf({ method: 'GET', path: '/v1/stats/light', needsToken: true }, BASE)).toBe(
      `curl 'https://api.example/v1/stats/light' \\\n  -H "Authorization: Bearer $GAME_DATA_TOKEN"`,
    );
  });

  it('keeps quotes of a value out of the shell', () => {
    expect(curlOf({ method: 'POST', path: '/', body: "it's" }, BASE)).toContain(`-d '"it'\\''s"'`);
  });
});
