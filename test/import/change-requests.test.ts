import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modules } from '../../src/app/modules.ts';
import { roleIds, systemActor } from '../../src/modules/access/gate/index.ts';
import { createRole } from '../../src/modules/access/roles/index.ts';
import {
  type ChangeRequestRules,
  setChangeRequestConfig,
} from '../../src/modules/catalogue/projects/index.ts';
import { hookRunner } from '../../src/platform/hooks.ts';
import {
  command,
  countEvents,
  emptyInstallation,
  importFrom,
  own,
  type TestInstallation,
} from './installation.ts';
import { type Replay, replay } from './replay.ts';

const author = { id: 2, username: 'ada', imageUrl: '' };

const request = (id: number, state: string, more: object) => ({
  ...{ id, state, environment: 'development', project: 'default', minApprovals: 1 },
  ...{ features: [], segments: [], approvals: [{ createdBy: { id: 3, username: 'grace' } }] },
  ...{ rejections: [], comments: [], createdBy: author, createdAt: '2026-11-17T18:00:00.000Z' },
  ...more,
});

const change = (id: number, action: string, payload: unknown) => ({
  ...{ id, action, payload, createdBy: author, createdAt: '2026-11-17T18:00:00.000Z' },
});

const constrained = '/api/admin/projects/default/features/constrained?variantEnvironments=true';

interface Feature {
  environments: { name: string; strategies: { id: string; sortOrder: number }[] }[];
}

/** Like an enterprise edition whose development needs two approvals, by its API description. */
async function enterprise(requests: readonly object[]): Promise<Replay> {
  const server = await replay('8.2');
  const { responses } = server.recording;
  const overview = responses['/api/admin/projects/default/overview'] as { environments: object[] };
  overview.environments = overview.environments.map((environment) => ({
    ...environment,
    changeRequestsEnabled: true,
  }));
  responses['/api/admin/projects/default/change-requests/config'] = [
    ...[{ environment: 'development', changeRequestEnabled: true, requiredApprovals: 2 }],
    ...[{ environment: 'production', changeRequestEnabled: false, requiredApprovals: null }],
  ];
  responses['/api/admin/projects/default/change-requests'] = requests;
  return server;
}

const stored = ({ db }: TestInstallation) =>
  db
    .selectFrom('change_requests as request')
    .leftJoin('change_request_schedules as schedule', 'schedule.request_id', 'request.id')
    .leftJoin('users', 'users.id', 'request.created_by_user_id')
    .select(['request.id', 'title', 'state', 'min_approvals', 'status', 'reason', 'users.email'])
    .orderBy('title')
    .execute();

