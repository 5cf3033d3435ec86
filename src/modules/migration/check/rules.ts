import type { ServedEndpoint } from '../../../platform/http/checked.ts';
import { secretFault, tokens } from '../../access/api-tokens/index.ts';
import { groups } from '../../access/groups/index.ts';
import { roles } from '../../access/roles/index.ts';
import { serviceAccounts } from '../../access/service-accounts/index.ts';
import { users } from '../../access/users/index.ts';
import { context } from '../../catalogue/context-fields/index.ts';
import { environments } from '../../catalogue/environments/index.ts';
import { projects } from '../../catalogue/projects/index.ts';
import { segments } from '../../catalogue/segments/index.ts';
import { strategyTypes } from '../../catalogue/strategy-types/index.ts';
import { tags } from '../../catalogue/tags/index.ts';
import { features } from '../../flags/features/index.ts';
import { findProvider, integrations } from '../../integrations/index.ts';
import { clientMetrics } from '../../sdk/client-metrics/index.ts';
import type { Kind } from '../document.ts';
import { type Installation, loginOf, type StrategyDocument } from '../document.ts';
import type { Section } from './shapes.ts';

type Item<S extends Section> = Installation[S][number];

/** A request that would create a thing, or a part of it. */
export interface Request {
  readonly endpoint: ServedEndpoint;
  readonly body: object;
  /** Where the body is in the thing. */
  readonly at: string;
  /** Whether a fault is not one here. `field` is its path in the body. */
  readonly allows?: (field: string) => boolean;
}

export interface Rules<Thing> {
  readonly kindOf: (thing: Thing) => Kind;
  /** Identifies it in the document. */
  readonly keyOf: (thing: Thing) => string | null;
  /** What people call it. */
  readonly nameOf: (thing: Thing) => string;
  /** Requests of which none may have a fault: otherwise the thing is left out. */
  readonly requests: (thing: Thing) => readonly Request[];
  /** What no endpoint takes. */
  readonly moreFaults?: (thing: Thing) => readonly string[];
  /** Parts that no one's decisions depend on. One with a fault is left out alone. */
  readonly parts?: readonly Part<Thing>[];
}

interface Part<Thing> {
  readonly word: string;
  readonly requests: (thing: Thing) => readonly Request[];
  /** The thing without the requests with these numbers. */
  readonly without: (thing: Thing, numbers: ReadonlySet<number>) => Thing;
}

const left = <Each>(items: readonly Each[], without: ReadonlySet<number>): Each[] =>
  items.filter((_, index) => !without.has(index));

const given = (values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Segments are named in a document. Only how many there are can be checked. */
const strategyBody = ({ segments: names, ...strategy }: StrategyDocument): object => ({
  ...strategy,
  segments: names.map((_, index) => index),
});

const byName = {
  keyOf: ({ name }: { readonly name: string }) => name,
  nameOf: ({ name }: { readonly name: string }) => name,
};

const ofKind = (kind: Kind) => ({ kindOf: () => kind });

const isMasked = (value: string): boolean => /^\*+$/.test(value);

const readableParameters = ({ parameters }: Item<'integrations'>) =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isMasked(value)));

/**
 * For each list of a document: the endpoints that would create its things. The contract and the check of the endpoint say
 * what is accepted, so that an import takes in nothing that the API refuses. `beyond-api.ts` has the exceptions.
 */
