import { complain, runCommandLine } from './run.ts';

runCommandLine(process.argv.slice(2)).catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
