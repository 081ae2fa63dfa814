import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';

/** Link previews with one definition each, which differ in a fixed text. */
const EQUAL = [/SectionPreview$/, /ToolPreview$/];

/** The endpoints with the first of equal previews: it stands for the others, because an image takes longer to draw than most responses. */
export function withoutEqualPreviews(endpoints: readonly Endpoint[]): Endpoint[] {
  const firsts = EQUAL.map((pattern) => endpoints.find(({ spec }) => pattern.test(spec.operationId)));
  return endpoints.filter((endpoint) => firsts.includes(endpoint) || !EQUAL.some((pattern) => pattern.test(endpoint.spec.operationId)));
}
