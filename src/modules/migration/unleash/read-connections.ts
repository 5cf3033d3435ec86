import type { ApplicationDocument, IntegrationDocument, TokenDocument } from '../document.ts';
import { type ReadingClient, segment } from './client.ts';
import { mostListed } from './limits.ts';
import { readAllPages } from './pages.ts';
import {
  byName,
  givenText,
  type Json,
  listIn,
  listOf,
  numberOf,
  objectOf,
  textOf,
  textOrNull,
  textsOf,
} from './plain.ts';

/** A list that hides secrets shows asterisks, or no secret. Secrets of old versions name neither project nor environment. */
const isReadable = (secret: string) =>
  /^(\*|[^*\s,]+):[^\s,]+$|^[^*\s,]{20,}$/.test(secret) && !secret.includes('**');

export async function readTokens(client: ReadingClient): Promise<TokenDocument[]> {
  const tokens = listIn(await client.get('/api/admin/api-tokens'), 'tokens');
  return tokens.flatMap((token): TokenDocument[] => {
    const type = token.type === 'backend' ? 'client' : token.type;
    if (type !== 'admin' && type !== 'client' && type !== 'frontend') return [];
    const secret = textOf(token.secret);
    const projects = textsOf(token.projects);
    return [
      {
        name: textOrNull(token.tokenName) ?? textOf(token.username),
        type,
        environment: type === 'admin' ? '' : textOf(token.environment),
        projects: projects.length > 0 ? projects : [textOrNull(token.project) ?? '*'],
        expiresAt: textOrNull(token.expiresAt),
        alias: textOrNull(token.alias),
        createdAt: textOrNull(token.createdAt),
        secret: token.secure !== true && isReadable(secret) ? secret : null,
      },
    ];
  });
}

export const readIntegrations = async (client: ReadingClient): Promise<IntegrationDocument[]> =>
  listIn(await client.get('/api/admin/addons'), 'addons').map(integrationOf);

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
  createdAt: textOrNull(addon.createdAt),
});

export async function readApplications(client: ReadingClient): Promise<ApplicationDocument[]> {
  const path = '/api/admin/metrics/applications';
  const rows = await readAllPages<Json>({
    ...{ what: 'applications', mostRows: mostListed.applications },
    keyOf: ({ appName }) => textOf(appName),
    readPage: async (offset) => {
      const query = offset === 0 ? '' : `?limit=1000&offset=${offset}`;
      const found = objectOf(await client.find(`${path}${query}`));
      const page = listOf(found.applications);
      return { rows: page, isLast: offset + page.length >= numberOf(found.total, 0) };
    },
  });
  return Promise.all(
    (rows ?? []).map(async (row) => {
      const name = textOf(row.appName);
      // Before an application has reported, it is listed and has no page of its own.
      return applicationOf(row, objectOf(await client.find(`${path}/${segment(name)}`)));
    }),
  );
}

/** With the names of what it uses. When and how often it does is reported anew. */
function applicationOf(row: Json, more: Json): ApplicationDocument {
  const usage = listOf(row.usage)
    .map(({ project, environments }) => ({
      project: textOf(project),
      environments: textsOf(environments)
        .filter((environment) => environment !== '*')
        .sort(),
    }))
    .filter(({ environments }) => environments.length > 0);
  const environments = [
    ...new Set([
      ...usage.flatMap((each) => each.environments),
      ...listOf(more.instances).flatMap(({ environment }) => textOrNull(environment) ?? []),
    ]),
  ].sort();
  const features = environments.length > 0 ? listOf(more.seenToggles) : [];
  return {
    name: textOf(row.appName),
    description: textOrNull(row.description),
    url: textOrNull(row.url),
    icon: textOrNull(row.icon),
    color: textOrNull(row.color),
    usage: usage.sort((a, b) => (a.project < b.project ? -1 : 1)),
    features: features
      .filter(({ notFound }) => notFound !== true)
      .map(({ name }) => ({ name: textOf(name), environments }))
      .sort(byName),
  };
}
