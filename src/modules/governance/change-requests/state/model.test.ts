import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../../test/support/people.ts';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { schedulesChannel } from './queries.ts';

const environments = ['production', 'development'] as const;
type Environment = (typeof environments)[number];

/** How many approvals an environment needs while it is protected. */
const required: Readonly<Record<Environment, number>> = { production: 2, development: 1 };

const features = ['a', 'b'] as const;
type Name = (typeof features)[number];

let app: TestApp;
let reviewing: number;
const member = 5;
beforeAll(async () => {
  app = await testApp();
  await appOn(app, { jobs: 'on' });
  await make(app.ask).project('model');
  const names = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'];
  reviewing = await customRole(
    app,
    'custom',
    names.map((name) => ({ name })),
  );
});

const reviewer = () => person(app, { roles: { model: [member, reviewing] } });

const protect = (environment: Environment, changeRequestsEnabled: boolean, more: object = {}) =>
  app.ask(`PUT /api/admin/projects/model/environments/${environment}/change-requests/config`, {
    payload: { changeRequestsEnabled, requiredApprovals: required[environment], ...more },
  });

interface Rules {
  /** IDs of the users who may approve; if empty, everyone with the permission. */
  readonly approvers: readonly number[];
  readonly selfApproval: 'admins' | 'nobody';
  readonly expiresAfterDays: number | null;
  readonly applyAutomatically: boolean;
  readonly emergencyApply: boolean;
}

const usual: Rules = {
  approvers: [],
  selfApproval: 'admins',
  expiresAfterDays: null,
  applyAutomatically: false,
  emergencyApply: true,
};
const expiryDays = 30;

type Change =
  | { readonly kind: 'enable'; readonly feature: Name; readonly enabled: boolean }
  | { readonly kind: 'strategy'; readonly feature: Name; readonly title: string };

interface By {
  readonly who: number;
  /** Selects one of the possible requests. */
  readonly nth: number;
}

interface Steps {
  readonly propose: By & { readonly environment: Environment; readonly change: Change };
  readonly edit: By & { readonly change: Change };
  readonly send: By;
  readonly approve: By;
  readonly reject: By;
  readonly cancel: By;
  readonly schedule: By & { readonly whenOverdue: 'apply' | 'suspend' };
  readonly apply: By;
  readonly due: By & { readonly isOverdue: boolean };
  readonly protect: { readonly environment: Environment; readonly isOn: boolean };
  readonly direct: By & {
    readonly isAdmin: boolean;
    readonly environment: Environment;
    readonly change: Change;
  };
  readonly role: By;
  readonly leave: By;
  readonly rules: Omit<Rules, 'approvers'> & {
    readonly environment: Environment;
    readonly approvers: readonly number[];
  };
  readonly age: By;
  readonly emergency: By;
  readonly review: By;
}
type StepName = keyof Steps;
type Step = { readonly [N in StepName]: { readonly do: N } & Steps[N] }[StepName];