test('open change requests are imported without approvals, once, in the name of their author', async () => {
  const server = await enterprise([
    request(9, 'Applied', { title: 'Over' }),
    request(8, 'Draft', {
      title: 'A draft',
      features: [{ name: 'plain-00', changes: [change(80, 'updateEnabled', { enabled: true })] }],
    }),
    request(7, 'Scheduled', {
      title: 'B scheduled',
      schedule: { scheduledAt: '2027-01-01T09:00:00.000Z', status: 'pending' },
      features: [{ name: 'plain-01', changes: [change(70, 'updateEnabled', { enabled: false })] }],
    }),
    request(6, 'Approved', {
      title: 'C approved',
      segments: [
        { ...change(61, 'updateSegment', { id: 1, name: 'europeans', constraints: [] }), name: '' },
      ],
      features: [
        {
          name: 'constrained',
          changes: [change(60, 'deleteStrategy', { id: '01M7N9043G9NFZGFR6AQ20E1BD' })],
        },
      ],
    }),
    request(5, 'In review', {
      title: 'Unknown action',
      features: [{ name: 'plain-00', changes: [change(50, 'addReleasePlan', {})] }],
    }),
    request(4, 'In review', { title: 'Unknown author', createdBy: { id: 99, username: 'eve' } }),
  ]);
  const place = await emptyInstallation();
  const { report } = await importFrom(place, server.url);
  const found = await stored(place);
  const by = { min_approvals: 2, email: 'ada@example.com' };
  expect(found).toMatchObject([
    { title: 'A draft', state: 'Draft', status: null, ...by },
    { title: 'B scheduled', state: 'Scheduled', status: 'suspended', ...by },
    { title: 'C approved', state: 'In review', status: null, ...by },
  ]);
  expect(found[1]?.reason).toContain('without its approvals');
  const votes = await place.db.selectFrom('change_request_approvals').selectAll().execute();
  expect(votes).toEqual([]);

  // The strategy has another id here. It is the one with the segment.
  const feature = server.recording.responses[constrained] as Feature;
  const index = feature.environments
    .find(({ name }) => name === 'development')
    ?.strategies.findIndex(({ id }) => id === '01M7N9043G9NFZGFR6AQ20E1BD');
  const strategies = await place.db
    .selectFrom('feature_strategies')
    .where('feature_name', '=', 'constrained')
    .where('environment', '=', 'development')
    .select('id')
    .orderBy('sort_order')
    .execute();
  const changes = await place.db
    .selectFrom('change_request_changes')
    .where('request_id', '=', found[2]?.id ?? 0)
    .select(['action', 'payload', 'feature', 'segment_id'])
    .orderBy('position')
    .execute();
  expect(changes).toMatchObject([
    { action: 'deleteStrategy', payload: { id: strategies[index ?? -1]?.id } },
    { action: 'updateSegment', segment_id: expect.any(Number) },
  ]);

  const findings = report.findings.map(({ code, what }) => `${code}: ${what}`);
  expect(findings).toContainEqual(expect.stringMatching(/SKIPPED.*#5.*'addReleasePlan'/));
  expect(findings).toContainEqual(expect.stringMatching(/SKIPPED.*#4.*author/));
  expect(findings).toContainEqual(expect.stringMatching(/UNAPPROVED: 3 open change requests/));

  const events = await countEvents(place);
  await importFrom(place, server.url);
  expect(await stored(place)).toEqual(found);
  expect(await countEvents(place)).toBe(events);
});

test('approval rules are exported and imported, and no list of approvers becomes empty', async () => {
  const place = await emptyInstallation();
  await importFrom(place, (await enterprise([])).url);
  const rules = {
    ...{ selfApproval: 'nobody' as const, expiresAfterDays: 30 },
    ...{ applyAutomatically: true, emergencyApply: false },
  };
  const ada = (await own(place)).accounts.find(({ email }) => email === 'ada@example.com');
  await place.transact(systemActor, async (tx) => {
    const { id: gone } = await createRole(tx, {
      ...{ name: 'Gone', description: '', type: 'custom', permissions: [] },
    });
    const set = (environment: string, approvers: ChangeRequestRules['approvers']) =>
      setChangeRequestConfig(
        tx,
        { project: 'default', environment },
        { changeRequestsEnabled: true, requiredApprovals: 2, rules: { ...rules, approvers } },
        hookRunner(modules),
      );
    await set('development', { users: [ada?.id ?? 0], groups: [], roles: [roleIds.owner, gone] });
    await set('production', { users: [], groups: [], roles: [gone] });
    await tx.db.deleteFrom('roles').where('id', '=', gone).execute();
  });
  const file = join(mkdtempSync(join(tmpdir(), 'burgee-rules-')), 'document.json');
  expect(await command(place, 'export', file)).toMatchObject({ code: 0 });
  const other = await emptyInstallation();
  expect(await command(other, 'import', file)).toMatchObject({ code: 0 });
  const { projects } = await own(other);
  const environments = projects.find(({ id }) => id === 'default')?.environments;
  expect(environments).toMatchObject([
    {
      name: 'development',
      requiredApprovals: 2,
      rules: {
        ...rules,
        approvers: { users: ['ada@example.com'], groups: [], roles: ['Owner'] },
      },
    },
    { name: 'production', rules: { approvers: { users: [], groups: [], roles: ['Admin'] } } },
  ]);
  const events = await countEvents(other);
  expect(await command(other, 'import', file)).toMatchObject({
    stdout: expect.stringContaining('0 resources created or updated'),
  });
  expect(await countEvents(other)).toBe(events);

  // Someone who was not imported approves nothing, and does not open the list to everyone either.
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const stored = document.projects.find(({ id }: { id: string }) => id === 'default');
  stored.environments[0].rules.approvers = { users: ['eve@example.com'], groups: [], roles: [] };
  writeFileSync(file, JSON.stringify(document));
  await command(other, 'import', file);
  expect(
    (await own(other)).projects.find(({ id }) => id === 'default')?.environments,
  ).toMatchObject([{ rules: { approvers: { users: [], groups: [], roles: ['Admin'] } } }, {}]);
});
