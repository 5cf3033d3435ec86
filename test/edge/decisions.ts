import { setTimeout as sleep } from 'node:timers/promises';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { type Context, InMemStorageProvider, Unleash } from 'unleash-client';
import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';

/** A server or an edge, asked by real SDKs. */
export interface Place {
  readonly name: string;
  readonly url: string;
  /** Whether it evaluates through OpenFeature. Unleash does not. */
  readonly hasOfrep: boolean;
}

interface Tokens {
  readonly backend: string;
  readonly frontend: string;
}

/** A linear congruential generator: a seed repeats a run. */
function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    next,
    of: <Value>(values: readonly Value[]): Value => values[next(values.length)] as Value,
  };
}

/** A context with some of the fields on which features depend. All places get the same. */
function randomContext({ next, of }: ReturnType<typeof createRandom>): Context {
  const properties = {
    region: of(['eu', 'us', 'eu-north', 'EU']),
    email: of(['ada@example.com', 'grace@EXAMPLE.org', 'nobody@elsewhere.net']),
    age: of(['17', '18', '18.5', '99', 'old']),
    appVersion: of(['1.2.3', '1.10.0', '2.9.9', '3.0.0-rc.1', '3.0.0', 'latest']),
    plan: of(['pro', 'pro-plus', 'free']),
    companies: of(['a', 'b', 'c']),
    shopId: of(['a', 'b']),
  };
  const some = Object.entries(properties).filter(() => next(4) > 0);
  return {
    appName: 'shop',
    environment: 'development',
    sessionId: `session-${next(1_000_000)}`,
    ...(next(5) > 0 && { userId: of(['one', '1', '2', `user-${next(1_000_000)}`]) }),
    ...(next(2) > 0 && { remoteAddress: of(['10.1.2.3', '127.0.0.1', '192.168.0.1']) }),
    properties: Object.fromEntries(some),
  };
}

type Decisions = Readonly<Record<string, unknown>>;

/** Waits for something that a process does. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`waited in vain for ${what}`);
    await sleep(50);
  }
}

/** The SDK of backends, which decides by itself. */
export async function startBackend(url: string, token: string, appName = 'shop'): Promise<Unleash> {
  const unleash = new Unleash({
    ...{ appName, url: `${url}/api/`, customHeaders: { Authorization: token } },
    ...{ refreshInterval: 200, metricsInterval: 500, skipInstanceCountWarning: true },
    storageProvider: new InMemStorageProvider(),
  });
  unleash.on('error', () => undefined);
  unleash.on('warn', () => undefined);
  await until(() => unleash.isSynchronized(), `an SDK at ${url}`);
  return unleash;
}

const own = ({
  name,
  enabled,
  payload,
}: {
  name: string;
  enabled: boolean;
  payload?: unknown;
}) => ({
  ...{ name, enabled },
  ...(payload !== undefined && { payload }),
});

function decidedBy(unleash: Unleash, context: Context, names: readonly string[]): Decisions {
  return Object.fromEntries(
    names.map((name) => [
      name,
      [unleash.isEnabled(name, context), own(unleash.getVariant(name, context))],
    ]),
  );
}

/** The evaluation for browsers: the features that are enabled, with their variants. */
async function decidedForBrowser(url: string, token: string, context: Context): Promise<Decisions> {
  const { properties = {}, ...plain } = context as { properties?: Record<string, string> };
  const query = new URLSearchParams(plain as Record<string, string>);
  for (const [name, value] of Object.entries(properties)) query.set(`properties[${name}]`, value);
  const response = await fetch(`${url}/api/frontend?${query}`, {
    headers: { authorization: token },
  });
  if (response.status !== 200) throw new Error(`${url}/api/frontend answered ${response.status}`);
  const { toggles } = (await response.json()) as {
    toggles: { name: string; impressionData: boolean; variant: Parameters<typeof own>[0] }[];
  };
  return Object.fromEntries(
    toggles.map(({ name, impressionData, variant }) => [name, [impressionData, own(variant)]]),
  );
}

