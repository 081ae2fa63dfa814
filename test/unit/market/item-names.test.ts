import { describe, expect, it } from 'vitest';
import { createItemNames } from '../../../src/areas/market/item-names.service.ts';

describe('createItemNames', () => {
  const names = createItemNames({ listItems: async () => ['Sun Sap', 'Oak'] }, { cachedInterestItems: async () => ['SUN SAP', 'Elm'] });

  it('finds listed and tracked names in any case, with surrounding spaces', async () => {
    expect([await names.find(' oak '), await names.find('ELM'), await names.find('Ash')]).toEqual(['Oak', 'Elm', undefined]);
  });

  it('prefers the spelling of a listed item', async () => {
    expect([await names.find('sun sap'), await names.find('SUN SAP')]).toEqual(['Sun Sap', 'SUN SAP']);
  });
});
