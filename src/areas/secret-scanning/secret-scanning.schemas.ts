import { z } from '@hono/zod-openapi';
import { namedEnum } from '../../platform/http/bodies/body-schemas.ts';
import type { Finding } from './findings.domain.ts';

const MatchInput = z
  .object({
    token: z.string().openapi({ description: 'Text that looks like a token; a match without one is left out.', example: 'some_token' }),
    type: z.string().openapi({ description: 'Kind of secret, as the partner names it.', example: 'gda_api_token' }),
    url: z.string().openapi({ description: 'Where it was found.', example: 'https://git.example/a/b/blob/main/config' }),
    source: z.string().openapi({ description: 'What it was found in.', example: 'content' }),
  })
  .partial()
  .openapi('SecretScanningMatch', { description: 'A text that the partner takes for one of our tokens.' });

/** For the document alone: what is signed is read as it comes. */
export const ReportInput = z.array(MatchInput).openapi({ description: 'Up to 5000 matches.' });

const VerdictBody = z
  .object({
    token_raw: z.string().openapi({ description: 'The text as it was reported.', example: 'some_token' }),
    token_type: z.string().openapi({ description: 'Kind of secret, as it was reported.', example: 'gda_api_token' }),
    label: namedEnum('SecretScanningLabel', 'Verdict on a finding.', ['true_positive', 'false_positive']).openapi({
      description: '`true_positive`: it is a token of this service, which is revoked by now.',
      example: 'false_positive',
    }),
  })
  .openapi('SecretScanningVerdict', { description: 'What a reported text is.' });

export const VerdictsBody = z.array(VerdictBody).openapi({ description: 'One verdict for each match that names a token, in order.' });

export function toVerdictsBody(
  findings: readonly Finding[],
  areOurs: readonly boolean[],
  defaultType: string,
): z.infer<typeof VerdictsBody> {
  return findings.map(({ token, type }, index) => ({
    token_raw: token,
    token_type: type ?? defaultType,
    label: areOurs[index] === true ? 'true_positive' : 'false_positive',
  }));
}
