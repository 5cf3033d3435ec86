import { createInventor, type LogPlan } from './batch.ts';

/** A child of `inventors.ts`: first the plan, then the number of each batch that is wanted. */
let inventBatch: ReturnType<typeof createInventor> | undefined;

process.on('message', (message: LogPlan | number) => {
  if (typeof message !== 'number') inventBatch = createInventor(message);
  else process.send?.(inventBatch?.(message));
});
