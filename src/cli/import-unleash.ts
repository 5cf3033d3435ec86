import { setTimeout as sleep } from 'node:timers/promises';
import { prepareInstallation } from '../installation.ts';
import { invitationUrl } from '../modules/access/users/index.ts';
import {
  compareDefinitions,
  createFollower,
  createReadingClient,
  cutOver,
  findCutOver,
  findingLines,
  type Installation,
  isChangedSince,
  migrate,
  oneImportAtATime,
  planFrom,
  planJson,
  planText,
  type ReadingClient,
  readOwnDefinition,
  readTheirDefinition,
  readUnleash,
  type Verification,
} from '../modules/migration/index.ts';
import { modules } from '../modules.ts';
import { counted } from '../platform/counted.ts';
import { hookRunner } from '../platform/hooks.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { printable } from './printable.ts';
import { createProgress } from './progress.ts';
import { sayGenerated } from './say-generated.ts';
import { type CommandContext, withDatabase } from './with-database.ts';
import { writeText } from './write-file.ts';

/** Contexts that `--verify` draws in each environment. */
const contexts = 10_000;

function clientTokensOf(given: readonly string[]): { environment: string; secret: string }[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    // The text is not repeated, because it contains a secret.
    if (at <= 0 || at === text.length - 1) {
      throw new StartError('--client-token must be ENVIRONMENT=SECRET');
    }
    return { environment: text.slice(0, at), secret: text.slice(at + 1) };
  });
}

/** Does it when no other import is under way. */
export const alone = <Result>({ db }: CommandContext, work: () => Promise<Result>) =>
  oneImportAtATime(
    db,
    () => process.stderr.write('Waiting for another import that is under way.\n'),
    work,
  );

/** Brings everything over. Also used for a document, which has no client and so no history. */
export async function bringOver(
  { db, transact, config, encryptionKeys }: CommandContext,
  theirs: Installation,
  client: ReadingClient | undefined,
): Promise<void> {
  const { stdout, stderr } = process;
  const context = {
    ...{ db, transact, encryptionKeys, baseUrl: config.baseUrl, runHook: hookRunner(modules) },
    progress: createProgress('Things', stderr),
    link: (login: string, secret: string) => {
      // The progress bar is on this line.
      if (stderr.isTTY) stderr.write('\r\x1b[2K');
      stdout.write(`${printable(login)}\t${invitationUrl(config.baseUrl, secret)}\n`);
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
      sayGenerated(generated, firstAdministrator, stdout);
    },
  });
  stdout.write(
    `Imported ${counted(report.events, 'event')}, and made or changed ${counted(report.done, 'thing')}; ${report.plan.unchanged} ${report.plan.unchanged === 1 ? 'was' : 'were'} the same.\n`,
  );
  for (const line of findingLines([...report.plan.findings, ...report.findings])) {
    stdout.write(`${printable(line)}\n`);
  }
  if (report.findings.length > 0) process.exitCode = 2;
}

