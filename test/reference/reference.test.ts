import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { testApp } from '../support/app.ts';
import { randomCases } from '../support/random-cases.ts';
import { adminToken } from '../support/tokens.ts';
import { type Difference, differences } from './compare.ts';
import { contexts, decisionsBy } from './decisions.ts';
import {
  type Answer,
  type ClientDefinitions,
  carryOut,
  environments,
  isLook,
  type RecordedLook,
  type RecordedRequest,
} from './exchange.ts';
import { meaningOf, withoutOrder } from './meaning.ts';
import { ruleFor, rules } from './rules.ts';

type Recorded = RecordedRequest | RecordedLook;

/** The recording contains only the changes since the previous look; restores the rest. */
function whole(steps: readonly Recorded[]): Recorded[] {
  const current: Record<string, ClientDefinitions> = {};
  const merged = (before: object = {}, news: object) =>
    Object.fromEntries(
      Object.entries({ ...before, ...news })
        .filter(([, value]) => value !== null)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return steps.map((step) => {
    if (!isLook<RecordedLook>(step)) return step;
    for (const environment of environments) {
      const { features = {}, segments = {} } = step.told[environment] ?? {};
      current[environment] = {
        features: merged(current[environment]?.features, features),
        segments: merged(current[environment]?.segments, segments),
      };
    }
    return { look: step.look, told: { ...current } };
  });
}

const recorded = async (): Promise<Recorded[]> => {
  const text = await readFile(new URL('recorded.json', import.meta.url), 'utf8');
  return whole((JSON.parse(text) as { steps: Recorded[] }).steps);
};

let theirs: Recorded[];
const ours: Recorded[] = [];

beforeAll(async () => {
  const app = await testApp();
  theirs = await recorded();
  const clientTokens = new Map<string, string>();
  for (const environment of environments) {
    const payload = { tokenName: environment, type: 'client', environment, projects: ['*'] };
    const { secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
    clientTokens.set(environment, secret);
  }
  const bodyOf = ({ body, headers }: Awaited<ReturnType<typeof app.ask>>): unknown =>
    headers['content-type']?.toString().includes('json') && body !== ''
      ? JSON.parse(body)
      : undefined;
  const burgee = {
    async ask({ ask, body }: { ask: string; body?: unknown }): Promise<Answer> {
      const isRead = ask.startsWith('GET ');
      const response = await app.ask(ask as 'GET /', {
        headers: {
          authorization: adminToken,
          ...(!isRead && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      return { status: response.statusCode, body: bodyOf(response) };
    },
    async tell(environment: string) {
      const authorization = clientTokens.get(environment) ?? '';
      const headers = { authorization, 'unleash-client-spec': '5.2.0' };
      return (await app.ask('GET /api/client/features', { headers })).json();
    },
  };
  for await (const step of carryOut(theirs.map(asStep), burgee)) ours.push(step);
});

const asStep = (step: Recorded) => {
  if (isLook<RecordedLook>(step)) return { look: step.look };
  const { status, answer, ...request } = step;
  return request;
};

/** The steps with the results of both servers. */
const pairs = () => theirs.map((step, index) => [step, ours[index] as Recorded] as const);

function* asked(): Generator<readonly [RecordedRequest, RecordedRequest]> {
  for (const [their, our] of pairs()) {
    if (!isLook(their)) yield [their as RecordedRequest, our as RecordedRequest];
  }
}

const looks = () =>
  pairs().flatMap(([their, our]) =>
    isLook<RecordedLook>(their)
      ? environments.map((environment) => ({
          name: `${their.look}, ${environment}`,
          their: their.told[environment] as ClientDefinitions,
          our: (our as RecordedLook).told[environment] as ClientDefinitions,
        }))
      : [],
  );

/** If the statuses differ, the bodies are not compared. */
const differencesOf = (their: RecordedRequest, our: RecordedRequest): Difference[] =>
  their.status === our.status
    ? differences(withoutOrder(their.ask, their.answer), withoutOrder(their.ask, our.answer))
    : [{ at: 'status', kind: 'other', theirs: their.status, ours: our.status }];

describe('compared with the reference', () => {
  test('docs/differences.md explains every difference of a response', () => {
    const unexplained = [...asked()].flatMap(([their, our]) =>
      differencesOf(their, our)
        .filter((difference) => !ruleFor(their, difference))
        .map(({ at, kind, ...values }) => `${their.ask} ${at} ${kind} ${JSON.stringify(values)}`),
    );
    expect(unexplained).toEqual([]);
  });

  test('each rule for single requests is needed, and docs/differences.md contains all rules', async () => {
    const used = new Set(
      [...asked()].flatMap(([their, our]) =>
        differencesOf(their, our).map((difference) => ruleFor(their, difference)),
      ),
    );
    expect(
      rules.filter((rule) => rule.ask && !used.has(rule)).map(({ line, at }) => `${line} ${at}`),
    ).toEqual([]);
    const page = await readFile(new URL('../../docs/differences.md', import.meta.url), 'utf8');
    for (const { line } of rules) expect(page).toContain(`| ${line} |`);
  });

  test('SDKs receive the same features', () => {
    for (const { name, their, our } of looks()) {
      expect(Object.keys(our.features), name).toEqual(Object.keys(their.features));
      expect(meaningOf(our), name).toEqual(meaningOf(their));
    }
  });

  test('the official SDK decides the same for every context', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const all = contexts(randomCases(10, 5_000).numRuns);
    for (const { name, their, our } of looks()) {
      const some = name.startsWith('end') ? all : all.slice(0, 20);
      expect(decisionsBy(our, some), name).toEqual(decisionsBy(their, some));
    }
    vi.restoreAllMocks();
  });
});
