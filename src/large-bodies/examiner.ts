import { Worker } from 'node:worker_threads';
import { AppError } from '../platform/errors.ts';
import { type Examined, examine, type LargeRequest } from '../platform/http/examine.ts';
import type { Logger } from '../platform/log.ts';
import { endpointsById } from './endpoints.ts';

/** Who parses and validates large bodies, one at a time. */
export interface Examiner {
  readonly examine: (request: LargeRequest) => Promise<Examined>;
  readonly close: () => Promise<void>;
}

/** Beside the bundle of this file lies that of the thread. */
const entry = new URL('./large-bodies/thread.js', import.meta.url);

/** The largest import that we know takes 2 s. */
const patienceMs = 60_000;
/** A thread that is not needed for so long ends, with its memory. */
const idleMs = 60_000;
/** What 4 million values take, twice. A body that takes more ends the thread, and not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

const tooMuch = () =>
  new AppError(
    413,
    'PayloadTooLargeError',
    'The body holds more than can be looked at in time; send it in parts',
  );

/** In a thread, which begins with the first large body: most servers never get one. */
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
      const asked = worker ?? start();
      const settle = () => {
        clearTimeout(timer);
        asked.off('message', answer).off('error', fail).off('exit', failAtEnd);
      };
      const answer = (examined: Examined) => {
        settle();
        resolve(examined);
      };
      const fail = (reason: unknown) => {
        settle();
        log.warn({ err: reason, endpoint: request.endpointId }, 'a large body could not be read');
        reject(tooMuch());
        void end();
      };
      const failAtEnd = () => fail(new Error('the thread ended'));
      const timer = setTimeout(() => fail(new Error('it took too long')), patienceMs);
      asked.on('message', answer).on('error', fail).on('exit', failAtEnd);
      asked.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
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

/** In this thread, where there is no bundle that another one could begin with. */
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
