import { StartError } from '../../../platform/start-error.ts';
import type {
  AccessDocument,
  AccountDocument,
  FeatureDocument,
  GroupDocument,
  Installation,
  IntegrationDocument,
  ProjectDocument,
  RoleDocument,
  SegmentDocument,
  TokenDocument,
} from '../document.ts';
import { loginOf } from '../document.ts';
import type { ReadingClient } from './client.ts';
import {
  givenText,
  type Json,
  listOf,
  numberOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
  textsOf,
} from './plain.ts';
import { constraintsOf, featureOf, strategyOf } from './read-feature.ts';

/** Called with the number of features that are read, and of all. */
export type Progress = (done: number, total: number) => void;

const segment = encodeURIComponent;
const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : 1;

/** Reads everything that an import brings over, except the event log. */
export async function readUnleash(
  client: ReadingClient,
  progress: Progress,
  now: Date,
): Promise<Installation> {
  const config = objectOf(await client.get('/api/admin/ui-config'));
  const version = versionOf(config);
  const [environments, featureTypes, context, tagTypes, tags, strategies, ownSegments] =
    await Promise.all([
      client.get('/api/admin/environments'),
      client.get('/api/admin/feature-types'),
      client.get('/api/admin/context'),
      client.get('/api/admin/tag-types'),
      client.get('/api/admin/tags'),
      client.get('/api/admin/strategies'),
      client.find('/api/admin/segments'),
    ]);
  const segments = listOf(objectOf(ownSegments).segments);
  const segmentNames = new Map(segments.map(({ id, name }) => [Number(id), textOf(name)]));
  const access = await readAccess(client);
  const projects = await readProjects(client, segmentNames, access);
  const features = await readFeatures(
    client,
    projects.map(({ id }) => id),
    segmentNames,
    progress,
  );
  return {
    format: 'burgee-installation-1',
    source: {
      url: client.url,
      version,
      edition: textOrNull(config.environment) ?? 'unknown',
      readAt: now.toISOString(),
    },
    environments: listOf(objectOf(environments).environments)
      .map(({ name, type, enabled, sortOrder }) => ({
        name: textOf(name),
        type: textOf(type),
        enabled: enabled === true,
        sortOrder: numberOf(sortOrder, 9999),
      }))
      .sort(byName),
    featureTypes: listOf(objectOf(featureTypes).types).map(({ id, lifetimeDays }) => ({
      id: textOf(id),
      lifetimeDays: numberOrNull(lifetimeDays),
    })),
    contextFields: listOf(context)
      .map(({ name, description, stickiness, sortOrder, legalValues }) => ({
        name: textOf(name),
        description: givenText(description),
        stickiness: stickiness === true,
        sortOrder: numberOf(sortOrder, 10),
        legalValues: listOf(legalValues).map(({ value, description: about }) => ({
          value: textOf(value),
          ...(textOrNull(about) !== null && { description: textOf(about) }),
        })),
      }))
      .sort(byName),
    tagTypes: listOf(objectOf(tagTypes).tagTypes)
      .map(({ name, description, icon, color }) => ({
        name: textOf(name),
        description: textOf(description),
        icon: textOrNull(icon),
        color: textOrNull(color),
      }))
      .sort(byName),
    tags: listOf(objectOf(tags).tags).map(({ type, value }) => ({
      type: textOf(type),
      value: textOf(value),
    })),
    strategyTypes: listOf(objectOf(strategies).strategies)
      .filter(({ editable }) => editable !== false)
      .map(({ name, title, description, deprecated, parameters }) => ({
        name: textOf(name),
        title: textOrNull(title),
        description: textOf(description),
        deprecated: deprecated === true,
        parameters: listOf(parameters).map((parameter) => ({
          name: textOf(parameter.name),
          type: textOrNull(parameter.type) ?? 'string',
          description: textOf(parameter.description),
          required: parameter.required === true,
        })),
      }))
      .sort(byName),
    segments: segments.map(segmentOf).sort(byName),
    projects,
    features,
    roles: access.roles,
    accounts: access.accounts,
    groups: access.groups,
    tokens: await readTokens(client),
    integrations: listOf(objectOf(await client.get('/api/admin/addons')).addons).map(integrationOf),
    applications: await readApplications(client),
  };
}

