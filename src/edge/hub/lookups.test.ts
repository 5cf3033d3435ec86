import { expect, test } from 'vitest';
import { createLookups } from './lookups.ts';

test('invented tokens of one address do not delay those of others, and are limited', async () => {
  const asked: string[][] = [];
  const lookups = createLookups(async (secrets) => {
    asked.push([...secrets]);
    return true;
  });
  const invented = Array.from({ length: 1_000 }, (_, nth) =>
    lookups.ask(`invented-${nth}`, '10.0.0.1').then(
      () => 'answered',
      (error) => error.status,
    ),
  );
  const own = lookups.ask('own', '10.0.0.2');
  await own;
  expect(asked[0]).toContain('own');
  const outcomes = await Promise.all(invented);
  expect(outcomes.filter((each) => each === 'answered').length).toBe(200);
  expect(outcomes.filter((each) => each === 503).length).toBe(800);
});
