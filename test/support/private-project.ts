import type { LightMyRequestResponse } from 'fastify';
import { modules } from '../../src/app/modules.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import type { Module } from '../../src/platform/module.ts';
import type { TestApp } from './app.ts';
import { group } from './groups.ts';
import { make } from './make.ts';
import { type Person, person } from './people.ts';
import { programs } from './usage.ts';

export type Ask = TestApp['ask'];

/** The prefix of every name in the private project, and of no other name. */
export const mark = 'hidden';

/** A prefix of the same length for names that do not exist. */
export const absent = 'absent';

export const hidden = `${mark}-project`;

const admin = '/api/admin';

export async function done(answer: ReturnType<Ask>): Promise<LightMyRequestResponse> {
  const response = await answer;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${response.body}`);
  return response;
}

export const endpoints: readonly Endpoint[] = (modules as readonly Module[]).flatMap(
  ({ contract }) => Object.values(contract),
);

/** What everyone can see: shared resources and an open project that uses them. */
export interface Shared {
  readonly segment: number;
  readonly strategy: string;
}

export async function makeShared(ask: Ask): Promise<Shared> {
  const { project, feature, segment, strategy, switchedOn } = make(ask);
  await project('open');
  await done(ask(`POST ${admin}/context`, { payload: { name: 'tenant' } }));
  await done(ask(`POST ${admin}/strategies`, { payload: { name: 'customised', parameters: [] } }));
  await done(ask(`POST ${admin}/tag-types`, { payload: { name: 'colour' } }));
  await done(ask(`POST ${admin}/tags`, { payload: { type: 'simple', value: 'unused' } }));
  const { id } = await segment('everybody');
  await feature('seen', { project: 'open', tags: [{ type: 'simple', value: 'shared' }] });
  const constraints = [{ contextName: 'tenant', operator: 'IN', values: ['1'] }];
  const where = { project: 'open' };
  const { id: used } = await strategy('seen', { segments: [id], constraints }, where);
  await strategy('seen', { name: 'customised' }, where);
  await switchedOn('seen', where);
  await programs({ ask }).metrics({ seen: { yes: 1, no: 0 } }, { appName: 'shared-app' });
  // Reading it stores pending metrics.
  await done(ask(`GET ${admin}/metrics/applications/shared-app`));
  return { segment: id, strategy: used as string };
}

/** Users who get a role in the private project. They are visible to everyone before. */
interface Insiders {
  readonly member: Person;
  readonly inGroup: Person;
  readonly team: number;
}

export async function makeInsiders(app: TestApp): Promise<Insiders> {
  const [member, inGroup] = [await person(app), await person(app)];
  const { id } = await group(app, { users: [inGroup.id] });
  return { member, inGroup, team: id };
}

/** Creates the private project with at least one resource of each kind, as a member and as the administrator. */
export interface Hidden extends Insiders {
  readonly segment: number;
  readonly strategy: string;
  readonly token: number;
  readonly link: string;
  readonly event: number;
  readonly request: number;
}

export async function makeHidden(
  app: TestApp,
  shared: Shared,
  { member, inGroup, team }: Insiders,
): Promise<Hidden> {
  await make(app.ask).project(hidden, { mode: 'private', description: `${mark} description` });
  await done(
    app.ask(`POST ${admin}/projects/${hidden}/access`, {
      payload: { roles: [4], users: [member.id], groups: [] },
    }),
  );
  await done(
    app.ask(`PUT ${admin}/projects/${hidden}/groups/${team}/roles`, { payload: { roles: [5] } }),
  );
  const { ask } = member;
  const { feature, segment, strategy, switchedOn, variants, dependency } = make(ask);
  const where = { project: hidden };
  const path = `${admin}/projects/${hidden}`;
  const tags = [
    { type: 'simple', value: 'shared' },
    { type: 'simple', value: `${mark}-value` },
    { type: 'colour', value: `${mark}-red` },
  ];
  for (const name of ['child', 'parent', 'archived']) {
    await feature(`${mark}-${name}`, { project: hidden, description: `${mark} words`, tags });
  }
  const own = await segment(`${mark}-segment`, where);
  const constraints = [{ contextName: 'tenant', operator: 'IN', values: [`${mark}-tenant`] }];
  const segments = [shared.segment, own.id];
  const { id } = await strategy(`${mark}-child`, { segments, constraints, title: mark }, where);
  await strategy(`${mark}-child`, { name: 'customised' }, where);
  await switchedOn(`${mark}-child`, where);
  await variants(
    `${mark}-parent`,
    [{ name: `${mark}-variant`, weight: 1000, weightType: 'variable', stickiness: 'default' }],
    where,
  );
  await dependency(`${mark}-child`, `${mark}-parent`, where);
  await done(
    ask(`POST ${admin}/saved-views`, {
      payload: { page: 'features', project: hidden, name: mark, query: '', shared: true },
    }),
  );
  await done(
    ask(`POST ${admin}/saved-views`, {
      payload: { page: 'events', name: 'Ours', query: `q=project:${hidden}`, shared: true },
    }),
  );
  await done(ask(`POST ${path}/favorites`));
  await done(ask(`POST ${path}/features/${mark}-child/favorites`));
  await done(
    ask(`POST ${path}/features/${mark}-parent/lifecycle/complete`, { payload: { status: 'kept' } }),
  );
  await done(
    ask(`POST ${path}/features/${mark}-child/link`, {
      payload: { url: `https://${mark}.example/`, title: `${mark} link` },
    }),
  );
  const child = await done(ask(`GET ${path}/features/${mark}-child`));
  await done(
    ask(`PUT ${path}/features/${mark}-child/review`, {
      payload: { permanent: true, reason: `${mark} reason` },
    }),
  );
  await done(
    ask(`PUT ${path}/code-references`, {
      payload: {
        repository: `${mark}-repository`,
        references: [{ feature: `${mark}-child`, path: `${mark}.ts`, line: 1 }],
      },
    }),
  );
  const proposal = await done(
    ask(`POST ${path}/environments/development/change-requests`, {
      payload: {
        feature: `${mark}-child`,
        action: 'addStrategy',
        payload: { name: 'default', title: mark },
      },
    }),
  );
  const request = proposal.json().id as number;
  await done(ask(`PUT ${path}/change-requests/${request}/title`, { payload: { title: mark } }));
  await done(
    ask(`PUT ${path}/change-requests/${request}/state`, { payload: { state: 'In review' } }),
  );
  const planned = await done(
    ask(`POST ${path}/environments/development/change-requests`, {
      payload: {
        feature: `${mark}-parent`,
        action: 'updateEnabled',
        payload: { enabled: true },
      },
    }),
  );
  await done(
    ask(`PUT ${path}/change-requests/${planned.json().id}/state`, {
      payload: { state: 'Scheduled', scheduledAt: new Date(Date.now() + 86_400_000).toISOString() },
    }),
  );
  await done(ask(`DELETE ${path}/features/${mark}-archived`));
  await done(
    ask(`POST ${path}/environments/production/default-strategy`, {
      payload: { name: 'flexibleRollout', title: mark, segments },
    }),
  );
  const token = await done(
    ask(`POST ${path}/api-tokens`, {
      payload: { tokenName: `${mark}-token`, type: 'client', environment: 'development' },
    }),
  );
  const { register, metrics } = programs(app);
  const { secret } = token.json();
  await done(register({ appName: `${mark}-app`, sdkVersion: 'unleash-client-node:1.0.0' }, secret));
  const counts = { yes: 1, no: 0 };
  const uses = { [`${mark}-child`]: counts, [`${mark}-unknown`]: counts };
  await done(metrics(uses, { token: secret, appName: `${mark}-app` }));
  await feature(`${mark}-deleted`, where);
  await done(ask(`DELETE ${path}/features/${mark}-deleted`));
  await done(app.ask(`DELETE ${admin}/archive/${mark}-deleted`));
  const common = { [`${mark}-child`]: counts, [`${mark}-deleted`]: counts };
  await done(metrics(common, { appName: 'shared-app' }));
  // Reading it stores pending metrics, so that nothing is stored later.
  await done(app.ask(`GET ${admin}/metrics/applications/${mark}-app`));
  await done(
    app.ask(`POST ${admin}/features-batch/export`, {
      payload: { environment: 'development', features: [`${mark}-child`] },
    }),
  );
  const log = await done(app.ask(`GET ${admin}/search/events?project=IS:${hidden}&limit=1`));
  return {
    ...{ member, inGroup, team, segment: own.id, strategy: id as string },
    ...{ link: child.json().links[0].id as string },
    ...{ token: token.json().id, event: log.json().events[0].id, request },
  };
}

