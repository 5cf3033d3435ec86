import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { StartError } from '../platform/start-error.ts';
import { interruptible, orAbandoned, whenAborted } from './interruptible.ts';

/** Signals only of this test: a signal to the process would also end the browser of other tests. */
const signals = new EventEmitter();
const send = (signal: NodeJS.Signals) => signals.emit(signal, signal);
const listeners = () => signals.listenerCount('SIGTERM') + signals.listenerCount('SIGINT');

test('a signal ends a waiting command after its cleanup, and repeated signals count once', async () => {
  const steps: string[] = [];
  const forever = new Promise<never>(() => undefined);
  const outcome = interruptible(async (signal) => {
    whenAborted(signal, () => steps.push('told'));
    try {
      await orAbandoned(signal, forever);
    } finally {
      send('SIGTERM');
      await Promise.resolve();
      steps.push('cleaned up');
    }
  }, signals);
  send('SIGTERM');
  await expect(outcome).rejects.toThrow(new StartError('Interrupted by SIGTERM.'));
  expect(steps).toEqual(['told', 'cleaned up']);
  expect(listeners()).toBe(0);
});

test('an error after a signal is reported as the signal', async () => {
  const outcome = interruptible(async () => {
    send('SIGINT');
    throw new Error('The session has ended');
  }, signals);
  await expect(outcome).rejects.toThrow('Interrupted by SIGINT.');
});

test('without a signal, a command returns its result or error', async () => {
  await expect(
    interruptible(async (signal) => orAbandoned(signal, Promise.resolve(7))),
  ).resolves.toBe(7);
  await expect(
    interruptible(async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
});
