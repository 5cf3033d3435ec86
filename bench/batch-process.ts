import { createInventor, type LogPlan } from './batch.ts';

/** A child process of `inventors.ts`. It receives the plan first, then the number of each batch to generate. */
let inventBatch: ReturnType<typeof createInventor> | undefined;

process.on('message', (message: LogPlan | number) => {
  if (typeof message !== 'number') inventBatch = createInventor(message);
  else process.send?.(inventBatch?.(message));
});
