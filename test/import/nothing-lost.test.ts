import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { groupFindings } from '../../src/modules/migration/plan.ts';
import { findingLines } from '../../src/modules/migration/report.ts';
import { environmentsInUse } from '../../src/modules/migration/verify/in-use.ts';
import { commandLine } from '../support/command-line.ts';
import {
  command,
  emptyInstallation,
  importFrom,
  own,
  settingsOf,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';
import { adminToken } from './unleash.ts';

/** A recorded response that a test can change. */
const at = <Response>(server: Replay, path: string): Response =>
  server.recording.responses[`/api/admin/${path}`] as Response;

const featurePath = (name: string) => `projects/default/features/${name}?variantEnvironments=true`;

const codesOf = ({ report }: Awaited<ReturnType<typeof importFrom>>) =>
  report.plan.findings.map(({ code }) => code);

describe('an import from 8.2', () => {
  let place: TestInstallation;
  let server: Replay;
  let first: Awaited<ReturnType<typeof importFrom>>;

  beforeAll(async () => {
    place = await emptyInstallation();
    server = await replay('8.2');
    first = await importFrom(place, server.url);
  });

  test('imports context fields of projects, feature types, creators, dates and links', async () => {
    const here = await own(place);
    expect(here.contextFields).toContainEqual(
      expect.objectContaining({
        ...{ name: 'shopId', description: 'Which shop', stickiness: true },
        legalValues: [{ value: 'a' }, { value: 'b', description: 'B' }],
      }),
    );
    expect(codesOf(first)).toContain('PROJECT_CONTEXT_FIELD');
    const feature = (name: string) => here.features.find((each) => each.name === name);
    const there = (name: string) => first.theirs.features.find((each) => each.name === name);
    expect(here.featureTypes).toContainEqual(expect.objectContaining({ id: 'sunset' }));
    expect(feature('sunset-one')).toMatchObject({ type: 'sunset' });
    expect(feature('by-ada')).toMatchObject({
      createdAt: there('by-ada')?.createdAt,
      createdBy: { name: 'ada@example.com', account: 'ada@example.com' },
    });
    // Unleash shows tokens only by name.
    expect(feature('plain-00')?.createdBy).toEqual(there('plain-00')?.createdBy);
    expect(feature('tagged')?.links).toEqual([
      { url: 'https://tracker.example.com/1', title: 'Ticket' },
    ]);
    expect(here.segments.find(({ name }) => name === 'segment-by-ada')).toMatchObject({
      createdBy: { account: 'ada@example.com' },
    });
    for (const kind of ['accounts', 'integrations'] as const) {
      const dates = new Map(here[kind].map(({ id, createdAt }) => [id, createdAt]));
      expect([...dates.values()]).toEqual(
        expect.arrayContaining(
          first.theirs[kind]
            .filter((each) => !('username' in each && each.username === 'admin'))
            .map(({ createdAt }) => createdAt),
        ),
      );
    }
  });

  test('lists in the plan what cannot be created, and names admin tokens', () => {
    const { findings } = first.report;
    expect(findings).toEqual([]);
    expect(first.report.plan.skipped).toEqual([
      { kind: 'strategyType', name: 'gradualRolloutUserId', why: expect.any(String) },
    ]);
    expect(first.report.plan.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'STRATEGY_TYPE_BUILT_IN',
          severity: 'info',
          names: ['gradualRolloutUserId'],
        }),
        expect.objectContaining({ code: 'ADMIN_TOKEN', names: ['admin'] }),
      ]),
    );
  });

  test('imports later changes of links, stages and creation, and nothing else', async () => {
    const tagged = at<Record<string, unknown>>(server, featurePath('tagged'));
    tagged.links = [{ id: '1', url: 'https://tracker.example.com/2', title: null }];
    const enteredStageAt = '2026-01-01T16:00:00.000Z';
    const completed = at<Record<string, unknown>>(server, featurePath('plain-04'));
    completed.lifecycle = { stage: 'completed', status: 'discarded', enteredStageAt };
    // It was completed, and that was undone.
    const finished = at<Record<string, unknown>>(server, featurePath('finished'));
    finished.lifecycle = { stage: 'live', enteredStageAt };
    const again = at<Record<string, unknown>>(server, featurePath('by-ada'));
    again.createdAt = '2026-01-01T17:00:00.000Z';
    again.createdBy = { id: 3, name: 'Grace' };
    const { report } = await importFrom(place, server.url);
    expect(report).toMatchObject({ done: 4, findings: [] });
    const { features } = await own(place);
    const feature = (name: string) => features.find((each) => each.name === name);
    expect(feature('tagged')?.links).toEqual([
      { url: 'https://tracker.example.com/2', title: null },
    ]);
    expect(feature('plain-04')?.lifecycle).toMatchObject({
      ...{ stage: 'completed', status: 'discarded' },
    });
    expect(feature('finished')?.lifecycle).toMatchObject({ stage: 'live', status: null });
    expect(feature('by-ada')).toMatchObject({
      createdAt: '2026-01-01T17:00:00.000Z',
      createdBy: { name: 'grace', account: 'grace' },
    });
    expect((await importFrom(place, server.url)).report).toMatchObject({ done: 0, findings: [] });
  });

  test('recognizes a renamed segment and does not change the strategies that use it', async () => {
    const { segments } = at<{ segments: { name: string }[] }>(server, 'segments');
    for (const segment of segments) {
      if (segment.name === 'europeans') segment.name = 'people in Europe';
    }
    const again = await importFrom(place, server.url);
    expect(again.report).toMatchObject({ done: 1, findings: [] });
    expect(codesOf(again)).not.toContain('DELETED_IN_SOURCE');
    const here = await own(place);
    expect(here.segments.map(({ name }) => name).sort()).toEqual(
      again.theirs.segments.map(({ name }) => name).sort(),
    );
    expect((await importFrom(place, server.url)).report.done).toBe(0);
  });
});

