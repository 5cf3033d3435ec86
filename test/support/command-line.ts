import { Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.ts';

/** Captures standard output or error until the returned function is called. */
function listenTo(name: 'stdout' | 'stderr', hear: (text: string) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(process, name) ?? {};
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      hear(String(chunk));
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => Object.defineProperty(process, name, own);
}

/**
 * Runs a command to its end in this process: a separate process takes half a second, mostly to load modules that are
 * loaded here. Only one at a time, and not a server. Log output is discarded.
 */
export async function commandLine(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const { env, exitCode } = process;
  const { PATH = '', HOME = '' } = env;
  let stdout = '';
  let stderr = '';
  let output = '';
  const restore = [
    listenTo('stdout', (text) => {
      stdout += text;
      output += text;
    }),
    listenTo('stderr', (text) => {
      stderr += text;
      output += text;
    }),
  ];
  // Only what a process would get: settings of the user who runs the tests must not leak in.
  process.env = { PATH, HOME, ...settings };
  process.exitCode = undefined;
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), stdout, stderr, output };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    for (const each of restore) each();
  }
}
