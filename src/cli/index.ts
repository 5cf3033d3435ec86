import { constants } from 'node:os';
import { runCommandLine } from './run.ts';

// A reader that has enough, such as `head`, is no failure: the command ends as one does whose pipe is closed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(128 + constants.signals.SIGPIPE);
});

void runCommandLine(process.argv.slice(2));