function versionOf(config: Json): string {
  const { current } = objectOf(config.versionInfo);
  const { enterprise, oss } = objectOf(current);
  const version = textOrNull(enterprise) ?? textOrNull(oss) ?? textOf(config.version);
  const major = Number.parseInt(version, 10);
  if (!(major >= 5)) {
    throw new StartError(
      `This Unleash is of version '${version}'. Burgee imports from 5.x to 8.x: update it first.`,
    );
  }
  return version;
}

const segmentOf = ({ name, description, project, constraints }: Json): SegmentDocument => ({
  name: textOf(name),
  description: givenText(description),
  project: textOrNull(project),
  constraints: constraintsOf(constraints),
});

interface Access {
  readonly roles: readonly RoleDocument[];
  readonly accounts: readonly AccountDocument[];
  readonly groups: readonly GroupDocument[];
  readonly roleNames: ReadonlyMap<number, string>;
  readonly logins: ReadonlyMap<number, string>;
  readonly groupNames: ReadonlyMap<number, string>;
}

/** Groups, custom roles and service accounts exist in the enterprise edition only. */
async function readAccess(client: ReadingClient): Promise<Access> {
  const [people, roleList, groupList, machines] = await Promise.all([
    client.get('/api/admin/user-admin').then(objectOf),
    client.find('/api/admin/roles'),
    client.find('/api/admin/groups'),
    client.find('/api/admin/service-account'),
  ]);
  const listed = [...listOf(people.rootRoles), ...listOf(objectOf(roleList).roles)];
  const roleNames = new Map(listed.map(({ id, name }) => [Number(id), textOf(name)]));
  const roles: RoleDocument[] = [];
  for (const { id, name, type, description } of listOf(objectOf(roleList).roles)) {
    if (type !== 'custom' && type !== 'root-custom') continue;
    const { permissions } = objectOf(await client.get(`/api/admin/roles/${Number(id)}`));
    roles.push({
      name: textOf(name),
      type,
      description: textOf(description),
      permissions: listOf(permissions).map((permission) => ({
        name: textOf(permission.name),
        ...(textOrNull(permission.environment) !== null && {
          environment: textOf(permission.environment),
        }),
      })),
    });
  }
  const accountOf =
    (kind: AccountDocument['kind']) =>
    ({ id, name, username, email, rootRole }: Json): AccountDocument => ({
      id: numberOf(id, 0),
      kind,
      name: textOf(name),
      username: textOrNull(username),
      email: textOrNull(email),
      rootRole: roleNames.get(Number(rootRole)) ?? 'Viewer',
    });
  const humans = listOf(people.users);
  const serviceAccounts = listOf(objectOf(machines).serviceAccounts);
  const accounts = [
    ...humans.map(accountOf('person')),
    ...serviceAccounts.map(accountOf('service account')),
  ];
  const logins = new Map(accounts.map((account) => [account.id, loginOf(account)]));
  const rawGroups = listOf(objectOf(groupList).groups);
  const groups = rawGroups.map(
    ({ name, description, mappingsSSO, rootRole, users }): GroupDocument => ({
      name: textOf(name),
      description: textOf(description),
      mappingsSSO: textsOf(mappingsSSO),
      rootRole: roleNames.get(Number(rootRole)) ?? null,
      members: listOf(users)
        .flatMap(({ user }) => logins.get(Number(objectOf(user).id)) ?? [])
        .sort(),
    }),
  );
  const groupNames = new Map(rawGroups.map(({ id, name }) => [Number(id), textOf(name)]));
  return { roles, accounts, groups, roleNames, logins, groupNames };
}

