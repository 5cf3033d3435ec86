import { Ajv } from 'ajv';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { playgroundContract } from './contract.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const simple = (payload: object, ask = app.ask) => ask('POST /api/admin/playground', { payload });
const advanced = (payload: object, ask = app.ask) =>
  ask('POST /api/admin/playground/advanced', { payload });

const ajv = new Ajv({ strict: false, validateFormats: false });
const isSimple = ajv.compile(playgroundContract.evaluate.response as object);
const isAdvanced = ajv.compile(playgroundContract.evaluateAll.response as object);

interface Decision {
  readonly name: string;
  readonly [field: string]: unknown;
}

function decisionsOf(response: LightMyRequestResponse): Decision[] {
  expect(response.statusCode, response.body).toBe(200);
  const answer = response.json();
  expect(isSimple(answer), JSON.stringify(isSimple.errors)).toBe(true);
  return answer.features;
}

/** The decision for the only feature of a project. */
async function decide(project: string, context: object): Promise<Decision> {
  const answer = await simple({ environment: 'development', projects: [project], context });
  const [decision] = decisionsOf(answer);
  return decision as Decision;
}

async function featureOf(project: string, ...strategies: object[]): Promise<void> {
  await create.project(project);
  await create.feature(`${project}-flag`, { project });
  for (const strategy of strategies)
    await create.strategy(`${project}-flag`, strategy, { project });
  await create.switchedOn(`${project}-flag`, { project });
}

