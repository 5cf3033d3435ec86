import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { StartError } from '../platform/start-error.ts';
import { interruptible, orAbandoned, whenAborted } from './interruptible.ts';

/** Signals of the test alone. The browser of other tests would end with one of this process. */
const signals = new EventEmitter();
const send = (signal: NodeJS.Signals) => signals.emit(signal, signal);
const listeners = () => signals.listenerCount('SIGTERM') + signals.listenerCount('SIGINT');

test('a signal ends what a command waits for, after it has cleaned up, and a repeated one counts once', async () => {
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

test('whatever fails after a signal, the signal is the reason', async () => {
  const outcome = interruptible(async () => {
    send('SIGINT');
    throw new Error('The session has ended');
  }, signals);
  await expect(outcome).rejects.toThrow('Interrupted by SIGINT.');
});

test('without a signal a command ends as it does', async () => {
  await expect(
    interruptible(async (signal) => orAbandoned(signal, Promise.resolve(7))),
  ).resolves.toBe(7);
  await expect(
    interruptible(async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
});