/** The last one is an administrator, who never leaves. */
const administrator = 4;
const who = fc.nat({ max: administrator });
const nth = fc.nat({ max: 5 });
const environment = fc.constantFrom(...environments);
const feature = fc.constantFrom(...features);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('enable' as const), feature, enabled: fc.boolean() }),
  fc.record({
    kind: fc.constant('strategy' as const),
    feature,
    title: fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('x', 'y', 'z') }),
  }),
);
const isOverdue = fc.boolean();
const step = (
  weight: number,
  name: StepName,
  more: Record<string, fc.Arbitrary<unknown>> = {},
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), who, nth, ...more }) as fc.Arbitrary<Step>,
});
const steps = fc.array(
  fc.oneof(
    step(6, 'propose', { environment, change }),
    step(2, 'edit', { change }),
    step(6, 'send'),
    step(12, 'approve'),
    step(1, 'reject'),
    step(1, 'cancel'),
    step(4, 'schedule', { whenOverdue: fc.constantFrom('apply', 'suspend') }),
    step(6, 'apply'),
    step(4, 'due', { isOverdue }),
    step(2, 'protect', { environment, isOn: fc.boolean() }),
    step(3, 'direct', { isAdmin: fc.boolean(), environment, change }),
    step(2, 'role'),
    step(1, 'leave'),
    step(3, 'rules', {
      environment,
      approvers: fc.oneof(fc.constant([]), fc.uniqueArray(who, { minLength: 2, maxLength: 4 })),
      selfApproval: fc.constantFrom('admins', 'nobody'),
      expiresAfterDays: fc.constantFrom(null, null, expiryDays),
      applyAutomatically: fc.boolean(),
      emergencyApply: fc.boolean(),
    }),
    step(1, 'age'),
    step(2, 'emergency'),
    step(2, 'review'),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
);

/** What an environment evaluates, as far as the changes affect it. */
type State = Record<Environment, Record<Name, { enabled: boolean; titles: string[] }>>;

interface Request {
  readonly id: number;
  readonly path: string;
  readonly author: number;
  readonly environment: Environment;
  state: 'Draft' | 'In review' | 'Approved' | 'Scheduled' | 'Applied' | 'Cancelled' | 'Rejected';
  /** Fixed when it is sent to review. */
  min: number;
  changes: Change[];
  /** Who approved exactly these changes. */
  approvers: Set<number>;
  /** Who else changed it. */
  readonly editors: Set<number>;
  /** In review for longer than the rules permit, if they limit it. */
  isAged?: boolean;
  /** Who applied it in an emergency. */
  emergencyBy?: number;
  schedule?: { readonly by: number; readonly whenOverdue: 'apply' | 'suspend'; isPending: boolean };
}

let cases = 0;

test('only approved changes are applied, and exactly as they were approved', async () => {
  await fc.assert(fc.asyncProperty(steps, run), randomCases(3, 1000));
}, 3_600_000);

async function run(sequence: readonly Step[]): Promise<void> {
  cases += 1;
  const prefix = `model-${cases}-`;
  const untouched = () => ({ enabled: false, titles: [] as string[] });
  const state: State = {
    production: { a: untouched(), b: untouched() },
    development: { a: untouched(), b: untouched() },
  };
  for (const name of features) {
    await make(app.ask).feature(`${prefix}${name}`, { project: 'model' });
  }
  const isProtected: Record<Environment, boolean> = { production: true, development: true };
  const rules: Record<Environment, Rules> = { production: usual, development: usual };
  const setRules = (place: Environment, wanted: Rules) => {
    rules[place] = wanted;
    const approvers = { users: wanted.approvers, groups: [], roles: [] };
    return protect(place, isProtected[place], { rules: { ...wanted, approvers } });
  };
  for (const name of environments) expect((await setRules(name, usual)).statusCode).toBe(204);
  // Each case has its own, because an account can send a limited number of proposals in a row.
  const people: Person[] = [];
  for (let index = 0; index < administrator; index += 1) people.push(await reviewer());
  const admin = await person(app, { rootRole: 1 });
  people.push(admin);
  /** Users who may approve and apply. Those who are gone are in neither list. */
  const reviewers = new Set(people.map(({ id }) => id));
  const requests: Request[] = [];
  const of = (index: number) => people[index] as Person;

  const choose = (isWanted: (request: Request) => boolean, index: number) => {
    const found = requests.filter(isWanted);
    return found[index % found.length];
  };
  const sent = (wanted: Change) => ({
    feature: `${prefix}${wanted.feature}`,
    ...(wanted.kind === 'enable'
      ? { action: 'updateEnabled', payload: { enabled: wanted.enabled } }
      : { action: 'addStrategy', payload: { name: 'default', title: wanted.title } }),
  });
  const makeIn = (place: Environment, wanted: Change) => {
    const found = state[place][wanted.feature];
    if (wanted.kind === 'enable') found.enabled = wanted.enabled;
    else found.titles = [...found.titles, wanted.title].sort();
  };
  const setState = (request: Request, by: Person, wanted: string, more: object = {}) =>
    by.ask(`PUT ${request.path}/state`, { payload: { state: wanted, ...more } });
  const isContributor = ({ author, editors }: Request, id: number) =>
    author === id || editors.has(id);
  /** By permission and by the rules as they are now. */
  const mayApprove = (request: Request, id: number) => {
    const { approvers, selfApproval } = rules[request.environment];
    const mayApproveOwn = id === admin.id && selfApproval === 'admins';
    return (
      reviewers.has(id) &&
      (approvers.length === 0 || approvers.includes(id)) &&
      (mayApproveOwn || !isContributor(request, id))
    );
  };
  const counting = (request: Request) =>
    [...request.approvers].filter((id) => mayApprove(request, id)).length;
  const isVisible = (request: Request, id: number) =>
    request.state !== 'Draft' || request.author === id;
  /** Whether someone may schedule or apply the request now. */
  const isReady = (request: Request, id: number) => {
    const { min, environment: place, state: is } = request;
    if (is !== 'Approved' && is !== 'Scheduled' && !(is === 'Draft' && min === 0)) return false;
    return min === 0
      ? !isProtected[place] || id === admin.id
      : reviewers.has(id) && counting(request) >= min;
  };
  const needed = (place: Environment) => (isProtected[place] ? required[place] : 0);
  const isOpen = ({ state: is }: Request) => !['Applied', 'Cancelled', 'Rejected'].includes(is);
  const applied = (request: Request) => {
    request.state = 'Applied';
    for (const each of request.changes) makeIn(request.environment, each);
  };

  const isExpired = ({ isAged, min, state: is, environment: place }: Request) =>
    isAged === true &&
    min > 0 &&
    ['In review', 'Approved', 'Scheduled'].includes(is) &&
    rules[place].expiresAfterDays !== null;
  /** Waits until the scheduler has canceled what is too old. */
  const expire = async () => {
    for (const request of requests.filter(isExpired)) {
      await vi.waitFor(
        async () => {
          const found = await admin.ask(`GET ${request.path}`);
          expect(found.json().state).toBe('Cancelled');
        },
        { timeout: 60_000, interval: 10 },
      );
      request.state = 'Cancelled';
      delete request.schedule;
    }
  };

  const handlers: { readonly [N in StepName]: (given: Steps[N]) => Promise<void> } = {
    propose: async ({ who: by, environment: place, change: wanted }) => {
      const author = of(by).id;
      const isOwnDraft = (each: Request) =>
        each.author === author && each.environment === place && each.state === 'Draft';
      const draft = requests.find(isOwnDraft);
      const response = await of(by).ask(
        `POST /api/admin/projects/model/environments/${place}/change-requests`,
        { payload: sent(wanted) },
      );
      expect(response.statusCode, response.body).toBe(200);
      if (draft) {
        draft.changes.push(wanted);
        draft.min = needed(place);
        return;
      }
      const { id } = response.json();
      requests.push({
        ...{ id, author, environment: place, state: 'Draft', min: needed(place) },
        path: `/api/admin/projects/model/change-requests/${id}`,
        changes: [wanted],
        approvers: new Set(),
        editors: new Set(),
      });
    },
    edit: async ({ who: by, nth: index, change: wanted }) => {
      const { id } = of(by);
      const isEditable = (each: Request) =>
        (each.author === id || (id === admin.id && each.state !== 'Draft')) &&
        isOpen(each) &&
        !each.schedule?.isPending;
      const request = choose(isEditable, index);
      if (!request) return;
      const { id: changeId } = await app.db
        .selectFrom('change_request_changes')
        .where('request_id', '=', request.id)
        .select('id')
        .orderBy('position')
        .executeTakeFirstOrThrow();
      const response = await of(by).ask(`PUT ${request.path}/changes/${changeId}`, {
        payload: sent(wanted),
      });
      expect(response.statusCode, response.body).toBe(200);
      // A later change can be based on what the edited one did: enabling, on the default strategy that it added.
      for (const { changeId: later } of response.json().conflicts) {
        const kept = await of(by).ask(`POST ${request.path}/changes/${later}/resolve`, {
          payload: { resolution: 'keep' },
        });
        expect(kept.statusCode, kept.body).toBe(200);
      }
      request.changes[0] = wanted;
      if (request.author !== id) request.editors.add(id);
      request.approvers.clear();
      if (request.state !== 'In review') request.isAged = false;
      delete request.schedule;
      if (request.state !== 'Draft') request.state = request.min > 0 ? 'In review' : 'Approved';
    },
    send: async ({ nth: index }) => {
      const authorOf = ({ author }: Request) => people.find(({ id }) => id === author);
      const request = choose((each) => each.state === 'Draft' && !!authorOf(each), index);
      const author = request && authorOf(request);
      if (!author) return;
      expect((await setState(request, author, 'In review')).statusCode).toBe(200);
      request.min = needed(request.environment);
      request.state = request.min === 0 ? 'Approved' : 'In review';
    },
    approve: async ({ who: by, nth: index }) => {
      const request = choose(
        ({ state: is, min }) => min > 0 && (is === 'In review' || is === 'Approved'),
        index,
      );
      if (!request) return;
      const { id } = of(by);
      const isAllowed = mayApprove(request, id);
      const response = await setState(request, of(by), 'Approved');
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (!isAllowed || request.approvers.has(id)) return;
      request.approvers.add(id);
      if (counting(request) < request.min) return;
      request.state = 'Approved';
      if (rules[request.environment].applyAutomatically) applied(request);
    },
    reject: async ({ who: by, nth: index }) => {
      const isReviewable = ({ state: is }: Request) =>
        is === 'In review' || is === 'Approved' || is === 'Scheduled';
      const request = choose(isReviewable, index);
      if (!request) return;
      const isAllowed = mayApprove(request, of(by).id);
      const response = await setState(request, of(by), 'Rejected');
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (!isAllowed) return;
      request.state = 'Rejected';
      delete request.schedule;
    },
    cancel: async ({ who: by, nth: index }) => {
      const request = choose((each) => isOpen(each) && each.state !== 'Draft', index);
      if (!request) return;
      const isAllowed = request.author === of(by).id || by === administrator;
      const response = await setState(request, of(by), 'Cancelled');
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (!isAllowed) return;
      request.state = 'Cancelled';
      delete request.schedule;
    },
    schedule: async ({ who: by, nth: index, whenOverdue }) => {
      const { id } = of(by);
      const request = choose((each) => isOpen(each) && isVisible(each, id), index);
      if (!request) return;
      const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
      const response = await setState(request, of(by), 'Scheduled', { scheduledAt, whenOverdue });
      const isAllowed = isReady(request, id);
      expect(response.statusCode === 200, response.body).toBe(isAllowed);
      if (!isAllowed) return;
      request.state = 'Scheduled';
      request.schedule = { by: id, whenOverdue, isPending: true };
    },
    apply: async ({ who: by, nth: index }) => {
      const { id } = of(by);
      const request = choose(isOpen, index);
      if (!request) return;
      const isAllowed = isVisible(request, id) && isReady(request, id);
      const response = await setState(request, of(by), 'Applied');
      expect(response.statusCode === 200, response.body).toBe(isAllowed);
      if (isAllowed) applied(request);
    },
    due: async ({ nth: index, isOverdue: isLate }) => {
      const request = choose(
        ({ state: is, schedule }) => is === 'Scheduled' && !!schedule?.isPending,
        index,
      );
      if (!request?.schedule) return;
      const { by, whenOverdue } = request.schedule;
      await letTimeCome(request.id, isLate);
      request.schedule.isPending = false;
      const isThere = people.some(({ id }) => id === by);
      const isSkipped = !isThere || (isLate && whenOverdue === 'suspend');
      if (!isSkipped && isReady(request, by)) applied(request);
    },
    protect: async ({ environment: place, isOn }) => {
      expect((await protect(place, isOn)).statusCode).toBe(204);
      isProtected[place] = isOn;
    },
    direct: async ({ who: by, isAdmin, environment: place, change: wanted }) => {
      const { ask } = isAdmin ? app : of(by);
      const path = `/api/admin/projects/model/features/${prefix}${wanted.feature}/environments/${place}`;
      const response =
        wanted.kind === 'enable'
          ? await ask(`POST ${path}/${wanted.enabled ? 'on' : 'off'}`)
          : await ask(`POST ${path}/strategies`, { payload: sent(wanted).payload });
      const { enabled } = state[place][wanted.feature];
      const isNothing = wanted.kind === 'enable' && wanted.enabled === enabled;
      const isAllowed = isAdmin || by === administrator || !isProtected[place] || isNothing;
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (isAllowed) makeIn(place, wanted);
    },
    role: async ({ who: by }) => {
      if (by === administrator) return;
      const { id } = of(by);
      const roles = reviewers.has(id) ? [member] : [member, reviewing];
      await app.ask(`PUT /api/admin/projects/model/users/${id}/roles`, { payload: { roles } });
      if (!reviewers.delete(id)) reviewers.add(id);
    },
    leave: async ({ who: by }) => {
      if (by === administrator) return;
      const { id } = of(by);
      expect((await app.ask(`DELETE /api/admin/user-admin/${id}`)).statusCode).toBe(200);
      reviewers.delete(id);
      people[by] = await reviewer();
      reviewers.add(of(by).id);
    },
    rules: async ({ environment: place, approvers, ...others }) => {
      const { selfApproval, expiresAfterDays, applyAutomatically, emergencyApply } = others;
      const response = await setRules(place, {
        ...{ selfApproval, expiresAfterDays, applyAutomatically, emergencyApply },
        approvers: approvers.map((index) => of(index).id),
      });
      expect(response.statusCode, response.body).toBe(204);
      await expire();
    },
    age: async ({ nth: index }) => {
      const request = choose((each) => isOpen(each) && each.state !== 'Draft', index);
      if (!request) return;
      const since = new Date(Date.now() - (expiryDays + 1) * 86_400_000).toISOString();
      await sql`update change_requests set state_times = state_times || ${JSON.stringify({ 'In review': since })}::jsonb
        where id = ${request.id}`.execute(app.db);
      request.isAged = true;
      await sql`notify ${sql.id(schedulesChannel)}`.execute(app.db);
      await expire();
    },
    emergency: async ({ who: by, nth: index }) => {
      const { id } = of(by);
      const request = choose((each) => isOpen(each) && isVisible(each, id), index);
      if (!request) return;
      const { min, environment: place } = request;
      const isAllowed = id === admin.id && min > 0 && rules[place].emergencyApply;
      const emergency = { reason: 'It is urgent' };
      const response = await setState(request, of(by), 'Applied', { emergency });
      expect(response.statusCode, response.body).toBe(isAllowed ? 200 : 403);
      if (!isAllowed) return;
      request.emergencyBy = id;
      applied(request);
    },
    review: async ({ who: by, nth: index }) => {
      const request = choose(({ emergencyBy }) => emergencyBy !== undefined, index);
      if (!request) return;
      const { id } = of(by);
      const isAllowed = id !== request.emergencyBy && mayApprove(request, id);
      const path = `${request.path}/emergency-review` as const;
      const response = await of(by).ask(`POST ${path}`, { payload: {} });
      expect(response.statusCode, response.body).toBe(isAllowed ? 204 : 403);
    },
  };

  try {
    for (const each of sequence) {
      await (handlers[each.do] as (wanted: Step) => Promise<void>)(each);
      expect(await stored(prefix)).toEqual(state);
    }
  } finally {
    await app.db.deleteFrom('change_requests').execute();
  }
}

/** Makes a schedule due, now or while no server is running, and waits until it has ended. */
async function letTimeCome(id: number, isOverdue: boolean): Promise<void> {
  await app.db
    .updateTable('change_request_schedules')
    .set({ scheduled_at: new Date(Date.now() - (isOverdue ? 600_000 : 0)) })
    .where('request_id', '=', id)
    .execute();
  await sql`notify ${sql.id(schedulesChannel)}`.execute(app.db);
  const isPending = () =>
    app.db
      .selectFrom('change_request_schedules')
      .where('request_id', '=', id)
      .where('status', '=', 'pending')
      .select('request_id')
      .executeTakeFirst();
  await vi.waitFor(async () => expect(await isPending()).toBeUndefined(), {
    timeout: 60_000,
    interval: 10,
  });
}

/** What is stored, as far as the changes affect it. */
async function stored(prefix: string): Promise<State> {
  const { rows } = await sql<{
    feature: Name;
    environment: Environment;
    enabled: boolean;
    titles: string[];
  }>`
    select right(feature.name, 1) as feature, environment.name as environment,
      coalesce(own.enabled, false) as enabled,
      (select coalesce(json_agg(title order by title), '[]') from feature_strategies
        where feature_name = feature.name and feature_strategies.environment = environment.name
          and title is not null) as titles
    from features feature
    cross join unnest(${environments}::text[]) as environment (name)
    left join feature_environments own
      on own.feature_name = feature.name and own.environment = environment.name
    where feature.name like ${`${prefix}%`}`.execute(app.db);
  const find = (place: Environment, name: Name) => {
    const found = rows.find((row) => row.environment === place && row.feature === name);
    return { enabled: found?.enabled ?? false, titles: found?.titles ?? [] };
  };
  return {
    production: { a: find('production', 'a'), b: find('production', 'b') },
    development: { a: find('development', 'a'), b: find('development', 'b') },
  };
}
