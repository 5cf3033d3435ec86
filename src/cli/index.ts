import { runCommandLine } from './run.ts';

void runCommandLine(process.argv.slice(2));
