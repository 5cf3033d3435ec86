import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../app/config.ts';
import { findUnusedFolder } from '../app/database.ts';
import { prepareInstallation } from '../app/installation.ts';
import { modules } from '../app/modules.ts';
import { invitationUrl } from '../modules/access/users/index.ts';
import {
  createReadingClient,
  createSync,
  cutOver,
  type Finding,
  findCutOver,
  findingLines,
  type Installation,
  isChangedSince,
  kindLines,
  migrate,
  oneImportAtATime,
  type Plan,
  planForNew,
  planFrom,
  planJson,
  planText,
  type ReadingClient,
  readUnleash,
} from '../modules/migration/index.ts';
import { counted } from '../platform/counted.ts';
import { hookRunner } from '../platform/hooks.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import {
  clientTokensOf,
  exitCodes,
  listUnverified,
  quoted,
  verify,
  verifyOnly,
} from './import-verification.ts';
import { printCredentials } from './print-credentials.ts';
import { printable } from './printable.ts';
import { createProgress } from './progress.ts';
import { type CommandContext, withDatabase } from './with-database.ts';
import { writeText } from './write-file.ts';

/** Does it when no other import is under way. */
export const alone = <Result>({ db }: CommandContext, work: () => Promise<Result>) =>
  oneImportAtATime(db, () => process.stderr.write('Waiting for another import to finish.\n'), work);

/**
 * Imports everything, and returns what could not be imported. Also used for a file, which has no client and so no
 * history.
 */
export async function importFrom(
  { db, transact, config, encryptionKeys }: CommandContext,
  theirs: Installation,
  client: ReadingClient | undefined,
): Promise<readonly Finding[]> {
  const { stdout, stderr } = process;
  let links = 0;
  const context = {
    ...{ db, transact, encryptionKeys, baseUrl: config.baseUrl, runHook: hookRunner(modules) },
    progress: createProgress('Importing', stderr),
    link: (login: string, secret: string) => {
      // The progress bar is on this line.
      if (stderr.isTTY) stderr.write('\r\x1b[2K');
      if (links === 0) stdout.write('\nInvite links for new users:\n');
      links += 1;
      stdout.write(`  ${printable(login)}\t${invitationUrl(config.baseUrl, secret)}\n`);
    },
  };
  const report = await migrate(context, theirs, client, {
    historyProgress: createProgress('Importing events', stderr),
    prepare: async (idOf) => {
      const { firstAdministrator } = config;
      const id = idOf(firstAdministrator.username);
      const generated = await prepareInstallation(transact, {
        ...{ ...config, encryptionKeys },
        firstAdministrator: { ...firstAdministrator, ...(id !== undefined && { id }) },
      });
      printCredentials(generated, firstAdministrator, stdout);
    },
  });
  stdout.write(
    `${links > 0 ? '\n' : ''}Imported ${counted(report.events, 'event')}. ${counted(report.done, 'resource')} created or updated, ${report.plan.unchanged} unchanged.\n`,
  );
  const lines = [
    ...kindLines(report.plan, ['created', 'updated', 'skipped'], report.findings),
    ...findingLines([...report.plan.findings, ...report.findings]),
  ];
  for (const line of lines) {
    stdout.write(`${printable(line)}\n`);
  }
  return report.findings;
}

export function setExitCode(findings: readonly Finding[]): void {
  process.exitCode = findings.length > 0 ? exitCodes.incomplete : 0;
}

/** Options that would contradict each other. */
function refuseTogether(values: {
  readonly plan: boolean;
  readonly verify: boolean;
  readonly follow: boolean;
  readonly 'cut-over': boolean;
}): void {
  const chosen = (['plan', 'verify', 'follow', 'cut-over'] as const).filter((each) => values[each]);
  if (chosen.length < 2) return;
  throw new StartError(
    `${chosen.map((each) => `--${each}`).join(' and ')} can't be combined. --plan and --verify change nothing; --follow runs until you run --cut-over.`,
  );
}

