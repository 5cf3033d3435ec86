import { version } from '../platform/version.ts';
import { command } from './command.ts';

export const printVersion = command({
  run: async () => void process.stdout.write(`burgee ${version}\n`),
});