async function readProjects(
  client: ReadingClient,
  segmentNames: ReadonlyMap<number, string>,
  access: Access,
): Promise<ProjectDocument[]> {
  const living = listOf(objectOf(await client.get('/api/admin/projects')).projects);
  const archived = listOf(
    objectOf(await client.find('/api/admin/projects?archived=true')).projects,
  ).filter(({ archivedAt }) => textOrNull(archivedAt) !== null);
  const all = [...living, ...archived.filter(({ id }) => living.every((each) => each.id !== id))];
  const projects = await Promise.all(
    all.map(async ({ id, name, description, archivedAt }): Promise<ProjectDocument> => {
      const path = segment(textOf(id));
      const overview = objectOf(
        (await client.find(`/api/admin/projects/${path}/overview`)) ??
          (await client.find(`/api/admin/projects/${path}`)),
      );
      const own = listOf(
        objectOf(await client.find(`/api/admin/environments/project/${path}`)).environments,
      );
      const named = listOf(overview.environments).map((each) => textOf(each.environment));
      const naming = objectOf(overview.featureNaming);
      return {
        id: textOf(id),
        name: textOf(name),
        description: givenText(description),
        mode: overview.mode === 'protected' || overview.mode === 'private' ? overview.mode : 'open',
        defaultStickiness: textOrNull(overview.defaultStickiness) ?? 'default',
        featureLimit: numberOrNull(overview.featureLimit),
        featureNaming:
          textOrNull(naming.pattern) === null
            ? null
            : {
                pattern: textOf(naming.pattern),
                example: textOrNull(naming.example),
                description: textOrNull(naming.description),
              },
        linkTemplates: listOf(overview.linkTemplates).map(({ title, urlTemplate }) => ({
          title: textOrNull(title),
          urlTemplate: textOf(urlTemplate),
        })),
        archived: textOrNull(archivedAt) !== null,
        environments: own
          .filter((each) => named.includes(textOf(each.name)))
          .map((each) => ({
            name: textOf(each.name),
            defaultStrategy: each.defaultStrategy
              ? strategyOf(objectOf(each.defaultStrategy), segmentNames)
              : null,
          }))
          .sort(byName),
        access: await readProjectAccess(client, path, access),
      };
    }),
  );
  return projects.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function readProjectAccess(
  client: ReadingClient,
  project: string,
  { roleNames, logins, groupNames }: Access,
): Promise<AccessDocument[]> {
  const found = objectOf(await client.find(`/api/admin/projects/${project}/access`));
  const rolesOf = ({ roles, roleId }: Json): string[] => {
    const ids = Array.isArray(roles) && roles.length > 0 ? roles : [roleId];
    return ids.flatMap((id) => roleNames.get(Number(id)) ?? []);
  };
  return [
    ...listOf(found.users).flatMap((each) => {
      const account = logins.get(Number(each.id));
      return account === undefined ? [] : rolesOf(each).map((role) => ({ role, account }));
    }),
    ...listOf(found.groups).flatMap((each) => {
      const group = groupNames.get(Number(each.id)) ?? textOrNull(each.name);
      return group === null ? [] : rolesOf(each).map((role) => ({ role, group }));
    }),
  ];
}

const pageSize = 100;

interface ListedFeature {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
  /** Undefined: they have to be read. */
  readonly tags: unknown;
  readonly row: Json;
}

/** All features, archived ones too, from the search, or from the lists of versions without it. */
async function listFeatures(
  client: ReadingClient,
  projects: readonly string[],
): Promise<ListedFeature[]> {
  const listed: ListedFeature[] = [];
  const add = (row: Json, project: string, archived: boolean, tags: unknown) =>
    listed.push({ name: textOf(row.name), project, archived, tags, row });
  for (const archived of [false, true]) {
    for (let offset = 0; ; offset += pageSize) {
      const query = `limit=${pageSize}&offset=${offset}&sortBy=name&sortOrder=asc`;
      const page = await client.find(
        `/api/admin/search/features?${query}${archived ? '&archived=IS:true' : ''}`,
      );
      if (page === undefined) return listFromProjects(client, projects);
      const rows = listOf(objectOf(page).features);
      for (const row of rows) {
        const isArchived = textOrNull(row.archivedAt) !== null;
        if (isArchived === archived) add(row, textOf(row.project), archived, row.tags ?? []);
      }
      if (rows.length < pageSize) break;
    }
  }
  return listed;
}

async function listFromProjects(
  client: ReadingClient,
  projects: readonly string[],
): Promise<ListedFeature[]> {
  const listed: ListedFeature[] = [];
  for (const project of projects) {
    const living = objectOf(await client.get(`/api/admin/projects/${segment(project)}/features`));
    for (const row of listOf(living.features)) {
      listed.push({ name: textOf(row.name), project, archived: false, tags: undefined, row });
    }
  }
  const archive = objectOf(await client.find('/api/admin/archive/features'));
  for (const row of listOf(archive.features)) {
    const project = textOrNull(row.project) ?? 'default';
    listed.push({ name: textOf(row.name), project, archived: true, tags: undefined, row });
  }
  return listed;
}

async function readFeatures(
  client: ReadingClient,
  projects: readonly string[],
  segmentNames: ReadonlyMap<number, string>,
  progress: Progress,
): Promise<FeatureDocument[]> {
  const listed = await listFeatures(client, projects);
  let done = 0;
  const features = await Promise.all(
    listed.map(async (each) => {
      const feature = await readListed(client, each, segmentNames);
      done += 1;
      progress(done, listed.length);
      return feature;
    }),
  );
  return features.flatMap((feature) => feature ?? []).sort(byName);
}

/** Reads one feature by name. Undefined: it has been deleted meanwhile. */
async function readListed(
  client: ReadingClient,
  { name, project, archived, tags, row }: ListedFeature,
  segmentNames: ReadonlyMap<number, string>,
): Promise<FeatureDocument | undefined> {
  const path = `/api/admin/projects/${segment(project)}/features/${segment(name)}`;
  const ownTags =
    tags ?? objectOf(await client.find(`/api/admin/features/${segment(name)}/tags`)).tags;
  if (!archived) {
    const found = await client.find(`${path}?variantEnvironments=true`);
    if (found === undefined) return undefined;
    return featureOf({ ...objectOf(found), project }, ownTags, segmentNames);
  }
  // The response about one feature is for living ones. Those about its environments still exist.
  const environments = await Promise.all(
    listOf(row.environments).map(async (environment) => {
      const at = `${path}/environments/${segment(textOf(environment.name))}`;
      const strategies = await client.find(`${at}/strategies`).catch(() => undefined);
      return { ...environment, enabled: false, strategies: strategies ?? [] };
    }),
  );
  return featureOf({ ...row, project, archived: true, environments }, ownTags, segmentNames);
}

/** A list that hides secrets shows asterisks, or no secret. */
const isReadable = (secret: string) => /^[^*\s]+:|^\*:/.test(secret) && !secret.includes('**');

async function readTokens(client: ReadingClient): Promise<TokenDocument[]> {
  const { tokens } = objectOf(await client.get('/api/admin/api-tokens'));
  return listOf(tokens).flatMap((token): TokenDocument[] => {
    const type = token.type === 'backend' ? 'client' : token.type;
    if (type !== 'client' && type !== 'frontend') return [];
    const secret = textOf(token.secret);
    const projects = textsOf(token.projects);
    return [
      {
        name: textOrNull(token.tokenName) ?? textOf(token.username),
        type,
        environment: textOf(token.environment),
        projects: projects.length > 0 ? projects : [textOrNull(token.project) ?? '*'],
        expiresAt: textOrNull(token.expiresAt),
        alias: textOrNull(token.alias),
        secret: token.secure !== true && isReadable(secret) ? secret : null,
      },
    ];
  });
}

const integrationOf = (addon: Json): IntegrationDocument => ({
  id: numberOf(addon.id, 0),
  provider: textOf(addon.provider),
  description: givenText(addon.description),
  enabled: addon.enabled === true,
  parameters: Object.fromEntries(
    Object.entries(objectOf(addon.parameters)).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  ),
  events: textsOf(addon.events),
  projects: textsOf(addon.projects),
  environments: textsOf(addon.environments),
});

async function readApplications(client: ReadingClient) {
  const found = objectOf(await client.find('/api/admin/metrics/applications'));
  return listOf(found.applications).map(({ appName, description, url, icon, color }) => ({
    name: textOf(appName),
    description: textOrNull(description),
    url: textOrNull(url),
    icon: textOrNull(icon),
    color: textOrNull(color),
  }));
}
