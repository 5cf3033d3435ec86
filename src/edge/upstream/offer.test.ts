import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOffer } from './offer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How long it waits after each of some refusals, in seconds. */
const waits = (offer: ReturnType<typeof createOffer>, times: number): number[] =>
  Array.from({ length: times }, () => {
    offer.refuse();
    return Math.floor(offer.waitMs() / 1000);
  });

test('an endpoint that the upstream refuses is tried again soon, and then ever more rarely', () => {
  const offer = createOffer(true);
  expect(offer.waitMs()).toBe(0);
  const seconds = waits(offer, 20);
  expect(seconds[0]).toBeLessThan(10);
  for (const [nth, each] of seconds.slice(1, 7).entries())
    expect(each).toBeGreaterThan(seconds[nth] as number);
  expect(Math.max(...seconds)).toBeGreaterThanOrEqual(600);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(720);
  vi.advanceTimersByTime(720_000);
  expect(offer.waitMs()).toBe(0);
  offer.take();
  expect(waits(offer, 1)[0]).toBeLessThan(10);
});

test('an endpoint that is disabled is not tried', () => {
  expect(createOffer(false).waitMs()).toBe(Number.POSITIVE_INFINITY);
});
