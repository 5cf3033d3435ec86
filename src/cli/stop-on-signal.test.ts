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
    drain: stop.drain,
    ends,
  };
}

test('a signal from the terminal that npm forwards again counts once', async () => {
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

/** A process that drains until it has no time left. */
function startDraining() {
  const started = startProcess();
  let hurry: AbortSignal | undefined;
  const begin = () =>
    started.drain((signal) => {
      hurry = signal;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    });
  return { ...started, begin, state: () => (hurry ? hurry.aborted : 'not draining') };
}

test('SIGTERM drains, a second one ends the drain, and a third one the process', () => {
  const { send, begin, state, ends } = startDraining();
  send('SIGTERM');
  void begin();
  send('SIGTERM', 200);
  expect(state()).toBe(false);
  send('SIGTERM', 3_000);
  expect([state(), ends]).toEqual([true, []]);
  send('SIGTERM', 200);
  expect(ends).toEqual([]);
  send('SIGTERM', 3_000);
  expect(ends).toEqual([1]);
});

test('Ctrl-C never waits for a drain, first or right after SIGTERM', async () => {
  const first = startDraining();
  first.send('SIGINT');
  await first.begin();
  expect(first.state()).toBe('not draining');

  const second = startDraining();
  second.send('SIGTERM');
  const drained = second.begin();
  second.send('SIGINT', 5);
  await drained;
  expect([second.state(), second.ends]).toEqual([true, []]);
});

test('after a drain, a second signal ends the process at once', async () => {
  const started = startProcess();
  started.send('SIGTERM');
  await started.drain(async () => undefined);
  started.send('SIGTERM', 3_000);
  expect(started.ends).toEqual([1]);
});
