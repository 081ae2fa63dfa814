import { Buffer } from 'node:buffer';
import { createVerify } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { addressAccess, type RateLimitRule } from '../../platform/access/policy/policy.ts';
import { parseJsonBody, type Reserve, readBytes } from '../../platform/http/bodies/body.ts';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, badRequest } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { isKeyId } from './scanning-keys.domain.ts';
import type { ScanningKeys } from './scanning-keys.service.ts';
import { type Finding, parseFindings, type SecretScanning } from './secret-scanning.service.ts';

/** Maximum size of a report in bytes, and maximum number of matches. */
const MAX_REPORT_BYTES = 2 * 1024 * 1024;
const MAX_MATCHES = 5000;

const MatchInput = z
  .object({
    token: z.string().openapi({ description: 'Candidate token; a match without one is ignored.', example: 'some_token' }),
    type: z.string().openapi({ description: 'Type of secret, in the terms of the partner.', example: 'gda_api_token' }),
    url: z.string().openapi({ description: 'URL of the finding.', example: 'https://git.example/a/b/blob/main/config' }),
    source: z.string().openapi({ description: 'Source of the finding.', example: 'content' }),
  })
  .partial()
  .openapi('SecretScanningMatch', { description: 'A candidate token reported by the partner.' });

/** For the OpenAPI document only; the endpoint reads the signed bytes. */
const ReportInput = z.array(MatchInput).openapi({ description: 'Up to 5000 matches.' });

const VerdictBody = z
  .object({
    token_raw: z.string().openapi({ description: 'The reported token.', example: 'some_token' }),
    token_type: z.string().openapi({ description: 'The reported type.', example: 'gda_api_token' }),
    label: namedEnum('SecretScanningLabel', 'Verdict on a finding.', ['true_positive', 'false_positive']).openapi({
      description: '`true_positive`: a token of this service; it is revoked.',
      example: 'false_positive',
    }),
  })
  .openapi('SecretScanningVerdict', { description: 'Verdict on a reported token.' });

const VerdictsBody = z.array(VerdictBody).openapi({ description: 'One verdict per match with a token, in order.' });

function toVerdictsBody(findings: readonly Finding[], verdicts: readonly boolean[], defaultType: string): z.infer<typeof VerdictsBody> {
  return findings.map(({ token, type }, index) => ({
    token_raw: token,
    token_type: type ?? defaultType,
    label: verdicts[index] === true ? 'true_positive' : 'false_positive',
  }));
}

const KEY_HEADER = 'Github-Public-Key-Identifier';
const SIGNATURE_HEADER = 'Github-Public-Key-Signature';

/** The partner sends some reports a minute at most, from few addresses. */
const reportsRateLimit: RateLimitRule = { name: 'secret-scanning', limitOf: () => ({ limit: 60, windowSeconds: SECONDS_PER_MINUTE }) };

/** The same response for every unverified report. */
const invalidSignature = () => new ApiError('not_authenticated', 'invalid signature', { headers: { 'WWW-Authenticate': 'Bearer' } });

interface SecretScanningRoutesDeps {
  keys: ScanningKeys;
  scanning: SecretScanning;
  tokenPrefix: string;
}

/** `POST /secret-scanning`: the partner reports exposed tokens. */
export function createSecretScanningEndpoint({ keys, scanning, tokenPrefix }: SecretScanningRoutesDeps): Endpoint {
  /** Bytes of a report with a valid signature. Throws 401, and 413 for a report that is too large. */
  async function readSigned(request: Request, reserve: Reserve): Promise<Uint8Array> {
    const keyId = request.headers.get(KEY_HEADER) ?? '';
    const signature = request.headers.get(SIGNATURE_HEADER) ?? '';
    if (!isKeyId(keyId) || signature === '') throw invalidSignature();
    // Before the body: without a known key nothing is read.
    const pem = await keys.find(keyId);
    if (pem === null) throw invalidSignature();
    const bytes = await readBytes(request, MAX_REPORT_BYTES, reserve);
    if (!isSignedBy(pem, bytes, signature)) throw invalidSignature();
    return bytes;
  }

  return defineRoute({
    method: 'post',
    path: '/secret-scanning',
    operationId: 'reportExposedTokens',
    tag: 'Tokens',
    summary: 'Report exposed tokens',
    description: `Accepts a JSON array of \`{token, type, url, source}\`, signed (ECDSA P-256, SHA-256) with a key of the partner. \`${KEY_HEADER}\` is the key id, \`${SIGNATURE_HEADER}\` the signature. Tokens of this service are revoked immediately.`,
    access: addressAccess(reportsRateLimit),
    surface: 'portal',
    hidden: true,
    bodyLimit: MAX_REPORT_BYTES,
    rawBody: { contentTypes: ['application/json'], description: 'The report, byte for byte as signed.', schema: ReportInput },
    errors: ['not_authenticated'],
    ok: { description: 'One verdict per reported token.', schema: VerdictsBody },
  }).handle(async ({ request, reserve, now, waitUntil }) => {
    const report = parseJsonBody(await readSigned(request, reserve), 'application/json');
    if (!Array.isArray(report)) throw badRequest('the report must be a JSON array');
    if (report.length > MAX_MATCHES) throw badRequest(`the report must have at most ${MAX_MATCHES} matches`, { limit: MAX_MATCHES });
    const findings = parseFindings(report);
    const verdicts = await scanning.revokeExposed(findings, { now, waitUntil });
    return json(toVerdictsBody(findings, verdicts, `${tokenPrefix}_api_token`));
  });
}

/** Maximum length in base64; a DER signature of this curve has at most 72 bytes. */
const MAX_SIGNATURE_LENGTH = 200;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether `signature` is an ECDSA signature (SHA-256, base64 of DER) of these bytes by the key (PEM, SPKI). */
function isSignedBy(pem: string, bytes: Uint8Array, signature: string): boolean {
  if (signature === '' || signature.length > MAX_SIGNATURE_LENGTH || !BASE64.test(signature)) return false;
  try {
    return createVerify('SHA256').update(bytes).verify(pem, Buffer.from(signature, 'base64'));
  } catch {
    // A malformed key or signature is invalid.
    return false;
  }
}
