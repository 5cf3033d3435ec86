import { setTimeout as sleep } from 'node:timers/promises';

const password = 'correct-Horse-9-battery';

/** Fills an Unleash through its admin API with something of each kind that an import supports. */
export async function fill(url: string, token: string, extraFeatures = 0): Promise<void> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const admin = (method: string, path: string, body?: unknown) =>
    call(method, `/api/admin${path}`, body);
  const feature = '/projects/default/features';
  const at = (name: string, environment: string) =>
    `${feature}/${name}/environments/${environment}`;

  await admin('PUT', '/feature-types/operational/lifetime', { lifetimeDays: 12 });
  await admin('POST', '/context', {
    name: 'region',
    description: 'Where the user is',
    stickiness: true,
    sortOrder: 3,
    legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'us' }],
  });
  for (const name of ['plan', 'email', 'age', 'appVersion'])
    await admin('POST', '/context', { name });
  await admin('POST', '/tag-types', { name: 'team', description: 'Who owns it', icon: 'T' });
  await admin('POST', '/tags', { type: 'team', value: 'unused' });
  await admin('POST', '/strategies', {
    name: 'byCompany',
    description: 'Companies by name',
    parameters: [{ name: 'companies', type: 'list', description: 'Names', required: true }],
  });
  // SDKs know this name, and Burgee has a strategy type of this name.
  await admin('POST', '/strategies', {
    name: 'gradualRolloutUserId',
    parameters: [{ name: 'percentage', type: 'percentage', description: '', required: false }],
  });
  const segment = (await admin('POST', '/segments', {
    name: 'europeans',
    description: 'People in Europe',
    constraints: [
      { contextName: 'region', operator: 'IN', values: ['eu'], inverted: false },
      { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.3' },
    ],
  })) as { id: number };
  await admin('POST', '/segments', {
    name: 'unused-segment',
    project: 'default',
    constraints: [{ contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['7', '9'] }],
  });
  await admin('POST', '/user-admin', {
    email: 'ada@example.com',
    name: 'Ada',
    rootRole: 1,
    sendEmail: false,
    password,
  });
  await admin('POST', '/user-admin', {
    username: 'grace',
    name: 'Grace',
    rootRole: 3,
    sendEmail: false,
  });
  await admin('POST', '/user-admin', {
    email: 'edit@example.com',
    rootRole: 2,
    sendEmail: false,
  });
  for (const [tokenName, type, environment] of [
    ['backend', 'client', 'development'],
    ['backend-production', 'client', 'production'],
    ['browser', 'frontend', 'production'],
  ] as const) {
    await admin('POST', '/api-tokens', { tokenName, type, environment, projects: ['*'] });
  }
  await admin('POST', '/api-tokens', {
    tokenName: 'one-project',
    type: 'client',
    environment: 'development',
    projects: ['default'],
    expiresAt: '2100-01-01T00:00:00.000Z',
  });
  await admin('POST', '/addons', {
    provider: 'webhook',
    description: 'To our chat',
    enabled: true,
    parameters: { url: 'https://93.184.215.14/hook', authorization: 'Bearer secret-of-theirs' },
    events: ['feature-created', 'feature-archived'],
    projects: ['default'],
    environments: ['production'],
  });

  const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];
  const create = async (name: string, more: object = {}) =>
    admin('POST', feature, { name, description: `About ${name}`, ...more });
  const rollout = (rolloutPercent: number, groupId: string, stickiness = 'default') => ({
    name: 'flexibleRollout',
    parameters: { rollout: String(rolloutPercent), groupId, stickiness },
  });
  for (let index = 0; index < 20; index += 1) {
    const name = `plain-${String(index).padStart(2, '0')}`;
    await create(name, { type: types[index % types.length], impressionData: index % 2 === 0 });
    await admin(
      'POST',
      `${at(name, 'development')}/strategies`,
      rollout(index * 5, `group-${index}`),
    );
    if (index % 3 !== 0) await admin('POST', `${at(name, 'development')}/on`);
    if (index % 4 === 0) {
      await admin('POST', `${at(name, 'production')}/strategies`, rollout(100, name, 'userId'));
      await admin('POST', `${at(name, 'production')}/on`);
    }
  }
  await create('constrained');
  const operators = [
    { contextName: 'region', operator: 'NOT_IN', values: ['us'] },
    { contextName: 'email', operator: 'STR_CONTAINS', values: ['@Example'], caseInsensitive: true },
    { contextName: 'age', operator: 'NUM_GTE', value: '18' },
    { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2020-01-01T00:00:00.000Z' },
    { contextName: 'appVersion', operator: 'SEMVER_LT', value: '3.0.0', inverted: true },
    { contextName: 'plan', operator: 'STR_STARTS_WITH', values: ['pro'], inverted: true },
  ];
  for (const [index, constraint] of operators.entries()) {
    await admin('POST', `${at('constrained', 'development')}/strategies`, {
      ...rollout(50, 'shared-group', index % 2 === 0 ? 'userId' : 'region'),
      title: `Number ${index}`,
      sortOrder: 10 - index,
      constraints: [constraint],
      segments: index === 2 ? [segment.id] : [],
      disabled: index === 4,
    });
  }
  await admin('POST', `${at('constrained', 'development')}/on`);
  await create('with-variants', { type: 'experiment' });
  await admin('POST', `${at('with-variants', 'development')}/strategies`, {
    ...rollout(100, 'with-variants'),
    variants: [
      { name: 'red', weight: 333, weightType: 'variable', stickiness: 'default' },
      {
        name: 'green',
        weight: 334,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'json', value: '{"a":1}' },
      },
      { name: 'Blue', weight: 333, weightType: 'variable', stickiness: 'default' },
    ],
  });
  await admin('POST', `${at('with-variants', 'development')}/on`);
  await create('parent');
  await admin('POST', `${at('parent', 'development')}/on`);
  await create('child');
  await admin('POST', `${at('child', 'development')}/on`);
  await admin('POST', `${feature}/child/dependencies`, { feature: 'parent', enabled: true });
  await create('custom-strategy');
  await admin('POST', `${at('custom-strategy', 'development')}/strategies`, {
    name: 'byCompany',
    parameters: { companies: 'a,b' },
  });
  await create('old-strategies');
  for (const [name, parameters] of [
    ['userWithId', { userIds: 'one,two' }],
    ['remoteAddress', { IPs: '10.0.0.0/8,127.0.0.1' }],
    ['applicationHostname', { hostNames: 'web-1' }],
    ['default', {}],
  ] as const) {
    await admin('POST', `${at('old-strategies', 'production')}/strategies`, {
      name,
      parameters,
    }).catch(() => undefined);
  }
  await create('stale-one');
  await admin('POST', '/projects/default/stale', { features: ['stale-one'], stale: true });
  await create('tagged');
  await admin('POST', '/features/tagged/tags', { type: 'simple', value: 'a tag' });
  await admin('POST', '/features/tagged/tags', { type: 'team', value: 'core' });
  await create('archived-one');
  await admin(
    'POST',
    `${at('archived-one', 'development')}/strategies`,
    rollout(30, 'archived-one'),
  );
  await admin('DELETE', `${feature}/archived-one`);
  await create('deleted-one');
  await admin('DELETE', `${feature}/deleted-one`);
  await admin('DELETE', '/archive/deleted-one');
  await create('finished');
  await admin('POST', `${feature}/finished/lifecycle/complete`, {
    status: 'kept',
  }).catch(() => undefined);
  await create('rolled-out');
  await admin('POST', `${at('rolled-out', 'development')}/strategies`, {
    name: 'gradualRolloutUserId',
    parameters: { percentage: '40', groupId: 'rolled-out' },
  });
  await admin('POST', `${at('rolled-out', 'development')}/on`);
  // Only newer versions support the following.
  for (const name of ['sunset-one', 'sunset-two']) {
    await create(name, { type: 'sunset' }).catch(() => undefined);
  }
  await admin('POST', `${feature}/tagged/link`, {
    url: 'https://tracker.example.com/1',
    title: 'Ticket',
  }).catch(() => undefined);
  await admin('POST', '/projects/default/context', {
    name: 'shopId',
    description: 'Which shop',
    stickiness: true,
    legalValues: [{ value: 'a' }, { value: 'b', description: 'B' }],
  }).catch(() => undefined);
  await admin('POST', '/projects/default/environments/development/default-strategy', {
    name: 'flexibleRollout',
    parameters: { rollout: '10', groupId: 'by-default', stickiness: 'userId' },
    constraints: [],
    segments: [],
  });
  await call('POST', '/api/admin/metrics/applications/shop', {
    description: 'The shop',
    icon: 'cart',
  }).catch(() => undefined);
  await favor(url);
  await use(url, call);
  for (let index = 0; index < extraFeatures; index += 1) {
    const name = `many-${String(index).padStart(4, '0')}`;
    await create(name);
    await admin('POST', `${at(name, 'development')}/strategies`, rollout(index % 101, name));
    if (index % 2 === 0) await admin('POST', `${at(name, 'development')}/on`);
  }
}

