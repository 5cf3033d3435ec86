import { expect, test } from 'vitest';
import { StartError } from '../platform/start-error.ts';
import { interruptible, orAbandoned, whenAborted } from './interruptible.ts';

const send = (signal: NodeJS.Signals) => process.emit(signal, signal);
const listeners = () => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');

test('a signal ends what a command waits for, after it has cleaned up, and a repeated one counts once', async () => {
  const before = listeners();
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
  });
  send('SIGTERM');
  await expect(outcome).rejects.toThrow(new StartError('Interrupted by SIGTERM.'));
  expect(steps).toEqual(['told', 'cleaned up']);
  expect(listeners()).toBe(before);
});

test('whatever fails after a signal, the signal is the reason', async () => {
  const outcome = interruptible(async () => {
    send('SIGINT');
    throw new Error('The session has ended');
  });
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
