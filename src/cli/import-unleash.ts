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
  oneImportAtATime(
    db,
    () => process.stderr.write('Waiting for another import that is under way.\n'),
    work,
  );

/**
 * Brings everything over, and returns what could not be brought. Also used for a document, which has no client and so no
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
    progress: createProgress('Objects', stderr),
    link: (login: string, secret: string) => {
      // The progress bar is on this line.
      if (stderr.isTTY) stderr.write('\r\x1b[2K');
      if (links === 0) stdout.write('\nLinks for new users to choose a password:\n');
      links += 1;
      stdout.write(`  ${printable(login)}\t${invitationUrl(config.baseUrl, secret)}\n`);
    },
  };
  const report = await migrate(context, theirs, client, {
    historyProgress: createProgress('Events', stderr),
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
    `${links > 0 ? '\n' : ''}Imported ${counted(report.events, 'event')}, and created or changed ${counted(report.done, 'object')}; ${report.plan.unchanged} ${report.plan.unchanged === 1 ? 'was' : 'were'} the same.\n`,
  );
  for (const line of findingLines([...report.plan.findings, ...report.findings])) {
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
    `${chosen.map((each) => `--${each}`).join(' and ')} cannot be given together. --plan and --verify change nothing; --follow goes on until another run has --cut-over.`,
  );
}

export const importUnleash = command({
  options: {
    url: { type: 'text', value: 'URL', required: true, does: 'address of Unleash' },
    token: {
      type: 'text',
      value: 'SECRET',
      does: 'admin token, or personal token of an administrator; default: UNLEASH_TOKEN',
    },
    plan: { type: 'switch', does: 'only say what would be done' },
    report: { type: 'text', value: 'FILE', does: 'write the plan as JSON' },
    verify: {
      type: 'switch',
      does: 'only compare what SDKs decide with Unleash and with Burgee, in 10,000 contexts',
    },
    'client-token': {
      type: 'texts',
      value: 'ENV=SECRET',
      does: 'client token of Unleash for --verify and --cut-over; once for each environment',
    },
    'without-verifying': {
      type: 'texts',
      value: 'ENV',
      does: 'cut over although SDKs use this environment and it is not compared; can be repeated',
    },
    follow: {
      type: 'switch',
      does: 'after the run, bring over what changes in Unleash, until another run has --cut-over',
    },
    'cut-over': { type: 'switch', does: 'a last run, a verification, and the end of following' },
    again: {
      type: 'switch',
      does: 'run after a cut-over, although something was changed in Burgee since',
    },
    every: {
      type: 'integer',
      from: 1,
      to: 3600,
      does: 'seconds between checks of --follow; default: 10',
    },
    concurrency: { type: 'integer', from: 1, to: 50, does: 'requests at once; default: 8' },
    rate: { type: 'integer', from: 1, to: 1000, does: 'requests a second; default: 100' },
  },
  notes:
    'Nothing is written to Unleash: only GET requests are sent, and to version 5 the search of its event log, which is a\n' +
    'POST request. A run that was interrupted goes on when it is started again.\n\n' +
    'Exit codes: 0: done. 1: an error, or decisions differ. 2: something of the plan was refused, or an environment that SDKs\n' +
    'use was not compared.',
  async run(values) {
    const { url, plan, follow, every = 10, concurrency = 8, rate = 100 } = values;
    const token = values.token ?? (process.env.UNLEASH_TOKEN || undefined);
    const tokens = clientTokensOf(values['client-token'] ?? []);
    const withoutVerifying = values['without-verifying'] ?? [];
    const bounds = { concurrency, rate };
    refuseTogether(values);
    if (values.verify && tokens.length === 0) throw new StartError('--client-token is missing.');
    if (values['cut-over'] && tokens.length + withoutVerifying.length === 0) {
      throw new StartError('--cut-over verifies, and needs --client-token for each environment.');
    }
    if (values.verify) {
      const client =
        token === undefined ? undefined : createReadingClient({ url, token, ...bounds });
      await withDatabase((context) =>
        verifyOnly(context, url, { tokens, bounds, client, withoutVerifying }),
      );
      return;
    }
    if (token === undefined) throw new StartError('--token is missing, and UNLEASH_TOKEN too.');
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
        `This is the plan for a new installation. ${unused} has none yet, and nothing was created.\n`,
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
          `The cut-over was at ${before.toISOString()}, and something was changed in Burgee since, which this run could undo. To run nevertheless, give --again.`,
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
              `SDKs use ${unverified.length === 1 ? 'the environment' : 'the environments'} ${quoted(unverified)}, and --cut-over does not cut over what it has not compared. Give --client-token ${unverified[0]}=SECRET, or --without-verifying ${unverified[0]}.`,
            );
          }
          setExitCode(await importFrom(context, theirs, client));
          if (!(await verify(context, url, tokens, bounds))) {
            throw new StartError('Decisions differ, so there is no cut-over yet.');
          }
          await cutOver(context, client.url);
        });
        process.stdout.write(
          `${withoutVerifying.length > 0 ? `Not compared, as you said: ${quoted(withoutVerifying)}.\n` : ''}Cut over. Point SDKs to Burgee, then enter the missing secrets of integrations and enable them.\n`,
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
        process.stdout.write('Cut over. Nothing is followed any more.\n');
      }
    });
  },
});