/** The SDK of browsers, for one context. */
async function decidedInBrowser(url: string, token: string, context: Context): Promise<Decisions> {
  const { appName: _, environment: __, ...rest } = context;
  const client = new UnleashClient({
    ...{
      url: `${url}/api/frontend`,
      clientKey: token,
      appName: 'shop',
      environment: 'development',
    },
    ...{ storageProvider: new InMemoryStorageProvider(), refreshInterval: 0, disableMetrics: true },
    ...{ context: rest as never, fetch: globalThis.fetch },
  });
  await client.start();
  const all = client.getAllToggles();
  client.stop();
  return Object.fromEntries(
    all.map(({ name, impressionData, variant }) => [name, [impressionData, own(variant)]]),
  );
}

/** OpenFeature: whether each feature is enabled. */
async function decidedByOpenFeature(
  { url, name: domain }: Place,
  token: string,
  context: Context,
  names: readonly string[],
): Promise<Decisions> {
  const headers: [string, string][] = [['Authorization', token]];
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: url, headers }));
  const { properties, userId, ...rest } = context as Context & { properties: object };
  const client = OpenFeature.getClient(domain);
  const flat = { ...rest, ...properties, ...(userId !== undefined && { userId }) };
  const decided = await Promise.all(
    names.map(async (name) => [name, await client.getBooleanValue(name, false, flat as never)]),
  );
  return Object.fromEntries(decided);
}

function differencesOf(
  context: Context,
  what: string,
  all: readonly (readonly [Place, Decisions])[],
) {
  const [[first, expected] = [undefined, {} as Decisions], ...others] = all;
  return others.flatMap(([place, decided]) =>
    [...new Set([...Object.keys(expected), ...Object.keys(decided)])]
      .filter((name) => JSON.stringify(expected[name]) !== JSON.stringify(decided[name]))
      .map((name) => ({
        ...{ what, name, context, at: `${place.name} and not ${first?.name}` },
        ...{ decided: decided[name], expected: expected[name] },
      })),
  );
}

/**
 * Lets real SDKs decide about all features for random contexts at several places. Returns the differences from the first
 * one, and how many decisions were compared.
 */
export async function compareDecisions(
  places: readonly Place[],
  { backend, frontend }: Tokens,
  { contexts, seed }: { readonly contexts: number; readonly seed: number },
) {
  const random = createRandom(seed);
  const sdks = await Promise.all(places.map(({ url }) => startBackend(url, backend)));
  const names = sdks[0]?.getFeatureToggleDefinitions().map(({ name }) => name) ?? [];
  const differences: object[] = [];
  let compared = 0;
  const compare = async (
    what: string,
    context: Context,
    at: readonly Place[],
    decide: (place: Place, nth: number) => Decisions | Promise<Decisions>,
  ) => {
    const all = await Promise.all(
      at.map(async (place, nth) => [place, await decide(place, nth)] as const),
    );
    compared += Object.keys(all[0]?.[1] ?? {}).length;
    differences.push(...differencesOf(context, what, all));
  };
  try {
    for (let nth = 0; nth < contexts; nth += 1) {
      const context = randomContext(random);
      await compare('backend SDK', context, places, (_, at) =>
        decidedBy(sdks[at] as Unleash, context, names),
      );
      if (nth % 2 === 0)
        await compare('frontend API', context, places, ({ url }) =>
          decidedForBrowser(url, frontend, context),
        );
      if (nth % 20 === 0)
        await compare('browser SDK', context, places, ({ url }) =>
          decidedInBrowser(url, frontend, context),
        );
      const withOfrep = places.filter(({ hasOfrep }) => hasOfrep);
      if (nth % 100 === 0)
        await compare('OpenFeature', context, withOfrep, (place) =>
          decidedByOpenFeature(place, frontend, context, names),
        );
    }
  } finally {
    for (const sdk of sdks) sdk.destroy();
    await OpenFeature.close();
  }
  return { differences, compared, features: names.length };
}
