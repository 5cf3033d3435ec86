import type { InjectOptions } from 'fastify';
import { modules } from '../../src/app/modules.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import type { Module } from '../../src/platform/module.ts';
import type { TestApp } from '../support/app.ts';
import { delivery, happened } from '../support/deliveries.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';
import { programs } from '../support/usage.ts';
import { harmlessBodies } from './particulars.ts';

export const endpoints: readonly Endpoint[] = (modules as readonly Module[]).flatMap(
  ({ contract }) => Object.values(contract),
);

const moduleOf = new Map(
  (modules as readonly Module[]).flatMap(({ name, contract }) =>
    Object.values(contract).map((endpoint) => [endpoint, name] as const),
  ),
);

/** Modules whose changes may remove users, roles, tokens or environments. */
const reachingPeople: ReadonlySet<string> = new Set([
  'roles',
  'users',
  'groups',
  'personal-tokens',
  'service-accounts',
  'sign-in',
  'oidc',
  'project-access',
  'environments',
  'projects',
  'move',
]);

/** Whether earlier callers may have lost their roles. */
export const reachesPeople = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' && reachingPeople.has(moduleOf.get(endpoint) ?? '');

export interface Request {
  readonly line: Parameters<TestApp['ask']>[0];
  readonly sent: Omit<InjectOptions, 'url' | 'method'>;
}

