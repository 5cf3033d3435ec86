import { StartError } from '../platform/start-error.ts';

/**
 * Runs work that a signal interrupts. `stop` makes the work fail, so that it cleans up as after any other failure:
 * temporary files go, and an embedded PostgreSQL that the command started stops.
 */
export async function interruptible<Result>(
  stop: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  let signal: NodeJS.Signals | undefined;
  const interrupt = (received: NodeJS.Signals) => {
    signal = received;
    stop();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await work();
  } catch (error) {
    throw signal === undefined ? error : new StartError(`Interrupted by ${signal}.`);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