export const importUnleash = command({
  options: {
    url: { type: 'text', value: 'URL', required: true, does: 'URL of the Unleash server' },
    token: {
      type: 'text',
      value: 'SECRET',
      does: "admin token, or an admin's personal access token; default: UNLEASH_TOKEN",
    },
    plan: { type: 'switch', does: 'show what would be imported, without importing' },
    report: { type: 'text', value: 'FILE', does: 'write the plan to FILE as JSON' },
    verify: {
      type: 'switch',
      does: 'only compare evaluations with Unleash in 10,000 contexts',
    },
    'client-token': {
      type: 'texts',
      value: 'ENV=SECRET',
      does: 'Unleash client token for --verify and --cut-over; repeat for each environment',
    },
    'without-verifying': {
      type: 'texts',
      value: 'ENV',
      does: 'cut over without comparing this environment, although SDKs use it; can be repeated',
    },
    follow: {
      type: 'switch',
      does: 'keep importing changes until you run --cut-over',
    },
    'cut-over': { type: 'switch', does: 'import the last changes, verify, and stop following' },
    again: {
      type: 'switch',
      does: 'import again after a cutover, even if Burgee has changed since',
    },
    every: {
      type: 'integer',
      from: 1,
      to: 3600,
      does: 'polling interval of --follow in seconds; default: 10',
    },
    concurrency: { type: 'integer', from: 1, to: 50, does: 'concurrent requests; default: 8' },
    rate: { type: 'integer', from: 1, to: 1000, does: 'requests per second; default: 100' },
  },
  notes:
    'Nothing is written to Unleash. Only GET requests are sent, plus one POST search of the event log on version 5.\n' +
    'Run the command again to resume an interrupted import.\n\n' +
    "Exit code 0: done; 1: an error, or evaluations differ; 2: part of the plan couldn't be imported, or an environment\n" +
    "that SDKs use wasn't compared.",
  async run(values) {
    const { url, plan, follow, every = 10, concurrency = 8, rate = 100 } = values;
    const token = values.token ?? (process.env.UNLEASH_TOKEN || undefined);
    const tokens = clientTokensOf(values['client-token'] ?? []);
    const withoutVerifying = values['without-verifying'] ?? [];
    const bounds = { concurrency, rate };
    refuseTogether(values);
    if (values.verify && tokens.length === 0)
      throw new StartError('Missing required option: --client-token');
    if (values['cut-over'] && tokens.length + withoutVerifying.length === 0) {
      throw new StartError(
        '--cut-over needs --client-token for each environment, because it verifies first.',
      );
    }
    if (values.verify) {
      const client =
        token === undefined ? undefined : createReadingClient({ url, token, ...bounds });
      await withDatabase((context) =>
        verifyOnly(context, url, { tokens, bounds, client, withoutVerifying }),
      );
      return;
    }
    if (token === undefined)
      throw new StartError('Missing required option: --token (or set UNLEASH_TOKEN)');
    const client = createReadingClient({ url, token, ...bounds });
    const progress = () => createProgress('Reading features', process.stderr);
    const show = (planned: Plan) => {
      if (values.report !== undefined) {
        writeText(values.report, `${JSON.stringify(planJson(planned), null, 2)}\n`);
      }
      process.stdout.write(planText(planned, printable));
    };
    const unused = plan
      ? await findUnusedFolder(readConfig(process.env, { logLevel: 'warn' }))
      : undefined;
    if (unused !== undefined) {
      show(planForNew(await readUnleash(client, progress(), new Date())));
      process.stdout.write(
        `No installation in ${unused} yet, so this is the plan for a new one. Nothing was created.\n`,
      );
      return;
    }
    await withDatabase(async (context) => {
      const { db } = context;
      if (plan || values.report !== undefined) {
        const planned = await planFrom(
          db,
          await readUnleash(client, progress(), new Date()),
          client.url,
          client,
        );
        show(planned);
        if (plan) return;
      }
      const before = await findCutOver(db, client.url);
      if (before && !values.again && (await isChangedSince(db, before))) {
        throw new StartError(
          `Already cut over at ${before.toISOString()}, and Burgee has changed since. This import could overwrite those changes. To continue, add --again.`,
        );
      }
      const isCutOver = async () =>
        (await findCutOver(db, client.url))?.getTime() !== before?.getTime();
      const sync = createSync(client, progress, () => new Date());
      let lostEvents: readonly Finding[] = [];
      const importChanges = async () => {
        const theirs = await sync.look();
        if (!theirs) return;
        const findings = await importFrom(context, theirs, client);
        // What was refused is tried again in the next round. Events that could not be imported are missing for good.
        lostEvents = [...lostEvents, ...findings.filter(({ code }) => code.startsWith('EVENTS_'))];
        setExitCode([...findings, ...lostEvents]);
        sync.used();
      };
      if (values['cut-over']) {
        await alone(context, async () => {
          const theirs = await sync.look();
          if (!theirs) throw new Error('The first look reads everything');
          const unverified = listUnverified(theirs, tokens, withoutVerifying);
          if (unverified.length > 0) {
            throw new StartError(
              `SDKs use ${unverified.length === 1 ? 'the environment' : 'the environments'} ${quoted(unverified)}, and --cut-over compares every environment in use. Add --client-token ${unverified[0]}=SECRET, or --without-verifying ${unverified[0]}.`,
            );
          }
          setExitCode(await importFrom(context, theirs, client));
          if (!(await verify(context, url, tokens, bounds))) {
            throw new StartError(
              'Evaluations differ. Cutover stopped; fix the differences above and try again.',
            );
          }
          await cutOver(context, client.url);
        });
        process.stdout.write(
          `${withoutVerifying.length > 0 ? `Not compared (--without-verifying): ${quoted(withoutVerifying)}.\n` : ''}Cutover complete. Point your SDKs to Burgee, then enter the missing integration secrets and enable the integrations.\n`,
        );
        return;
      }
      // While this run waited for another one, that may have been the cut-over.
      const importUnlessCutOver = async () => {
        if (!(await isCutOver())) await importChanges();
      };
      await alone(context, follow ? importUnlessCutOver : importChanges);
      while (follow) {
        await sleep(every * 1000);
        if (await isCutOver()) break;
        try {
          await alone(context, importUnlessCutOver);
        } catch (error) {
          // The other server may be restarted or updated while it is followed for weeks.
          if (!(error instanceof StartError)) throw error;
          process.stderr.write(`${error.message} Trying again in ${every} s.\n`);
        }
      }
      if (follow) {
        // The run with --cut-over has tried again, and said what was refused.
        setExitCode(lostEvents);
        process.stdout.write('Cutover complete. Stopped following Unleash.\n');
      }
    });
  },
});
