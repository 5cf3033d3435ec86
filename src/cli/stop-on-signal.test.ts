import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** A process with cleanup work that ends when the test says so. */
function startProcess() {
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

test('a signal that npm forwards after the terminal sent it counts once', async () => {
  const started = startProcess();
  expect(started.isStopping()).toBe(false);
  started.send('SIGINT');
  expect(started.isStopping()).toBe(true);
  started.send('SIGINT', 5);
  started.send('SIGTERM', 200);
  expect(started.ends).toEqual([]);
  started.finish();
  await expect.poll(() => started.ends).toEqual([0]);
});

test('a later second signal ends the process at once', () => {
  const started = startProcess();
  started.send('SIGTERM');
  started.send('SIGTERM', 3_000);
  expect(started.ends).toEqual([1]);
});
