import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { junitOf } from './debt/junit.ts';
import { measure, type Server } from './debt/measure.ts';
import { jsonOf, type Report, reportOf, sentenceOf, tableOf } from './debt/report.ts';
import type { Limits } from './debt/responses.ts';
import { printableLines } from './printable.ts';
import { writeText } from './write-file.ts';

const formats = { table: tableOf, json: jsonOf, junit: junitOf } as const;

interface DebtOptions {
  readonly project: string;
  readonly server: Server;
  readonly limits: Limits;
  readonly format: (report: Report) => string;
  readonly output: string | undefined;
}

function serverAt(address: string, token: string): Server {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new StartError(
      'The server address must be an http:// or https:// URL without a username and password',
    );
  }
  if (token === '') throw new StartError(noToken);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new StartError('The token contains invalid characters');
  }
  url.search = '';
  url.hash = '';
  // Keeps a path prefix in front of the API's path.
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { url, token };
}

const hasAny = ({ maxStale, minHealth }: Limits): boolean =>
  maxStale !== null || minHealth !== null;

const chosenLimits = (requested: Limits, stored: Limits): Report['limits'] => {
  if (hasAny(requested)) return { ...requested, from: 'command line' };
  return { ...stored, from: hasAny(stored) ? 'project' : 'none' };
};

/** Writes to standard output. The reader may close the pipe early; the result stays valid. */
const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      const code = error && (error as NodeJS.ErrnoException).code;
      if (!error || code === 'EPIPE') resolve();
      else reject(new StartError(`Couldn't write the output (${code})`));
    });
  });

async function deliver(text: string, output: string | undefined): Promise<void> {
  if (output === undefined) return print(text);
  writeText(output, text);
}

const say = (message: string): void => {
  process.stderr.write(`${printableLines(message)}\n`);
};

/** Returns whether the project is within its limits. */
async function check({ project, server, limits, format, output }: DebtOptions): Promise<boolean> {
  const { budget, current, debtors } = await measure(server, project);
  const report = reportOf({ project, limits: chosenLimits(limits, budget), current, debtors });
  await deliver(format(report), output);
  // A table on the screen ends with the same lines.
  if (format !== tableOf || output !== undefined) {
    for (const excess of report.exceeded) say(`Project ${project}: ${sentenceOf(excess)}`);
  }
  return report.withinBudget;
}

/** Says only that the token is missing; no part of a token is ever printed. */
const noToken =
  'No token. Set BURGEE_TOKEN to a token for the admin API (burgee token create --name ci)';

export const debt = command({
  options: {
    project: { type: 'text', value: 'ID', required: true, does: 'project ID' },
    'max-stale': {
      type: 'integer',
      to: 2_147_483_647,
      does: 'maximum number of stale and potentially stale features',
    },
    'min-health': { type: 'integer', to: 100, does: 'minimum health in percent' },
    format: {
      type: 'text',
      oneOf: ['table', 'json', 'junit'],
      does: 'output format; default: table',
    },
    output: { type: 'text', value: 'FILE', does: 'file to write to; default: standard output' },
    url: {
      type: 'text',
      value: 'URL',
      does: 'URL of the server; default: BURGEE_URL, or http://localhost:4242',
    },
    token: {
      type: 'text',
      value: 'TOKEN',
      does: 'API token; prefer BURGEE_TOKEN, because others can see the command line',
    },
  },
  notes: `Lists the stale and potentially stale features of a project. Without --max-stale and --min-health, the budget of the
project applies; without a budget, there is no limit.

Exit code 0: within the limits; 1: over a limit; 2: the result can't be determined.`,
  failureCode: 2,
  async run({ project, url, token, format = 'table', output, ...limits }) {
    // Write errors reach the callback of the write. Without a listener they would end the process with exit code 1.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
    const { BURGEE_URL, BURGEE_TOKEN = '' } = process.env;
    try {
      const isWithin = await check({
        project,
        server: serverAt(
          url ?? (BURGEE_URL || 'http://localhost:4242'),
          token ?? BURGEE_TOKEN.trim(),
        ),
        limits: { maxStale: limits['max-stale'] ?? null, minHealth: limits['min-health'] ?? null },
        format: formats[format],
        output,
      });
      process.exitCode = isWithin ? 0 : 1;
    } catch (error) {
      // Exit code 1 means that a limit was exceeded, so every other failure uses another code.
      process.exitCode = 2;
      if (error instanceof StartError) say(error.message);
      else say(String(error instanceof Error ? error.stack : error));
    }
  },
});
