import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** A process with cleanup work that ends when the test says so. */
function toldToStop() {
  const signals = new EventEmitter();
  const ends: number[] = [];
  let nowMs = 0;
  let finish = () => {};
  const stop = stopOnSignal(createLogger('silent'), {
    on: (signal, heard) => signals.on(signal, heard),
    exit: (code) => void ends.push(code),
    nowMs: () => nowMs,
  });
  stop.atEnd(() => new Promise((resolve) => (finish = resolve)));
  return {
    send: (signal: 'SIGINT' | 'SIGTERM', afterMs = 0) => {
      nowMs += afterMs;
      signals.emit(signal);
    },
    finish: () => finish(),
    isStopping: stop.isStopping,
    ends,
  };
}

test('a signal that npm hands on, after the terminal sent it to all, is the same one', async () => {
  const told = toldToStop();
  expect(told.isStopping()).toBe(false);
  told.send('SIGINT');
  expect(told.isStopping()).toBe(true);
  told.send('SIGINT', 5);
  told.send('SIGTERM', 200);
  expect(told.ends).toEqual([]);
  told.finish();
  await expect.poll(() => told.ends).toEqual([0]);
});

test('whoever asks again after a while is impatient: it ends at once', () => {
  const told = toldToStop();
  told.send('SIGTERM');
  told.send('SIGTERM', 3_000);
  expect(told.ends).toEqual([1]);
});