async function verify(
  { db }: CommandContext,
  url: string,
  tokens: readonly { environment: string; secret: string }[],
  bounds: { concurrency: number; rate: number },
): Promise<boolean> {
  const results: Verification[] = [];
  for (const { environment, secret } of tokens) {
    const client = createReadingClient({ url, token: secret, ...bounds });
    const there = await readTheirDefinition(client);
    const here = await readOwnDefinition(db, environment);
    const now = new Date();
    results.push(compareDefinitions(environment, there, here, { count: contexts, now }));
  }
  for (const { environment, features, contexts: count, differences } of results) {
    process.stdout.write(
      `${environment}: ${features} features in ${count} contexts, ${differences.length} differences\n`,
    );
    for (const { feature, context, there, here } of differences) {
      process.stdout.write(
        `${printable(`  ${feature}: there ${JSON.stringify(there)}, here ${JSON.stringify(here)}, for example for ${JSON.stringify(context)}`)}\n`,
      );
    }
  }
  return results.every(({ differences }) => differences.length === 0);
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
      does: 'only compare what SDKs decide there and here, in 10,000 contexts',
    },
    'client-token': {
      type: 'texts',
      value: 'ENV=SECRET',
      does: 'client token there for --verify; once for each environment',
    },
    follow: {
      type: 'switch',
      does: 'after the run, bring over what changes there, until another run has --cut-over',
    },
    'cut-over': { type: 'switch', does: 'a last run, a verification, and the end of following' },
    again: {
      type: 'switch',
      does: 'run after a cut-over, although things were changed here since',
    },
    every: { type: 'integer', from: 1, to: 3600, does: 'seconds between looks; default: 10' },
    concurrency: { type: 'integer', from: 1, to: 50, does: 'requests at once; default: 8' },
    rate: { type: 'integer', from: 1, to: 1000, does: 'requests a second; default: 100' },
  },
  notes:
    'Nothing is written to Unleash: only GET requests are sent, and to version 5 the search of its event log, which is a\n' +
    'POST request. A run that was interrupted goes on when it is started again.',
  async run(values) {
    const { url, plan, follow, every = 10, concurrency = 8, rate = 100 } = values;
    const token = values.token ?? process.env.UNLEASH_TOKEN;
    const tokens = clientTokensOf(values['client-token'] ?? []);
    const bounds = { concurrency, rate };
    if (values.verify && tokens.length === 0) throw new StartError('--client-token is missing.');
    if (values['cut-over'] && tokens.length === 0) {
      throw new StartError('--cut-over verifies, and needs --client-token for each environment.');
    }
    if (values.verify) {
      const same = await withDatabase((context) => verify(context, url, tokens, bounds));
      if (!same) process.exitCode = 1;
      return;
    }
    if (follow && values['cut-over']) {
      throw new StartError('--follow goes on until another run has --cut-over. Give one of them.');
    }
    if (token === undefined) throw new StartError('--token is missing.');
    const client = createReadingClient({ url, token, ...bounds });
    const progress = () => createProgress('Reading features', process.stderr);
    await withDatabase(async (context) => {
      const { db } = context;
      if (plan || values.report !== undefined) {
        const planned = await planFrom(
          db,
          await readUnleash(client, progress(), new Date()),
          client.url,
        );
        if (values.report !== undefined) {
          writeText(values.report, `${JSON.stringify(planJson(planned), null, 2)}\n`);
        }
        process.stdout.write(planText(planned, printable));
        if (plan) return;
      }
      const before = await findCutOver(db, client.url);
      if (before && !values.again && (await isChangedSince(db, before))) {
        throw new StartError(
          `The cut-over was at ${before.toISOString()}, and things were changed here since, which this run could undo. To run nevertheless, give --again.`,
        );
      }
      const isCutOver = async () =>
        (await findCutOver(db, client.url))?.getTime() !== before?.getTime();
      const follower = createFollower(client, progress, () => new Date());
      const bringChanges = async () => {
        const theirs = await follower.look();
        if (!theirs) return;
        await bringOver(context, theirs, client);
        follower.used();
      };
      if (values['cut-over']) {
        await alone(context, async () => {
          await bringChanges();
          if (!(await verify(context, url, tokens, bounds))) {
            throw new StartError('The two differ, so there is no cut-over yet.');
          }
          await cutOver(context, client.url);
        });
        process.stdout.write(
          'Cut over. Point SDKs to Burgee, then enter the missing secrets of integrations and switch them on.\n',
        );
        return;
      }
      // While this run waited for another one, that may have been the cut-over.
      const bringUnlessCutOver = async () => {
        if (!(await isCutOver())) await bringChanges();
      };
      await alone(context, follow ? bringUnlessCutOver : bringChanges);
      while (follow) {
        await sleep(every * 1000);
        if (await isCutOver()) break;
        try {
          await alone(context, bringUnlessCutOver);
        } catch (error) {
          // The other server may be restarted or updated while it is followed for weeks.
          if (!(error instanceof StartError)) throw error;
          process.stderr.write(`${error.message} Trying again in ${every} s.\n`);
        }
      }
      if (follow) process.stdout.write('Cut over. Nothing is followed any more.\n');
    });
  },
});
