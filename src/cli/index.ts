import { runCommandLine } from './run.ts';

// A reader that has enough, such as `head`, is no failure: the command goes on, and ends with its own exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

void runCommandLine(process.argv.slice(2));
