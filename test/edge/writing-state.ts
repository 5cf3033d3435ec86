import { openFolder } from '../../src/edge/state/folder.ts';
import { sealed } from '../../src/edge/state/state.ts';
import { createLogger } from '../../src/platform/log.ts';

// Writes states of other lengths for ever, until it is killed.
const store = await openFolder(process.argv[2] as string, createLogger('warn'));
for (let number = 0; ; number += 1) {
  const text = 'x'.repeat(10_000 + ((number * 7_919) % 500_000));
  await store.write('state', () => sealed({ number, text }));
  if (number === 0) process.stdout.write('writing\n');
}
