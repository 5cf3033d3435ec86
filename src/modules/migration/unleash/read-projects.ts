import type { AccessDocument, ProjectDocument } from '../document.ts';
import { type ReadingClient, segment } from './client.ts';
import {
  approvalsOf,
  byName,
  givenText,
  type Json,
  listIn,
  listOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
} from './plain.ts';
import type { Access } from './read-access.ts';
import { strategyOf } from './read-feature.ts';

/** The rows of all projects, archived ones too. */
export async function listProjects(client: ReadingClient): Promise<readonly Json[]> {
  const active = listIn(await client.get('/api/admin/projects'), 'projects');
  const archived = listOf(
    objectOf(await client.find('/api/admin/projects?archived=true')).projects,
  ).filter(({ archivedAt }) => textOrNull(archivedAt) !== null);
  return [...active, ...archived.filter(({ id }) => active.every((each) => each.id !== id))];
}

/** All projects, archived ones too. Those in `known` are not read again. */
export async function readProjects(
  client: ReadingClient,
  segmentNames: ReadonlyMap<number, string>,
  access: Access,
  known: readonly ProjectDocument[] = [],
): Promise<ProjectDocument[]> {
  const all = await listProjects(client);
  const projects = await Promise.all(
    all.map(async ({ id, name, description, archivedAt, createdAt }): Promise<ProjectDocument> => {
      const before = known.find((each) => each.id === id);
      if (before) return before;
      const path = segment(textOf(id));
      const overview = objectOf(
        (await client.find(`/api/admin/projects/${path}/overview`)) ??
          (await client.find(`/api/admin/projects/${path}`)),
      );
      const own = listOf(
        objectOf(await client.find(`/api/admin/environments/project/${path}`)).environments,
      );
      const named = listOf(overview.environments).map((each) => textOf(each.environment));
      const approvals = await readApprovals(client, path, overview);
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
        archivedAt: textOrNull(archivedAt),
        createdAt: textOrNull(createdAt),
        environments: own
          .filter((each) => named.includes(textOf(each.name)))
          .map((each) => ({
            name: textOf(each.name),
            defaultStrategy: each.defaultStrategy
              ? strategyOf(objectOf(each.defaultStrategy), segmentNames)
              : null,
            ...approvals.get(textOf(each.name)),
          }))
          .sort(byName),
        access: await readProjectAccess(client, path, access),
      };
    }),
  );
  return projects.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The required approvals of the environments with change requests. The open-source edition has none. */
async function readApprovals(client: ReadingClient, project: string, overview: Json) {
  const isEnabled = listOf(overview.environments).some(
    ({ changeRequestsEnabled }) => changeRequestsEnabled === true,
  );
  const settings = isEnabled
    ? await client.find(`/api/admin/projects/${project}/change-requests/config`)
    : [];
  return new Map(
    listOf(settings)
      .filter(({ changeRequestEnabled }) => changeRequestEnabled === true)
      .map(({ environment, requiredApprovals }) => [
        textOf(environment),
        approvalsOf(requiredApprovals ?? 1),
      ]),
  );
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
