import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import type { Finding } from './findings.domain.ts';

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
export const ReportInput = z.array(MatchInput).openapi({ description: 'Up to 5000 matches.' });

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

export const VerdictsBody = z.array(VerdictBody).openapi({ description: 'One verdict per match with a token, in order.' });

export function toVerdictsBody(
  findings: readonly Finding[],
  verdicts: readonly boolean[],
  defaultType: string,
): z.infer<typeof VerdictsBody> {
  return findings.map(({ token, type }, index) => ({
    token_raw: token,
    token_type: type ?? defaultType,
    label: verdicts[index] === true ? 'true_positive' : 'false_positive',
  }));
}
