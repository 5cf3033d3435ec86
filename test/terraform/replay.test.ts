import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import type { Exchange } from './recorder.ts';
import type { Recording } from './recording.ts';

/** The requests and responses of provider 3.4.3, recorded with `npm run test:terraform -- --record`. */
const recording: Recording = JSON.parse(
  readFileSync(new URL('recorded.json', import.meta.url), 'utf8'),
);

/** Ids and secrets of this installation by their recorded values. */
const numbers = new Map<string, number>();
const secrets = new Map<string, string>();

/** The type of thing whose id is stored under a key, or follows a part of a path. */
const kinds: Readonly<Record<string, string>> = {
  rootRole: 'roles',
  defaultRootRoleId: 'roles',
  roles: 'roles',
  users: 'user-admin',
  user: 'user-admin',
  groups: 'groups',
};

const numberOf = (kind: string | undefined, recorded: number): number =>
  numbers.get(`${kind} ${recorded}`) ?? recorded;

/** Replaces recorded ids and secrets in a value by those of this installation. */
function here(value: unknown, kind?: string): unknown {
  if (typeof value === 'number') return numberOf(kind, value);
  if (typeof value === 'string') return secrets.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => here(each, kind));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, here(each, kinds[key] ?? kind)]),
  );
}

function pathHere(path: string): string {
  const parts = path.split('/');
  return parts
    .map((part, index) => {
      const before = parts[index - 1];
      if (/^\d+$/.test(part)) return String(numberOf(before, Number(part)));
      const secret = secrets.get(decodeURIComponent(part));
      return secret === undefined ? part : encodeURIComponent(secret);
    })
    .join('/');
}

interface Made {
  readonly id?: unknown;
  readonly secret?: unknown;
  readonly roles?: { readonly id?: unknown };
}

/** Remembers the id or secret of a new thing. */
function learn({ request, answer }: Exchange, actual: Made): void {
  if (!request.startsWith('POST ')) return;
  const recorded = (answer ?? {}) as Made;
  const kind = request.split('/').at(-1) as string;
  for (const [theirs, ours] of [
    [recorded.id, actual.id],
    [recorded.roles?.id, actual.roles?.id],
  ]) {
    if (typeof theirs === 'number' && typeof ours === 'number')
      numbers.set(`${kind} ${theirs}`, ours);
  }
  if (typeof recorded.secret === 'string' && typeof actual.secret === 'string') {
    secrets.set(recorded.secret, actual.secret);
  }
}

/** An expectation for the recorded response, in which lists may contain more, in any order. */
function within(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(within));
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(each)])),
  );
}

describe('recorded requests of the Terraform provider', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
    await app.ask('POST /api/admin/auth/oidc/settings', {
      payload: {
        enabled: false,
        discoverUrl: 'https://login.example.com/realms/tf',
        clientId: 'burgee',
        secret: 'entered-beforehand',
      },
    });
  });

  test.each(recording)('get the recorded responses: $step', async ({ exchanges }) => {
    expect(exchanges.length).toBeGreaterThan(0);
    for (const exchange of exchanges) {
      const [method, path] = exchange.request.split(' ') as ['GET', string];
      const payload = here(exchange.body);
      const response = await app.ask(
        `${method} ${pathHere(path)}`,
        payload === undefined ? {} : { payload: payload as object },
      );
      expect(response.statusCode, `${exchange.request} ${response.body}`).toBe(exchange.status);
      if (exchange.answer === undefined) continue;
      learn(exchange, response.json());
      const { id, ...told } = exchange.answer as Record<string, unknown>;
      const expected = Array.isArray(exchange.answer) ? exchange.answer : told;
      expect(response.json(), exchange.request).toEqual(within(here(expected)));
    }
  });
});
