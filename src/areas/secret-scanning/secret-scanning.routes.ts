import { addressAccess, type BudgetRule } from '../../platform/access/policy/policy.ts';
import { parseJsonBody, type Reserve, readBytes } from '../../platform/http/bodies/body.ts';
import { defineRoute, type Endpoint } from '../../platform/http/pipeline/define-route.ts';
import { json } from '../../platform/http/replies/reply.ts';
import { ApiError, badRequest } from '../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { parseFindings } from './findings.domain.ts';
import { isKeyId } from './scanning-keys.domain.ts';
import type { KeyStore } from './scanning-keys.service.ts';
import { MAX_MATCHES, MAX_REPORT_BYTES } from './secret-scanning.data.ts';
import { ReportInput, toVerdictsBody, VerdictsBody } from './secret-scanning.schemas.ts';
import type { SecretScanning } from './secret-scanning.service.ts';
import { isSignedBy } from './signature.ts';

const KEY_HEADER = 'Github-Public-Key-Identifier';
const SIGNATURE_HEADER = 'Github-Public-Key-Signature';

/** The partner sends some reports a minute at most, from few addresses. */
const reportsBudget: BudgetRule = { name: 'secret-scanning', limitOf: () => ({ limit: 60, windowSeconds: SECONDS_PER_MINUTE }) };

/** The same response for every unverified report. */
const invalidSignature = () => new ApiError('not_authenticated', 'invalid signature', { headers: { 'WWW-Authenticate': 'Bearer' } });

export interface SecretScanningRoutesDeps {
  keys: KeyStore;
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
    access: addressAccess(reportsBudget),
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