describe('the playground', () => {
  test('returns the decision for each feature with all reasons', async () => {
    await create.project('told');
    const { id: segment } = await create.segment('Insiders');
    await create.feature('told-flag', { project: 'told' });
    const constraint = {
      ...{ contextName: 'plan', operator: 'IN', values: ['gold'] },
      ...{ inverted: false, caseInsensitive: false },
    };
    const { id } = await create.strategy(
      'told-flag',
      {
        title: 'Gold',
        parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' },
        constraints: [constraint],
        segments: [segment],
      },
      { project: 'told' },
    );
    await create.switchedOn('told-flag', { project: 'told' });

    const input = {
      environment: 'development',
      projects: ['told'],
      context: { userId: '1', properties: { plan: 'gold' } },
    };
    const response = await simple(input);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({
      input,
      features: [
        {
          name: 'told-flag',
          projectId: 'told',
          isEnabled: true,
          isEnabledInCurrentEnvironment: true,
          hasUnsatisfiedDependency: false,
          parentDependencies: [],
          strategies: {
            result: true,
            data: [
              {
                id,
                name: 'flexibleRollout',
                title: 'Gold',
                disabled: false,
                parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' },
                constraints: [{ ...constraint, actual: 'gold', result: true }],
                segments: [
                  {
                    id: segment,
                    name: 'Insiders',
                    constraints: [
                      {
                        ...constraint,
                        ...{ contextName: 'userId', values: ['1'], actual: '1', result: true },
                      },
                    ],
                    result: true,
                  },
                ],
                condition: {
                  ...{ kind: 'rollout', result: true, percentage: 100, group: 'g' },
                  ...{ stickiness: 'userId', field: 'userId', value: '1', byChance: false },
                  bucket: expect.any(Number),
                },
                result: { enabled: true, evaluationStatus: 'complete' },
                explanation: expect.stringMatching(
                  /^Matches: userId “1” is in bucket \d+ ≤ 100% and 1 constraint and 1 segment match\.$/,
                ),
                links: {
                  edit: `/projects/told/features/told-flag/strategies/edit?environmentId=development&strategyId=${id}`,
                },
              },
            ],
          },
          variant: { name: 'disabled', enabled: false, feature_enabled: true },
          variants: [],
          reason: 'strategy-holds',
          explanation: expect.stringMatching(/^Strategy “Gold” \(flexibleRollout\) matches: /),
        },
      ],
    });
    decisionsOf(response);
  });

  test('explains a failed constraint with expected and actual values', async () => {
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold', 'silver'] }];
    await featureOf('broken', { constraints });
    expect((await decide('broken', { plan: 'tin' })).explanation).toBe(
      "Strategy “flexibleRollout” doesn't match: plan must be one of “gold”, “silver”, but it's “tin”.",
    );
    expect(await decide('broken', {})).toMatchObject({
      isEnabled: false,
      isEnabledInCurrentEnvironment: true,
      reason: 'no-strategy-holds',
      explanation: expect.stringContaining("but it's missing"),
    });
  });

  test('explains that a feature is disabled in the environment', async () => {
    await create.project('off');
    await create.feature('off-flag', { project: 'off' });
    expect(await decide('off', {})).toMatchObject({
      isEnabled: false,
      isEnabledInCurrentEnvironment: false,
      reason: 'off',
      explanation: 'Disabled in development.',
      strategies: { result: true, data: [] },
    });
  });

  test('shows disabled strategies, and those that only applications can evaluate', async () => {
    await featureOf(
      'parts',
      { disabled: true, title: 'Later' },
      { name: 'applicationHostname', parameters: { hostNames: 'a' } },
    );
    const { strategies, isEnabled, explanation } = await decide('parts', {});
    expect(strategies).toMatchObject({
      result: 'unknown',
      data: [
        {
          title: 'Later',
          disabled: true,
          result: { enabled: 'unknown', evaluationStatus: 'unevaluated' },
          explanation: "Doesn't match: it's disabled.",
        },
        {
          condition: { kind: 'hosts', result: 'unknown' },
          result: { enabled: 'unknown', evaluationStatus: 'incomplete' },
        },
      ],
    });
    expect(isEnabled).toBe(false);
    expect(explanation).toContain('can only be evaluated by the application');
  });

  test('explains the variant and its bucket', async () => {
    const variant = { weight: 1000, weightType: 'variable', stickiness: 'userId' };
    const variants = [{ name: 'blue', ...variant, payload: { type: 'string', value: 'b' } }];
    await featureOf('coloured', { variants });
    const decision = await decide('coloured', { userId: '7' });
    expect(decision).toMatchObject({
      variant: { name: 'blue', enabled: true, payload: { type: 'string', value: 'b' } },
      variants,
      variantChoice: { strategy: 0, field: 'userId', value: '7', from: 1, to: 1000 },
      strategies: { data: [{ result: { variant: { name: 'blue' }, variants } }] },
    });
    expect(decision.explanation).toMatch(/Variant “blue”: userId “7” is in/);
  });

  test('explains an unsatisfied parent dependency', async () => {
    await featureOf('family');
    await create.feature('family-child', { project: 'family' });
    await create.dependency('family-child', 'family-flag', { project: 'family', enabled: false });
    await create.switchedOn('family-child', { project: 'family' });
    const body = { environment: 'development', projects: ['family'], context: {} };
    const [child] = decisionsOf(await simple(body));
    expect(child).toMatchObject({
      name: 'family-child',
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      parentDependencies: [
        {
          ...{ feature: 'family-flag', enabled: false, reason: 'other-state', result: false },
          actual: { enabled: true, variant: 'disabled' },
        },
      ],
      reason: 'parents',
      explanation: "Requires “family-flag” to be disabled, but it's enabled.",
    });
  });

  test('uses the latest change at once', async () => {
    await featureOf('fresh');
    expect((await decide('fresh', {})).isEnabled).toBe(true);
    await app.ask(
      'POST /api/admin/projects/fresh/features/fresh-flag/environments/development/off',
    );
    expect((await decide('fresh', {})).isEnabled).toBe(false);
  });
});

