import { expect, test } from 'vitest';
import { readIntegrationSearch } from './search.ts';

test('an address says which deliveries are shown', () => {
  const address = { state: 'givenUp', type: 'feature-created', from: '2026-11-01', hours: 168 };
  expect(readIntegrationSearch(address)).toEqual(address);
});

test('what is wrong in an address is left out', () => {
  const wrong = { state: 'lost', from: 'yesterday', page: 1, event: -3, hours: 25, delivery: '' };
  expect(readIntegrationSearch(wrong)).toEqual({});
});
