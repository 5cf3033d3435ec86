import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { prepareInstallation } from '../../src/app/installation.ts';
import { modules } from '../../src/app/modules.ts';
import { transactOn } from '../../src/app/transact.ts';
import {
  createReadingClient,
  migrate,
  readOwn,
  readUnleash,
} from '../../src/modules/migration/index.ts';
import type { Transact } from '../../src/platform/db/database.ts';
import { hookRunner } from '../../src/platform/hooks.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import type { Replay } from './replay.ts';
import { adminToken } from './unleash.ts';

export const encryptionKeys = [randomBytes(32)];

const settings = {
  initialTokens: { admin: [], client: [], frontend: [] },
  encryptionKeys,
  signingKeyFile: undefined,
  firstAdministrator: { username: 'admin', password: undefined },
} as unknown as Parameters<typeof prepareInstallation>[1];

/** An installation before its first start. */
export async function emptyInstallation() {
  const { db, connection } = await testDatabase('migrated');
  return { db, transact: transactOn(db), url: urlOf(connection) };
}

export type TestInstallation = Awaited<ReturnType<typeof emptyInstallation>>;

export async function importFrom(
  place: TestInstallation,
  url: string,
  transact: Transact = place.transact,
) {
  const bounds = { concurrency: 8, rate: 1000, pausesMs: [] };
  const client = createReadingClient({ url, token: adminToken, ...bounds });
  const theirs = await readUnleash(client, () => undefined, new Date());
  const links: string[] = [];
  const context = {
    ...{ db: place.db, transact, encryptionKeys },
    ...{ baseUrl: 'http://here', progress: () => undefined, runHook: hookRunner(modules) },
    link: (login: string) => void links.push(login),
  };
  const report = await migrate(context, theirs, client, {
    prepare: async (idOf) => {
      const id = idOf('admin');
      const firstAdministrator = { ...settings.firstAdministrator, ...(id && { id }) };
      await prepareInstallation(transact, { ...settings, firstAdministrator });
    },
  });
  return { theirs, report, client, links };
}

export const own = (place: TestInstallation) =>
  readOwn(place.db, { url: '', version: '', edition: '', readAt: '' });

export const countEvents = async ({ db }: TestInstallation): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*) from events`.execute(db);
  return Number(rows[0]?.count);
};

export const settingsOf = ({ url }: TestInstallation) => ({
  DATABASE_URL: url,
  ENCRYPTION_KEY: encryptionKeys[0]?.toString('hex') ?? '',
  BASE_URL: 'https://flags.example.com',
  UNLEASH_TOKEN: adminToken,
  LOG_LEVEL: 'error',
});

export const command = (place: TestInstallation, ...args: string[]) =>
  commandLine(args, settingsOf(place));

export type OwnInstallation = Awaited<ReturnType<typeof own>>;

/** Without what only Burgee has, and the date of the project that the first start creates. */
export const projectFacts = ({
  ours: _,
  createdAt: __,
  ...project
}: OwnInstallation['projects'][number]) => project;

/** The favorites of all users: projects and features. */
export const favorites = async ({ db }: TestInstallation) => {
  const { rows } = await sql<{ login: string; name: string }>`
    select coalesce(u.email, u.username) as login, own.name from users u join (
      select user_id, feature_name as name from feature_favorites
      union all select user_id, project from project_favorites) own on own.user_id = u.id
    order by 1, 2`.execute(db);
  return rows.map(({ login, name }) => [login, name]);
};

/** The options that compare every environment whose client token was recorded. */
export const clientTokens = (server: Replay) =>
  Object.entries(server.recording.client).map(
    ([secret, { environment }]) => `--client-token=${environment}=${secret}`,
  );
