import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Batch, batchSize, type LogPlan } from './batch.ts';

/** One being sent, one being generated. */
const batchesAheadPerProcess = 2;

/** Starts a process and not a worker thread, because Node 20 does not pass the TypeScript loader to threads. */
function startInventor(plan: LogPlan): ChildProcess {
  const script = fileURLToPath(new URL('./batch-process.ts', import.meta.url));
  const inventor = fork(script, { serialization: 'advanced' });
  inventor.send(plan);
  return inventor;
}

const answerOf = (inventor: ChildProcess): Promise<Batch> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`an inventor ended with ${code}`));
    inventor.once('exit', ended);
    inventor.once('message', (batch) => {
      inventor.off('exit', ended);
      resolve(batch as Batch);
    });
  });

/** Generates all batches of a log on all cores, and yields them in order. */
export async function* inventBatches(plan: LogPlan): AsyncGenerator<Batch> {
  const count = Math.ceil(plan.events / batchSize);
  const inventors = Array.from({ length: Math.min(availableParallelism(), count) }, () => ({
    process: startInventor(plan),
    idle: Promise.resolve<unknown>(undefined),
  }));
  const ask = (number: number): Promise<Batch> => {
    const inventor = inventors[number % inventors.length];
    if (!inventor) throw new Error('nobody to ask');
    const answer = inventor.idle.then(() => {
      inventor.process.send(number);
      return answerOf(inventor.process);
    });
    inventor.idle = answer;
    // The consumer of the batch receives the failure. This prevents an unhandled rejection until then.
    answer.catch(() => undefined);
    return answer;
  };
  try {
    const asked: Promise<Batch>[] = [];
    let next = 0;
    for (let handedOver = 0; handedOver < count; handedOver += 1) {
      while (next < count && asked.length < inventors.length * batchesAheadPerProcess) {
        asked.push(ask(next));
        next += 1;
      }
      const batch = await asked.shift();
      if (batch) yield batch;
    }
  } finally {
    for (const { process } of inventors) process.kill();
  }
}
