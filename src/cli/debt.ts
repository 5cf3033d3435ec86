import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StartError } from '../platform/start-error.ts';
import type { Limits } from './debt/answers.ts';
import { junitOf } from './debt/junit.ts';
import { measure, type Server } from './debt/measure.ts';
import { printable } from './debt/printable.ts';
import { jsonOf, type Report, reportOf, sentenceOf, tableOf } from './debt/report.ts';

const usage = `burgee debt --project ID [--max-stale N] [--min-health N] [--format table|json|junit] [--output FILE]
            [--url URL] [--token TOKEN]

Lists the features of a project that are stale or potentially stale, and ends with 1 when they are more than
--max-stale, or the health of the project is below --min-health. Without either the budget of the project
counts; where it has none, nothing is too much. Ends with 2 when that cannot be found out.

The server is BURGEE_URL, or http://localhost:4242; the token BURGEE_TOKEN: on a command line others see it.`;

const formats: Readonly<Record<string, (report: Report) => string>> = {
  table: tableOf,
  json: jsonOf,
  junit: junitOf,
};

interface Wish {
  readonly project: string;
  readonly server: Server;
  readonly limits: Limits;
  readonly format: (report: Report) => string;
  readonly output: string | undefined;
}

/** Whatever is there that no option took may be a secret: it is not repeated. */
function parsedOptions(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...{ project: text, 'max-stale': text, 'min-health': text, format: text, output: text },
      ...{ url: text, token: text, help: { type: 'boolean' } },
    },
  });
  if (positionals.length > 0)
    throw new StartError(`There is a word that is no option.\n\n${usage}`);
  return values;
}

function integer(name: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new StartError(`--${name} must be a whole number from 0 to ${most}, not '${text}'`);
}

function serverAt(address: string, token: string): Server {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new StartError(
      'The address of the server must be an http:// or https:// URL without a name and a password in it',
    );
  }
  if (token === '') throw new StartError('There is no token: set BURGEE_TOKEN');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new StartError('The token has characters that no token has');
  }
  url.search = '';
  url.hash = '';
  // Whatever stands before the API's own path stays before it.
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { url, token };
}

type Environment = Readonly<Record<string, string | undefined>>;

function wishOf(values: ReturnType<typeof parsedOptions>, environment: Environment): Wish {
  const { project, url, token, format = 'table', output } = values;
  if (!project) throw new StartError(`--project is missing.\n\n${usage}`);
  // `toString` is no format, though every object has one.
  const write = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!write) {
    throw new StartError(
      `--format must be one of ${Object.keys(formats).join(', ')}, not '${format}'`,
    );
  }
  const address = url ?? (environment.BURGEE_URL || 'http://localhost:4242');
  return {
    project,
    server: serverAt(address, token ?? environment.BURGEE_TOKEN?.trim() ?? ''),
    limits: {
      maxStale: integer('max-stale', values['max-stale'], 2_147_483_647),
      minHealth: integer('min-health', values['min-health'], 100),
    },
    format: write,
    output,
  };
}

const hasAny = ({ maxStale, minHealth }: Limits): boolean =>
  maxStale !== null || minHealth !== null;

const chosenLimits = (wished: Limits, stored: Limits): Report['limits'] => {
  if (hasAny(wished)) return { ...wished, from: 'command line' };
  return { ...stored, from: hasAny(stored) ? 'project' : 'none' };
};

/** Whoever reads it may go before its end: what was found out stands all the same. */
const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      const code = error && (error as NodeJS.ErrnoException).code;
      if (!error || code === 'EPIPE') resolve();
      else reject(new StartError(`The list cannot be written (${code})`));
    });
  });

async function deliver(text: string, output: string | undefined): Promise<void> {
  if (output === undefined) return print(text);
  try {
    writeFileSync(output, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${output} cannot be written (${code})`);
  }
}

/** Line by line: nothing else in a message moves the cursor. */
const say = (message: string): void => {
  process.stderr.write(`${message.split('\n').map(printable).join('\n')}\n`);
};

/** Whether the project is within its limits. */
async function check({ project, server, limits, format, output }: Wish): Promise<boolean> {
  const { budget, current, debtors } = await measure(server, project);
  const report = reportOf({ project, limits: chosenLimits(limits, budget), current, debtors });
  await deliver(format(report), output);
  for (const excess of report.exceeded) say(`Project ${project}: ${sentenceOf(excess)}`);
  return report.withinBudget;
}

const isMistyped = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

export async function run(args: readonly string[]): Promise<void> {
  // A write that fails is told to whoever wrote; without anybody who listens it would end the process with 1.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const values = parsedOptions(args);
    if (values.help) await print(`${usage}\n`);
    else process.exitCode = (await check(wishOf(values, process.env))) ? 0 : 1;
  } catch (error) {
    // Whoever reads 1 believes that a limit was exceeded: everything else is another number.
    process.exitCode = 2;
    if (error instanceof StartError || isMistyped(error)) say(error.message);
    else say(String(error instanceof Error ? error.stack : error));
  }
}
