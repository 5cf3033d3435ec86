import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConnection, toleratedGapMs } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a short gap in the event stream is not shown as a lost connection', () => {
  const connection = createConnection();
  connection.set('live');
  const changes = vi.fn();
  connection.subscribe(changes);
  connection.set('connecting');
  vi.advanceTimersByTime(toleratedGapMs - 1);
  expect(connection.isLost()).toBe(false);
  connection.set('live');
  vi.advanceTimersByTime(10 * toleratedGapMs);
  expect(connection.isLost()).toBe(false);
  expect(changes).toHaveBeenCalledTimes(2);
});

test('a long gap in the event stream is shown as a lost connection until the stream is back', () => {
  const connection = createConnection();
  connection.set('live');
  connection.set('connecting');
  vi.advanceTimersByTime(toleratedGapMs);
  expect(connection.isLost()).toBe(true);
  connection.set('live');
  expect(connection.isLost()).toBe(false);
});

test('an event stream that never opens is shown as a lost connection', () => {
  const connection = createConnection();
  vi.advanceTimersByTime(toleratedGapMs);
  expect(connection.isLost()).toBe(true);
});
