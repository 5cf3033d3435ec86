import { Writable } from 'node:stream';
import { runCommandLine } from '../../src/cli/run.ts';

/** Takes the place of standard output or error, until the returned function is called. */
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
 * Runs work with another environment in this process, and returns what it prints and its exit code. One at a time. What
 * is logged is not heard.
 */
export async function captured(
  work: () => Promise<unknown>,
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
  // Only what a process would get: the settings of whoever runs the tests must not leak in.
  process.env = { PATH, HOME, ...settings };
  process.exitCode = undefined;
  try {
    await work();
    return { code: Number(process.exitCode ?? 0), stdout, stderr, output };
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    for (const each of restore) each();
  }
}

/**
 * Runs a command to its end in this process: one of its own takes half a second, most of it to load what is loaded here.
 * Not for a server that is to listen.
 */
export const commandLine = (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) => captured(() => runCommandLine(args), settings);