/** Signs in, because only users have favorites and appear as creators. */
async function favor(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ username: 'ada@example.com', password });
  const signIn = async (): Promise<string> => {
    const response = await fetch(`${url}/auth/simple/login`, { method: 'POST', headers, body });
    const cookie = response.headers.getSetCookie().map((each) => each.split(';')[0]);
    return cookie.join('; ');
  };
  // On a busy machine, the response arrives before the session is stored.
  let cookie = await signIn();
  while (!(await fetch(`${url}/api/admin/user`, { headers: { cookie } })).ok) {
    await sleep(1000);
    cookie = await signIn();
  }
  const ask = async (method: string, path: string, sent?: object) => {
    const response = await fetch(`${url}/api/admin/${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  };
  await ask('POST', 'projects/default/favorites');
  await ask('POST', 'projects/default/features/plain-01/favorites');
  await ask('POST', 'projects/default/features/plain-02/favorites');
  await ask('DELETE', 'projects/default/features/plain-02/favorites');
  await ask('POST', 'projects/default/features', { name: 'by-ada' });
  await ask('POST', 'segments', { name: 'segment-by-ada', constraints: [] });
}

/** Reports usage of an application, which the server stores some seconds later. */
async function use(
  url: string,
  call: (method: string, path: string, body?: unknown) => Promise<unknown>,
): Promise<void> {
  const { tokens } = (await call('GET', '/api/admin/api-tokens')) as {
    tokens: { secret: string; tokenName?: string; username?: string }[];
  };
  const own = tokens.find((each) => (each.tokenName ?? each.username) === 'backend');
  const report = (path: string, body: object) =>
    fetch(`${url}/api/client/${path}`, {
      method: 'POST',
      headers: { authorization: own?.secret ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ appName: 'checkout', instanceId: 'one', ...body }),
    });
  const now = new Date().toISOString();
  await report('register', { strategies: ['default'], started: now, interval: 10_000 });
  const toggles = { 'plain-01': { yes: 3, no: 1 }, 'plain-04': { yes: 1, no: 0 } };
  await report('metrics', { bucket: { start: now, stop: now, toggles } });
  for (;;) {
    const found = await call('GET', '/api/admin/metrics/applications/checkout').catch(() => ({}));
    if (JSON.stringify(found).includes('plain-04')) return;
    await sleep(1000);
  }
}
