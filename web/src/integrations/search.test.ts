import { expect, test } from 'vitest';
import { readIntegrationSearch } from './search.ts';

test('the deliveries page reads its filters from the URL', () => {
  const address = { state: 'givenUp', type: 'feature-created', from: '2026-11-01', hours: 168 };
  expect(readIntegrationSearch(address)).toEqual(address);
});

test('the deliveries page ignores invalid search parameters', () => {
  const wrong = { state: 'lost', from: 'yesterday', page: 1, event: -3, hours: 25, delivery: '' };
  expect(readIntegrationSearch(wrong)).toEqual({});
});
