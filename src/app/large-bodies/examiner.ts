import { Worker } from 'node:worker_threads';
import { AppError } from '../../platform/errors.ts';
import { type Examined, examine, type LargeRequest } from '../../platform/http/examine.ts';
import type { Logger } from '../../platform/log.ts';
import { endpointsById } from './endpoints.ts';

/** Parses and validates large bodies, one at a time. */
export interface Examiner {
  readonly examine: (request: LargeRequest) => Promise<Examined>;
  readonly close: () => Promise<void>;
}

/** The bundle of the thread is next to the bundle of this file. */
const entry = new URL('./app/large-bodies/thread.js', import.meta.url);

/** The largest known import takes 2 s. */
const timeoutMs = 60_000;
/** An idle thread ends after this time, which frees its memory. */
const idleMs = 60_000;
/** Twice what 4 million values need. A larger body ends the thread, not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

const tooMuch = () =>
  new AppError(
    413,
    'PayloadTooLargeError',
    'The body is too large to validate in time. Send it in parts',
  );

/** Uses a thread that starts with the first large body, because most servers never receive one. */
export function createThreadExaminer(log: Logger): Examiner {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const last = worker;
    worker = undefined;
    await last?.terminate();
  };

  const start = (): Worker => {
    const started = new Worker(entry, { resourceLimits });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    return started;
  };

  const ask = (request: LargeRequest): Promise<Examined> =>
    new Promise((resolve, reject) => {
      const thread = worker ?? start();
      const settle = () => {
        clearTimeout(timer);
        thread.off('message', answer).off('error', fail).off('exit', failAtEnd);
      };
      const answer = (examined: Examined) => {
        settle();
        resolve(examined);
      };
      const fail = (reason: unknown) => {
        settle();
        log.warn(
          { err: reason, endpoint: request.endpointId },
          'could not read a large request body',
        );
        reject(tooMuch());
        void end();
      };
      const failAtEnd = () => fail(new Error('the thread ended'));
      const timer = setTimeout(() => fail(new Error('it took too long')), timeoutMs);
      thread.on('message', answer).on('error', fail).on('exit', failAtEnd);
      thread.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
    });

  return {
    examine: async (request) => {
      clearTimeout(idle);
      try {
        return await ask(request);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => void end(), idleMs).unref();
        worker?.unref();
      }
    },
    close: end,
  };
}

/** Uses the current thread, for runs without a bundle. */
export function createLocalExaminer(): Examiner {
  const endpoints = endpointsById();
  return {
    examine: async (request) => {
      const endpoint = endpoints.get(request.endpointId);
      if (!endpoint) throw new Error(`there is no endpoint '${request.endpointId}'`);
      return examine(endpoint, request);
    },
    close: async () => undefined,
  };
}
