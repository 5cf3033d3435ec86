import { runCommandLine } from './run.ts';

// A reader such as `head` may close the pipe early. The command continues and ends with its own exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

void runCommandLine(process.argv.slice(2));
