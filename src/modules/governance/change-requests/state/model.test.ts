import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../../test/support/people.ts';
import { randomCases } from '../../../../../test/support/random-cases.ts';

let app: TestApp;
let people: Person[];
let role: number;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('model');
  await protect('model', 2);
  const names = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'];
  role = await customRole(
    app,
    'custom',
    names.map((name) => ({ name, environment: 'production' })),
  );
  people = [];
  for (let index = 0; index < 4; index += 1) {
    people.push(await person(app, { roles: { model: role } }));
  }
});

const protect = (project: string, requiredApprovals: number) =>
  app.db
    .updateTable('project_environments')
    .set({
      change_requests_enabled: requiredApprovals > 0,
      required_approvals: requiredApprovals || null,
    })
    .where('project', '=', project)
    .where('environment', '=', 'production')
    .execute();

const features = ['a', 'b'] as const;
type Name = (typeof features)[number];

type Change =
  | { readonly kind: 'enable'; readonly feature: Name; readonly enabled: boolean }
  | { readonly kind: 'strategy'; readonly feature: Name; readonly title: string };

type Step =
  | { readonly do: 'propose' | 'edit'; readonly who: number; readonly change: Change }
  | { readonly do: 'send' | 'approve' | 'reject' | 'apply' | 'role'; readonly who: number }
  | { readonly do: 'direct'; readonly change: Change };

const who = fc.nat({ max: 3 });
const feature = fc.constantFrom(...features);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('enable' as const), feature, enabled: fc.boolean() }),
  fc.record({
    kind: fc.constant('strategy' as const),
    feature,
    title: fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('x', 'y', 'z') }),
  }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('propose' as const, 'edit' as const), who, change }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'send',
        'approve',
        'approve',
        'approve',
        'apply',
        'apply',
        'reject',
        'role',
      ),
      who,
    }) as fc.Arbitrary<Step>,
  },
  fc.record({ do: fc.constant('direct' as const), change }),
);

/** What production evaluates, as far as the changes touch it. */
type State = Record<Name, { enabled: boolean; titles: string[] }>;

interface Request {
  readonly path: string;
  readonly author: number;
  state: string;
  changes: Change[];
  /** Who approved exactly these changes. */
  approvers: Set<number>;
}

let cases = 0;

test('nothing unapproved is applied, and nothing approved is applied differently', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), run),
    randomCases(3, 1000),
  );
}, 3_600_000);

