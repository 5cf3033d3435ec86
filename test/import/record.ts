import { writeFileSync } from 'node:fs';
import { createReadingClient, type ReadingClient } from '../../src/modules/migration/index.ts';
import { readUnleash } from '../../src/modules/migration/unleash/read.ts';
import { adminToken } from './unleash.ts';

/** The responses of an Unleash to all requests of an import, by path. Null: the path does not exist. */
export interface Recording {
  readonly responses: Record<string, unknown>;
  /** Responses to GET /api/client/features, by the secret of the client token. */
  readonly client: Record<string, { environment: string; response: unknown }>;
}

const bounds = { concurrency: 4, rate: 100 };

const listed = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((each) => ({ ...each })) : [];

/** Keeps what an import reads. Texts of Unleash, pictures and links with secrets are removed. */
function facts(path: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const body = value as Record<string, unknown>;
  if (path === '/api/admin/ui-config') {
    return { version: body.version, environment: body.environment, versionInfo: body.versionInfo };
  }
  if (path.startsWith('/api/admin/metrics/applications/')) {
    const seenToggles = listed(body.seenToggles).map(({ name }) => ({ name }));
    const instances = listed(body.instances).map(({ environment }) => ({ environment }));
    return { appName: body.appName, seenToggles, instances };
  }
  if (path === '/api/admin/addons') return { addons: body.addons };
  if (path === '/api/admin/feature-types') {
    return { types: listed(body.types).map(({ id, lifetimeDays }) => ({ id, lifetimeDays })) };
  }
  if (path === '/api/admin/strategies') {
    return { strategies: listed(body.strategies).filter(({ editable }) => editable) };
  }
  if (path === '/api/admin/context') {
    return listed(value).map(({ description, ...field }) => ({
      ...field,
      description: field.name === 'region' ? description : null,
    }));
  }
  return JSON.parse(JSON.stringify(value), (key, each) => {
    if (['imageUrl', 'inviteLink', 'label', 'summary', 'collaborators'].includes(key)) {
      return undefined;
    }
    return key === 'rootRoles' ? listed(each).map(({ id, name }) => ({ id, name })) : each;
  });
}

/** Reads a server like an import and keeps every response. */
export async function record(url: string): Promise<Recording> {
  const responses: Record<string, unknown> = {};
  const inner = createReadingClient({ url, token: adminToken, ...bounds });
  const find: ReadingClient['find'] = async (path) => {
    const found = await inner.find(path);
    responses[path] = facts(path, found) ?? null;
    return found;
  };
  const client: ReadingClient = {
    ...{ url: inner.url, find, get: find, search: inner.search },
    forNewReading: () => client,
  };
  const { tokens } = await readUnleash(client, () => undefined, new Date());
  await client.get('/api/admin/search/events?limit=1000&offset=0');
  await client.get('/api/admin/search/events?limit=1&offset=0');
  const byToken: Recording['client'] = {};
  for (const { type, environment, projects, secret } of tokens) {
    if (type !== 'client' || secret === null || !projects.includes('*')) continue;
    const own = createReadingClient({ url, token: secret, ...bounds });
    byToken[secret] = { environment, response: await own.get('/api/client/features') };
  }
  return { responses, client: byToken };
}

export const writeRecording = (file: string, recording: object) =>
  writeFileSync(file, `${JSON.stringify(recording)}\n`);