/** Values of path parameters. */
export type Things = Readonly<Record<string, string>>;

/** The path parameters that can refer to something in a project. */
export const thingsOf = (
  word: string,
  ids: Pick<Hidden, 'segment' | 'strategy' | 'token'> &
    Partial<Pick<Hidden, 'event' | 'link' | 'request'>>,
): Things => ({
  projectId: `${word}-project`,
  featureName: `${word}-child`,
  parent: `${word}-parent`,
  strategyId: ids.strategy,
  'segments/:id': String(ids.segment),
  'tags/:type': 'simple',
  value: `${word}-value`,
  'api-tokens/:name': `${word}-token`,
  secret: String(ids.token),
  environment: 'development',
  appName: `${word}-app`,
  ...(ids.link !== undefined && { linkId: ids.link }),
  'unknown-flags/:name': `${word}-unknown`,
  ...(ids.event !== undefined && { 'events/:id': String(ids.event) }),
  ...(ids.request !== undefined && {
    'change-requests/:id': String(ids.request),
    'change-request/:id': String(ids.request),
    changeId: '1',
  }),
});

/** The keys for each path parameter: with the preceding segment, or only its name. */
const placesOf = ({ path }: Endpoint): readonly (readonly [string, string])[] => {
  const parts = path.split('/');
  return parts.flatMap((part, index) =>
    part.startsWith(':') ? [[`${parts[index - 1]}/${part}`, part.slice(1)] as const] : [],
  );
};

/** The URL of an endpoint with these parameters, or undefined if one is missing. */
export function addressOf(endpoint: Endpoint, things: Things): string | undefined {
  const values = placesOf(endpoint).map(([exact, name]) => things[exact] ?? things[name]);
  if (values.includes(undefined)) return undefined;
  let place = 0;
  return endpoint.path.replace(/:\w+/g, () => encodeURIComponent(values[place++] as string));
}