async function run(steps: readonly Step[]): Promise<void> {
  cases += 1;
  const prefix = `model-${cases}-`;
  const state: State = { a: { enabled: false, titles: [] }, b: { enabled: false, titles: [] } };
  for (const name of features)
    await make(app.ask).feature(`${prefix}${name}`, { project: 'model' });
  const hasRole = [true, true, true, true];
  const requests: Request[] = [];
  const of = (index: number) => people[index] as Person;
  const latest = (isWanted: (request: Request) => boolean) => requests.findLast(isWanted);

  const sent = (wanted: Change) => ({
    feature: `${prefix}${wanted.feature}`,
    ...(wanted.kind === 'enable'
      ? { action: 'updateEnabled', payload: { enabled: wanted.enabled } }
      : { action: 'addStrategy', payload: { name: 'default', title: wanted.title } }),
  });
  const makeIn = (target: State, wanted: Change) => {
    const found = target[wanted.feature];
    if (wanted.kind === 'enable') found.enabled = wanted.enabled;
    else found.titles.push(wanted.title);
  };
  const setState = (request: Request, by: number, wanted: string) =>
    of(by).ask(`PUT ${request.path}/state`, { payload: { state: wanted } });

  const handlers = {
    propose: async ({ who: by, change: wanted }: { who: number; change: Change }) => {
      const draft = latest(({ author, state: is }) => author === by && is === 'Draft');
      const response = await of(by).ask(
        'POST /api/admin/projects/model/environments/production/change-requests',
        { payload: sent(wanted) },
      );
      expect(response.statusCode, response.body).toBe(200);
      if (draft) draft.changes.push(wanted);
      else {
        const path = `/api/admin/projects/model/change-requests/${response.json().id}`;
        requests.push({
          path,
          author: by,
          state: 'Draft',
          changes: [wanted],
          approvers: new Set(),
        });
      }
    },
    edit: async ({ who: by, change: wanted }: { who: number; change: Change }) => {
      const request = latest(({ author, state: is }) => author === by && isEditable(is));
      if (!request) return;
      const ids = await app.db
        .selectFrom('change_request_changes')
        .where('request_id', '=', Number(request.path.split('/').at(-1)))
        .select('id')
        .orderBy('position')
        .execute();
      const response = await of(by).ask(`PUT ${request.path}/changes/${ids[0]?.id}`, {
        payload: sent(wanted),
      });
      expect(response.statusCode, response.body).toBe(200);
      request.changes[0] = wanted;
      request.approvers.clear();
      if (request.state === 'Approved') request.state = 'In review';
    },
    send: async ({ who: by }: { who: number }) => {
      const request = latest(({ author, state: is }) => author === by && is === 'Draft');
      if (!request) return;
      expect((await setState(request, by, 'In review')).statusCode).toBe(200);
      request.state = 'In review';
    },
    approve: async ({ who: by }: { who: number }) => {
      const request = latest(({ state: is }) => is === 'In review');
      if (!request) return;
      const isAllowed = hasRole[by] && request.author !== by;
      const response = await setState(request, by, 'Approved');
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (!isAllowed) return;
      request.approvers.add(by);
      if (counting(request) >= 2) request.state = 'Approved';
    },
    reject: async ({ who: by }: { who: number }) => {
      const request = latest(({ state: is }) => is === 'In review' || is === 'Approved');
      if (!request || by !== 3) return;
      const isAllowed = hasRole[by] && request.author !== by;
      const response = await setState(request, by, 'Rejected');
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (isAllowed) request.state = 'Rejected';
    },
    apply: async ({ who: by }: { who: number }) => {
      const request = latest(({ state: is }) => is !== 'Applied');
      if (!request) return;
      const isAllowed = hasRole[by] && request.state === 'Approved' && counting(request) >= 2;
      const response = await setState(request, by, 'Applied');
      expect(response.statusCode === 200, response.body).toBe(Boolean(isAllowed));
      if (!isAllowed) return;
      request.state = 'Applied';
      for (const each of request.changes) makeIn(state, each);
    },
    role: async ({ who: by }: { who: number }) => {
      const has = hasRole[by];
      hasRole[by] = !has;
      const path = `/api/admin/projects/model/users/${of(by).id}/roles`;
      await app.ask(`PUT ${path}`, { payload: { roles: has ? [5] : [role] } });
    },
    direct: async ({ change: wanted }: { change: Change }) => {
      const path = `/api/admin/projects/model/features/${prefix}${wanted.feature}/environments/production`;
      const response =
        wanted.kind === 'enable'
          ? await app.ask(`POST ${path}/${wanted.enabled ? 'on' : 'off'}`)
          : await app.ask(`POST ${path}/strategies`, { payload: sent(wanted).payload });
      expect(response.statusCode, response.body).toBe(200);
      makeIn(state, wanted);
    },
  };
  const isEditable = (is: string) => is === 'Draft' || is === 'In review' || is === 'Approved';
  const counting = ({ approvers, author }: Request) =>
    [...approvers].filter((by) => hasRole[by] && by !== author).length;

  try {
    for (const each of steps) {
      await (handlers[each.do] as (wanted: Step) => Promise<void>)(each);
      expect(await production(prefix)).toEqual(state);
    }
  } finally {
    for (const [index, has] of hasRole.entries()) if (!has) await handlers.role({ who: index });
    await app.db.deleteFrom('change_requests').execute();
  }
}

async function production(prefix: string): Promise<State> {
  const state = {} as State;
  for (const name of features) {
    const { environments } = (
      await app.ask(`GET /api/admin/projects/model/features/${prefix}${name}`)
    ).json();
    const { enabled, strategies } = environments.find(
      (each: { name: string }) => each.name === 'production',
    );
    const titles = strategies.flatMap(({ title }: { title?: string }) => title ?? []);
    state[name] = { enabled, titles };
  }
  return state;
}
