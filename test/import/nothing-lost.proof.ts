import { expect, test } from 'vitest';
import {
  clientTokens,
  command,
  countEvents,
  emptyInstallation,
  importFrom,
  own,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';

/** A recorded response that a test can change. */
const at = <Response>(server: Replay, path: string): Response =>
  server.recording.responses[`/api/admin/${path}`] as Response;

const featurePath = (name: string) => `projects/default/features/${name}?variantEnvironments=true`;

test('a cutover fails while an environment that SDKs use was not compared', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const source = ['import', 'unleash', '--url', server.url, '--rate', '1000'];
  const only = clientTokens(server).filter((each) => each.includes('=development='));
  const refused = await command(place, ...source, '--cut-over', ...only);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("SDKs use the environment 'production'");
  expect(refused.stderr).toContain('--without-verifying production');
  // Nothing was imported either.
  expect(await countEvents(place)).toBe(0);
  const wrong = await command(place, ...source, '--cut-over', ...only, '--without-verifying=prod');
  expect(wrong.stderr).toContain('--without-verifying prod: environment not found');
  const done = await command(
    ...([place, ...source, '--cut-over', ...only, '--without-verifying', 'production'] as const),
  );
  expect(done.output).toContain("Not compared (--without-verifying): 'production'");
  expect(done).toMatchObject({ code: 0 });

  const verified = await command(place, ...source, '--verify', ...only);
  expect(verified.stdout).toContain("Not compared, although SDKs use it: 'production'");
  expect(verified.code).toBe(2);
  const all = await command(place, ...source, '--verify', ...clientTokens(server));
  expect(all.stdout).toContain("Not compared: 'default'");
  expect(all.code).toBe(0);
  // Links have their own heading.
  expect(done.stdout).toMatch(/Invite links for new users:\n( {2}\S+\t\S+\n){3}\n/);
});

test('an archived feature keeps the variants of its environments', async () => {
  const place = await emptyInstallation();
  const server = await replay('8.2');
  const { features } = at<{
    features: { name: string; environments: { name: string; variantCount: number }[] }[];
  }>(server, 'search/features?limit=100&offset=0&sortBy=name&sortOrder=asc&archived=IS:true');
  const row = features.find(({ name }) => name === 'archived-one');
  const state = row?.environments.find(({ name }) => name === 'development');
  if (state) state.variantCount = 1;
  const variant = { name: 'red', weight: 1000, weightType: 'variable', stickiness: 'default' };
  const path = 'projects/default/features/archived-one/environments/development/variants';
  server.recording.responses[`/api/admin/${path}`] = { version: 1, variants: [variant] };
  await importFrom(place, server.url);
  const here = (await own(place)).features.find(({ name }) => name === 'archived-one');
  expect(here).toMatchObject({
    archived: true,
    environments: [{ name: 'development', enabled: false, variants: [variant] }],
  });
});

test('a feature whose parent is skipped is skipped too, and so are its children', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const feature = (name: string) =>
    at<{ dependencies: object[]; environments: { strategies: object[] }[] }>(
      server,
      featurePath(name),
    );
  const impossible = { contextName: 'email', operator: 'NO_SUCH', values: [], inverted: false };
  feature('parent').environments[0]?.strategies.push({
    ...{ name: 'default', sortOrder: 9, parameters: {}, segments: [], variants: [] },
    constraints: [impossible],
  });
  feature('plain-00').dependencies = [{ feature: 'child', enabled: true, variants: [] }];
  const { report } = await importFrom(place, server.url);
  expect(report.findings).toEqual([]);
  expect(report.plan.findings).toEqual(
    expect.arrayContaining(
      [
        ['child', 'parent'],
        ['plain-00', 'child'],
      ].map(([name, parent]) =>
        expect.objectContaining({
          code: 'PARENT_SKIPPED',
          severity: 'error',
          what: expect.stringContaining(`its parent '${parent}' was skipped`),
          names: [name],
        }),
      ),
    ),
  );
  const names = (await own(place)).features.map(({ name }) => name);
  expect(names).toContain('plain-01');
  for (const name of ['parent', 'child', 'plain-00']) expect(names).not.toContain(name);
});