describe('the advanced playground', () => {
  test('evaluates every environment for each combination of values', async () => {
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
    await featureOf('combined', { constraints });
    const input = {
      environments: ['development', 'production'],
      projects: ['combined'],
      context: { userId: '1, 2', plan: ['gold', 'tin'] },
    };
    const response = await advanced(input);
    const answer = response.json();
    expect(isAdvanced(answer), JSON.stringify(isAdvanced.errors)).toBe(true);
    expect(answer.input).toEqual(input);
    const [feature] = answer.features;
    expect([feature.name, feature.projectId]).toEqual(['combined-flag', 'combined']);
    expect(Object.keys(feature.environments)).toEqual(['development', 'production']);
    const decisions = feature.environments.development.map((decision: Decision) => [
      decision.environment,
      decision.context,
      decision.isEnabled,
    ]);
    const place = { environment: 'development' };
    expect(decisions).toEqual([
      ['development', { ...place, userId: '1', plan: 'gold' }, true],
      ['development', { ...place, userId: '1', plan: 'tin' }, false],
      ['development', { ...place, userId: '2', plan: 'gold' }, true],
      ['development', { ...place, userId: '2', plan: 'tin' }, false],
    ]);
    expect(feature.environments.production).toHaveLength(4);
    expect(feature.environments.production[0]).toMatchObject({
      isEnabledInCurrentEnvironment: false,
      reason: 'off',
    });
  });

  test('returns a feature only in the environments of its project', async () => {
    await create.project('small', { environments: ['development'] });
    await create.feature('small-flag', { project: 'small' });
    const environments = ['production', 'development', 'development'];
    const { features } = (
      await advanced({ environments, projects: ['small'], context: {} })
    ).json();
    expect(Object.keys(features[0].environments)).toEqual(['development']);
    const none = await advanced({ environments: ['production'], projects: ['small'], context: {} });
    expect(none.json().features).toEqual([]);
  });

  test('warns about context values that no SDK could send', async () => {
    const context = { plan: { is: 'gold' }, userId: '1' };
    const body = { environments: ['development'], projects: [], context };
    expect((await advanced(body)).json()).toEqual({
      input: body,
      features: [],
      warnings: { invalidContextProperties: ['plan'] },
    });
  });
});

describe('a private project in the playground', () => {
  let stranger: Person;
  let insider: Person;
  beforeAll(async () => {
    await create.project('secret', { mode: 'private' });
    await create.feature('secret-flag', { project: 'secret' });
    stranger = await person(app);
    insider = await person(app, { roles: { secret: 5 } });
  });

  test('looks like a missing one to users who cannot see it', async () => {
    for (const [ask, seen] of [
      [stranger.ask, false],
      [insider.ask, true],
      [app.ask, true],
    ] as const) {
      const all = { environment: 'development', context: {} };
      const names = decisionsOf(await simple(all, ask)).map(({ name }) => name);
      expect(names.includes('secret-flag')).toBe(seen);
      expect(names).toContain('told-flag');
      const asked = { environments: ['development'], projects: ['secret'], context: {} };
      expect((await advanced(asked, ask)).json().features).toHaveLength(seen ? 1 : 0);
    }
    const answer = async (project: string) =>
      (await simple({ environment: 'development', projects: [project], context: {} }, stranger.ask))
        .body;
    expect((await answer('secret')).replaceAll('secret', 'absent')).toBe(await answer('absent'));
  });

  test('does not reveal the name of a parent feature', async () => {
    await create.feature('open-child', { project: 'told' });
    await app.db
      .insertInto('feature_dependencies')
      .values({ child: 'open-child', parent: 'secret-flag', enabled: true, variants: [] } as never)
      .execute();
    await create.switchedOn('open-child', { project: 'told' });
    const body = { environment: 'development', context: {} };
    const response = await simple(body, stranger.ask);
    expect(response.body).not.toContain('secret-flag');
    const child = decisionsOf(response).find(({ name }) => name === 'open-child');
    expect(child).toMatchObject({
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      parentDependencies: [{ enabled: true, reason: 'missing', result: false }],
      explanation: "The parent feature doesn't exist or you don't have access to it.",
    });
  });
});

test('the playground records nothing and works during maintenance', async () => {
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
  const before = await countEvents(app.db);
  decisionsOf(await simple({ environment: 'development', context: {} }));
  expect((await advanced({ environments: ['development'], context: {} })).statusCode).toBe(200);
  expect(await countEvents(app.db)).toBe(before);
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
});