/** The parameters of a request line, if it belongs to this endpoint. */
export function paramsOf(endpoint: Endpoint, line: string): Record<string, string> | undefined {
  const path = line.split('?', 1)[0] ?? '';
  const pattern = endpoint.path.replace(/[.()]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${endpoint.method} ${pattern}$`).exec(path);
  if (!match) return undefined;
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

/** The project of a request, from its path or body. */
export async function projectOf(
  app: TestApp,
  endpoint: Endpoint,
  request: Request,
): Promise<string> {
  const params = paramsOf(endpoint, request.line) ?? {};
  const feature = endpoint.scopeOf && params[endpoint.scopeOf];
  if (feature) {
    const found = await app.db
      .selectFrom('features')
      .where('name', '=', feature)
      .select('project')
      .executeTakeFirst();
    return found?.project ?? 'default';
  }
  const body = request.sent.payload as { project?: unknown; projectId?: unknown } | undefined;
  const named = [
    endpoint.scope && params[endpoint.scope],
    params.projectId,
    body?.project,
    body?.projectId,
  ];
  return named.find((name): name is string => typeof name === 'string') ?? 'default';
}

/** Whether the path of a request contains its project. */
export function namesProject(endpoint: Endpoint, { line }: Request): boolean {
  const params = paramsOf(endpoint, line) ?? {};
  return [endpoint.scope, endpoint.scopeOf].some((name) => name !== undefined && params[name]);
}

/** Values for path parameters other than project and feature. */
export async function placesToLookAt(here: TestApp): Promise<Readonly<Record<string, string>>> {
  const { ask } = here;
  const create = make(ask);
  const segment = await create.segment('looked-at');
  const { last } = await here.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const strategy = await create.strategy('looked-at', { segments: [segment.id] });
  await ask('POST /api/admin/features/looked-at/tags', {
    payload: { type: 'simple', value: 'seen' },
  });
  const account = (
    await ask('POST /api/admin/service-account', {
      payload: { username: 'looked-at', name: 'Looked at', rootRole: 3 },
    })
  ).json();
  const link = (
    await ask('POST /api/admin/invite-link/tokens', {
      payload: { name: 'looked-at', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    })
  ).json();
  const addon = (
    await ask('POST /api/admin/addons', {
      payload: {
        provider: 'webhook',
        enabled: false,
        parameters: { url: 'http://127.0.0.1:9/hook' },
        events: [],
      },
    })
  ).json();
  const delivered = await delivery(here, addon.id, {
    eventId: await happened(here, { project: 'default' }),
  });
  const feature = '/api/admin/projects/default/features/looked-at';
  await programs(here).register({ appName: 'looked-at' });
  await ask(`PUT ${feature}/review`, { payload: { permanent: true, reason: 'Looked at' } });
  const code = '/api/admin/projects/default/code-references';
  await ask(`PUT ${code}`, { payload: { repository: 'forgotten', references: [] } });
  const proposal = (
    await ask('POST /api/admin/projects/default/environments/development/change-requests', {
      payload: {
        feature: 'looked-at',
        action: 'updateTags',
        payload: { addedTags: [], removedTags: [] },
      },
    })
  ).json();
  const request = `/api/admin/projects/default/change-requests/${proposal.id}`;
  await ask(`PUT ${request}/state`, { payload: { state: 'In review' } });
  const subscriber = await person(here);
  const group = (await ask('POST /api/admin/groups', { payload: { name: 'looked-at' } })).json();
  const calendar = (
    await subscriber.ask('POST /api/admin/user/calendar-tokens', { payload: {} })
  ).json();
  return {
    getCalendarFile: `/api/admin/calendar.ics?token=${calendar.secret}`,
    getChangeRequest: request,
    getChangeRequestApprovers: `${request}/approvers`,
    previewChangeRequest: `${request}/preview`,
    evaluateChangeRequest: `/api/admin/playground/change-request/${proposal.id}`,
    getAddon: `/api/admin/addons/${addon.id}`,
    getAddonDeliveries: `/api/admin/addons/${addon.id}/deliveries`,
    getAddonRedeliveries: `/api/admin/addons/${addon.id}/redeliveries`,
    getAddonStatistics: `/api/admin/addons/${addon.id}/statistics`,
    getEventDeliveries: `/api/admin/search/events/${await happened(here, { project: 'default' })}/deliveries`,
    getEventReverts: `/api/admin/search/events/reverts?id=${await happened(here, { project: 'default' })}`,
    getEvent: `/api/admin/search/events/${await happened(here, { project: 'default' })}`,
    getHistoryIncident:
      '/api/admin/history/incident?from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z&environment=production',
    getHistoryDifference: `/api/admin/history/difference?from=${last}&to=${last}`,
    getIntegrationEvent: `/api/admin/addons/${addon.id}/events/${delivered}`,
    getIntegrationEvents: `/api/admin/addons/${addon.id}/events`,
    redeliverIntegrationEvent: `/api/admin/addons/${addon.id}/events/${delivered}/redeliver`,
    redeliverIntegrationEvents: `/api/admin/addons/${addon.id}/redeliver`,
    deleteCodeReferences: `${code}?repository=forgotten`,
    testAddon: `/api/admin/addons/${addon.id}/test`,
    getGroup: `/api/admin/groups/${group.id}`,
    getContextField: '/api/admin/context/userId',
    getContextFieldUses: '/api/admin/context/userId/uses',
    getStrategyUses: '/api/admin/strategies/default/uses',
    getTagTypeUses: '/api/admin/tag-types/simple/uses',
    getEnvironmentClientFeatures: '/api/admin/environments/development/client-features',
    getEnvironmentUses: '/api/admin/environments/development/uses',
    getStrategiesByContextField: '/api/admin/context/userId/strategies',
    getEnvironment: '/api/admin/environments/development',
    getFeatureStrategy: `${feature}/environments/development/strategies/${strategy.id}`,
    getSavedViews: '/api/admin/saved-views?page=features',
    getSegment: `/api/admin/segments/${segment.id}`,
    getStrategiesBySegmentId: `/api/admin/segments/${segment.id}/strategies`,
    getSegmentsByStrategyId: `/api/admin/segments/strategies/${strategy.id}`,
    getServiceAccountPermissions: `/api/admin/service-account/${account.id}/permissions`,
    getServiceAccountTokens: `/api/admin/service-account/${account.id}/token`,
    getStrategy: '/api/admin/strategies/flexibleRollout',
    getTag: '/api/admin/tags/simple/seen',
    getTagType: '/api/admin/tag-types/simple',
    getTagsByType: '/api/admin/tags/simple',
    validatePublicSignupToken: `/invite/${link.secret}/validate`,
  };
}

const named: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'looked-at',
  childName: 'looked-at',
  appName: 'looked-at',
  environment: 'development',
  name: 'looked-at',
  key: 'looked-at',
};

/** A request to an endpoint without a scenario. */
export const plainRequest = (
  endpoint: Endpoint,
  lookedAt: Readonly<Record<string, string>>,
): Request => ({
  line: `${endpoint.method} ${lookedAt[endpoint.id] ?? endpoint.path.replace(/:(\w+)/g, (_all, name) => named[name] ?? '1')}` as Request['line'],
  sent: endpoint.method === 'GET' ? {} : { payload: harmlessBodies[endpoint.id] ?? {} },
});
