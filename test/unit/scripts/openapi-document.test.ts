import { describe, expect, it } from 'vitest';
import { findBreakingChanges } from '../../../scripts/lib/openapi-compat.ts';
import { currentDocument } from '../../../scripts/lib/openapi-document.ts';
import { operationsIn } from '../../../scripts/lib/openapi-model.ts';

describe('currentDocument', () => {
  it('describes the service without a runtime, switched-off areas included', async () => {
    const document = await currentDocument();
    const operations = operationsIn(document).map(({ operation }) => operation.operationId);
    expect(operations).toEqual(expect.arrayContaining(['getHealth', 'getServerTime', 'getDelves']));
    expect(findBreakingChanges(document, structuredClone(document))).toEqual([]);
  });
});