export const rules: { readonly [S in Section]: Rules<Item<S>> } = {
  environments: {
    ...ofKind('environment'),
    ...byName,
    requests: ({ name, type, enabled, sortOrder }) => [
      {
        endpoint: environments.contract.createEnvironment,
        body: { name, type, enabled, sortOrder },
        at: '',
        // The plan leaves it out, and says what to do.
        allows: (field) => field === '/name' && name.includes('.') && name.length <= 100,
      },
    ],
  },
  featureTypes: {
    ...ofKind('featureType'),
    keyOf: ({ id }) => id,
    nameOf: ({ id }) => id,
    requests: ({ lifetimeDays }) => [
      { endpoint: features.contract.setLifetime, body: { lifetimeDays }, at: '' },
    ],
  },
  contextFields: {
    ...ofKind('contextField'),
    ...byName,
    requests: ({ createdAt: _, project: __, ...field }) => [
      { endpoint: context.contract.createContextField, body: field, at: '' },
    ],
  },
  tagTypes: {
    ...ofKind('tagType'),
    ...byName,
    requests: (type) => [{ endpoint: tags.contract.createTagType, body: { ...type }, at: '' }],
  },
  tags: {
    ...ofKind('tag'),
    keyOf: ({ type, value }) => JSON.stringify([type, value]),
    nameOf: ({ type, value }) => `${type}:${value}`,
    requests: (tag) => [{ endpoint: tags.contract.createTag, body: { ...tag }, at: '' }],
  },
  strategyTypes: {
    ...ofKind('strategyType'),
    ...byName,
    requests: ({ deprecated: _, ...type }) => [
      { endpoint: strategyTypes.contract.createStrategyType, body: type, at: '' },
    ],
  },
  segments: {
    ...ofKind('segment'),
    ...byName,
    requests: ({ id: _, createdAt: __, createdBy: ___, ...segment }) => [
      { endpoint: segments.contract.createSegment, body: segment, at: '' },
    ],
  },
  projects: {
    ...ofKind('project'),
    keyOf: ({ id }) => id,
    nameOf: ({ id }) => id,
    requests: ({ id, name, description, mode, defaultStickiness, featureLimit, ours, ...more }) => [
      { endpoint: projects.contract.validateProjectId, body: { id }, at: '' },
      {
        endpoint: projects.contract.createProject,
        body: {
          ...{ id, name, description, mode, defaultStickiness, featureLimit, ...ours },
          environments: more.environments.map((each) => each.name),
        },
        at: '',
      },
    ],
    parts: [
      {
        word: 'link template',
        requests: ({ linkTemplates }) =>
          linkTemplates.map((template, index) => ({
            endpoint: projects.contract.updateProjectSettings,
            body: { linkTemplates: [template] },
            at: `/linkTemplates/${index}`,
          })),
        without: (project, numbers) => ({
          ...project,
          linkTemplates: left(project.linkTemplates, numbers),
        }),
      },
      {
        word: 'naming pattern',
        requests: ({ featureNaming }) =>
          featureNaming === null
            ? []
            : [
                {
                  endpoint: projects.contract.updateProjectSettings,
                  body: { featureNaming: { ...featureNaming } },
                  at: '',
                },
              ],
        without: (project, numbers) =>
          numbers.size > 0 ? { ...project, featureNaming: null } : project,
      },
      {
        word: 'default strategy',
        requests: (project) =>
          project.environments.map(({ name, defaultStrategy }) => ({
            endpoint: projects.contract.setDefaultStrategy,
            body: {
              ...(defaultStrategy && strategyBody(defaultStrategy)),
              name: 'flexibleRollout',
            },
            at: `/environments/${name}/defaultStrategy`,
          })),
        without: (project, numbers) => ({
          ...project,
          environments: project.environments.map((each, index) =>
            numbers.has(index) ? { ...each, defaultStrategy: null } : each,
          ),
        }),
      },
    ],
  },
  features: {
    ...ofKind('feature'),
    ...byName,
    requests: (feature) => {
      const { name, type, description, impressionData, stale, createdAt, lifecycle } = feature;
      return [
        {
          endpoint: features.contract.createFeature,
          body: {
            ...{ name, type, description, impressionData, stale },
            ...given({ createdAt }),
          },
          at: '',
        },
        ...(lifecycle?.status
          ? [
              {
                endpoint: features.contract.completeFeature,
                body: { status: lifecycle.status },
                at: '/lifecycle',
              },
            ]
          : []),
        ...feature.dependencies.map((dependency, index) => ({
          endpoint: features.contract.addDependency,
          body: { ...dependency },
          at: `/dependencies/${index}`,
        })),
        ...feature.environments.flatMap(({ name: environment, strategies, variants }) => [
          ...strategies.map((strategy, index) => ({
            endpoint: features.contract.addFeatureStrategy,
            body: strategyBody(strategy),
            at: `/environments/${environment}/strategies/${index}`,
          })),
          {
            endpoint: features.contract.replaceEnvironmentVariants,
            body: [...variants],
            at: `/environments/${environment}/variants`,
          },
        ]),
      ];
    },
    parts: [
      {
        word: 'link',
        requests: ({ links = [] }) =>
          links.map((link, index) => ({
            endpoint: features.contract.addLink,
            body: { ...link },
            at: `/links/${index}`,
          })),
        without: (feature, numbers) =>
          feature.links ? { ...feature, links: left(feature.links, numbers) } : feature,
      },
      {
        word: 'tag',
        requests: (feature) =>
          feature.tags.map((tag, index) => ({
            endpoint: tags.contract.createTag,
            body: { ...tag },
            at: `/tags/${index}`,
          })),
        without: (feature, numbers) => ({ ...feature, tags: left(feature.tags, numbers) }),
      },
    ],
  },
  roles: {
    ...ofKind('role'),
    ...byName,
    requests: (role) => [{ endpoint: roles.contract.createRole, body: { ...role }, at: '' }],
  },
  accounts: {
    kindOf: ({ kind }) => (kind === 'person' ? 'account' : 'serviceAccount'),
    keyOf: ({ id }) => String(id),
    nameOf: (account) => loginOf(account) || String(account.id),
    requests: (account) => {
      const { kind, name, username, email, rootRole } = account;
      const isPerson = kind === 'person';
      // The plan leaves it out, and says what to do.
      if (loginOf(account) === '') return [];
      return [
        {
          endpoint: isPerson
            ? users.contract.createUser
            : serviceAccounts.contract.createServiceAccount,
          body: given({ name, username, ...(isPerson && { email }), rootRole }),
          at: '',
        },
      ];
    },
  },
  groups: {
    ...ofKind('group'),
    ...byName,
    requests: ({ name, description, mappingsSSO, members }) => [
      {
        endpoint: groups.contract.createGroup,
        body: {
          ...{ name, description, mappingsSSO },
          // Members are named in a document. Only how many there are can be checked.
          users: members.map(() => ({ user: { id: 1 } })),
        },
        at: '',
      },
    ],
  },
  tokens: {
    ...ofKind('token'),
    keyOf: ({ secret }) => secret,
    nameOf: ({ name }) => name,
    requests: ({ name, type, environment, projects: ids, expiresAt, alias }) => [
      {
        endpoint: tokens.contract.createApiToken,
        body: {
          ...{ tokenName: name, type, projects: ids, expiresAt, alias },
          // The plan leaves a token without a known environment out, and says what to do.
          ...(environment !== '' && { environment }),
        },
        at: '',
      },
    ],
    moreFaults: ({ secret }) => {
      const fault = secret === null ? undefined : secretFault(secret);
      return fault === undefined ? [] : [`/secret ${fault}`];
    },
  },
  integrations: {
    ...ofKind('integration'),
    keyOf: ({ id }) => String(id),
    nameOf: ({ provider, id }) => `${provider} ${id}`,
    requests: (integration) => {
      const { id: _, createdAt: __, enabled: ___, description, ...facts } = integration;
      const parameters = readableParameters(integration);
      // The plan leaves it out, and says what to do.
      if (!findProvider(integration.provider)) return [];
      return [
        {
          endpoint: integrations.contract.createIntegration,
          body: { ...facts, description: description ?? '', enabled: false, parameters },
          at: '',
          // What is hidden there is entered here, later.
          allows: (field) => {
            const [, parameter] = /^\/parameters\/([^/]+)$/.exec(field) ?? [];
            return parameter !== undefined && !Object.hasOwn(parameters, parameter);
          },
        },
      ];
    },
  },
  applications: {
    ...ofKind('application'),
    ...byName,
    requests: ({ name, description, url, icon, color }) => [
      { endpoint: clientMetrics.contract.register, body: { appName: name }, at: '' },
      {
        endpoint: clientMetrics.contract.annotateApplication,
        body: { description, url, icon, color },
        at: '',
      },
    ],
  },
};
