import { expect, test } from 'vitest';
import { createFeatures } from '../../src/modules/flags/features/index.ts';
import { createReadingClient, createSync, readUnleash } from '../../src/modules/migration/index.ts';
import { testActor } from '../support/app.ts';
import { emptyInstallation, importFrom, own } from './installation.ts';
import { type Replay, replay } from './replay.ts';
import { adminToken } from './unleash.ts';

/** A recorded response that a test can change. */
const at = <Response>(server: Replay, path: string): Response =>
  server.recording.responses[`/api/admin/${path}`] as Response;

const clientOf = ({ url }: Replay) =>
  createReadingClient({ url, token: adminToken, concurrency: 8, rate: 1000 });

interface Log {
  events: { id: number; type: string }[];
  total: number;
}

const wholeLog = 'search/events?limit=1000&offset=0';

const livingList = 'search/features?limit=100&offset=0&sortBy=name&sortOrder=asc';

interface FeatureList {
  features: { name: string }[];
}

const codesOf = ({ report }: Awaited<ReturnType<typeof importFrom>>) =>
  report.plan.findings.map(({ code, what, names = [] }) => `${code}: ${what} ${names.join()}`);

test('a feature that was created in Burgee is not overwritten by an imported one of the same name', async () => {
  const place = await emptyInstallation();
  const server = await replay('8.2');
  await importFrom(place, server.url);
  const features = at<FeatureList>(server, livingList);
  const [row] = features.features;
  const detail = at<object>(
    server,
    `projects/default/features/${row?.name}?variantEnvironments=true`,
  );
  features.features.push({ ...row, name: 'ours' });
  server.recording.responses['/api/admin/projects/default/features/ours?variantEnvironments=true'] =
    { ...detail, name: 'ours' };
  await place.transact(testActor, (tx) =>
    createFeatures(tx, 'default', [
      { name: 'ours', description: 'made by hand', type: 'release', impressionData: false },
    ]),
  );
  const again = await importFrom(place, server.url);
  expect(codesOf(again)).toContainEqual(expect.stringMatching(/CREATED_IN_BURGEE: .* ours/));
  expect((await own(place)).features.find(({ name }) => name === 'ours')).toMatchObject({
    description: 'made by hand',
  });
});

test('a feature that is revived while features are listed is imported', async () => {
  const server = await replay('8.2');
  const list = at<FeatureList>(server, livingList);
  const before = { features: list.features.filter(({ name }) => name !== 'plain-03') };
  let readings = 0;
  Object.defineProperty(server.recording.responses, `/api/admin/${livingList}`, {
    get: () => {
      readings += 1;
      return readings === 1 ? before : list;
    },
  });
  const theirs = await readUnleash(clientOf(server), () => undefined, new Date());
  expect(theirs.features.map(({ name }) => name)).toContain('plain-03');
});

test('an import that follows Unleash notices a disabled environment without an event', async () => {
  const server = await replay('6.6');
  const newest = at<Log>(server, wholeLog).events.reduce((a, b) => (a.id > b.id ? a : b));
  server.recording.responses['/api/admin/search/events?limit=1&offset=0'] = {
    events: [newest],
    total: 1,
  };
  const sync = createSync(
    clientOf(server),
    () => () => undefined,
    () => new Date(),
  );
  await sync.look();
  sync.used();
  expect(await sync.look()).toBeUndefined();
  const list = at<{ environments: { name: string; enabled: boolean }[] }>(server, 'environments');
  for (const each of list.environments) if (each.name === 'production') each.enabled = false;
  const found = await sync.look();
  expect(found?.environments).toContainEqual(
    expect.objectContaining({ name: 'production', enabled: false }),
  );
  sync.used();
  expect(await sync.look()).toBeUndefined();
});