test('an error names the option whose token is invalid, missing, or of another environment', async () => {
  const place = await emptyInstallation();
  const server = await replay('6.6');
  const source = ['import', 'unleash', '--url', server.url, '--verify'];
  const unknown = await command(place, ...source, '--client-token', 'development=wrong');
  expect(unknown.stderr).toContain('--client-token development must be a client token');
  const [secret] =
    Object.entries(server.recording.client).find(
      ([, { environment }]) => environment === 'production',
    ) ?? [];
  const other = await command(place, ...source, '--client-token', `development=${secret}`);
  expect(other).toMatchObject({ code: 1, stdout: '' });
  expect(other.stderr).toContain("development is for the environment 'production'");
  const missing = await commandLine(['import', 'unleash', '--url', server.url], {
    ...settingsOf(place),
    UNLEASH_TOKEN: '',
  });
  expect(missing.stderr).toContain('Missing required option: --token');
});

test('a plan creates no installation and cannot be combined with options that change one', async () => {
  const server = await replay('6.6');
  const folder = join(mkdtempSync(join(tmpdir(), 'burgee-plan-')), 'data');
  const source = ['import', 'unleash', '--url', server.url, '--rate', '1000', '--plan'];
  const settings = { DATA_DIR: folder, UNLEASH_TOKEN: adminToken, LOG_LEVEL: 'error' };
  const planned = await commandLine(source, settings);
  expect(planned.stdout).toContain(
    `No installation in ${folder} yet, so this is the plan for a new one. Nothing was created.`,
  );
  expect(planned.stdout).toMatch(/feature +\d+ +0 +0/);
  expect(planned.code).toBe(0);
  expect(existsSync(folder)).toBe(false);
  const both = await commandLine([...source, '--follow'], settings);
  expect(both.stderr).toContain("--plan and --follow can't be combined");
  expect(both.code).toBe(1);
});

test('the same finding for many objects is listed once with their number', () => {
  const about = (name: string) => ({
    ...{ code: 'X', severity: 'warning' as const, what: 'Something.', todo: 'Nothing.' },
    ...{ kind: 'feature' as const, names: [name] },
  });
  const names = Array.from({ length: 49 }, (_, index) => `f-${index}`);
  const findings = groupFindings(names.map(about));
  expect(findings).toEqual([{ ...about(''), names }]);
  expect(findingLines(findings)).toEqual([
    'warning X: Something.',
    expect.stringMatching(/^ {2}49 features: 'f-0', .* and 41 more$/),
    '  Nothing.',
  ]);
});

interface UsageCase {
  readonly tokens?: object[];
  readonly applications?: object[];
}

test.each<[string, UsageCase, string[]]>([
  ['a client token', { tokens: [{ type: 'client' }] }, ['a']],
  ['a frontend token', { tokens: [{ type: 'frontend' }] }, ['a']],
  ['an admin token', { tokens: [{ type: 'admin', environment: '' }] }, []],
  ['an expired token', { tokens: [{ type: 'client', expiresAt: '2026-01-01T00:00:00Z' }] }, []],
  ['a token for all environments', { tokens: [{ type: 'client', environment: '*' }] }, ['a', 'b']],
  ['an application', { applications: [{ usage: [{ project: '*', environments: ['b'] }] }] }, ['b']],
])('%s determines which environments SDKs use', (_, { tokens = [], applications = [] }, used) => {
  const token = { name: 't', environment: 'a', projects: ['*'], alias: null, secret: null };
  const usage = {
    environments: [{ name: 'a' }, { name: 'b' }],
    tokens: tokens.map((each) => ({ ...token, expiresAt: null, ...each })),
    applications,
  };
  expect(environmentsInUse(usage as never, new Date('2026-11-17T00:00:00Z'))).toEqual(used);
});
