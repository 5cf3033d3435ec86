import {
  annotateApplication,
  ignoreName,
  storeBatch,
} from '../modules/sdk/client-metrics/index.ts';
import { dayMs, hourMs } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';
import { catalogue, type DemoFeature, type Life } from './catalogue.ts';
import { type Chapter, numberOf } from './chapter.ts';
import { administrator } from './people.ts';

type Batch = Parameters<typeof storeBatch>[1];
type Report = Batch['reports'][number];
type Counts = Report['features'] extends ReadonlyMap<string, infer Each> ? Each : never;

/** An application of the shop that runs an SDK. */
interface Program {
  readonly appName: string;
  readonly project: string;
  readonly environments: readonly string[];
  readonly sdk: string;
  readonly instances: number;
  readonly since: number;
  readonly description?: string;
  /** In browsers, with a token that everyone can read. */
  readonly isPublic?: true;
  /** Names that it asks for and no one made. */
  readonly unknown?: readonly string[];
}

const programs: readonly Program[] = [
  {
    appName: 'shop-backend',
    project: 'web-shop',
    environments: ['production', 'staging', 'development'],
    sdk: 'unleash-client-node:6.6.0',
    instances: 3,
    since: 60,
    description: 'Renders the storefront',
    unknown: ['wishlist-sharing'],
  },
  {
    appName: 'shop-browser',
    project: 'web-shop',
    environments: ['production'],
    sdk: 'unleash-client-js:3.7.8',
    instances: 6,
    since: 60,
    isPublic: true,
  },
  {
    appName: 'order-service',
    project: 'checkout',
    environments: ['production', 'staging'],
    // Older than what is recommended.
    sdk: 'unleash-client-java:9.1.1',
    instances: 4,
    since: 60,
    description: 'Orders and payments, owned by the payments team',
    unknown: ['pay-klarna'],
  },
  {
    appName: 'mobile-gateway',
    project: 'mobile',
    environments: ['production', 'development'],
    sdk: 'unleash-client-go:4.5.0',
    instances: 2,
    since: 60,
  },
  {
    appName: 'search-service',
    project: 'search',
    environments: ['production', 'development'],
    sdk: 'unleash-client-python:5.9.0',
    instances: 2,
    since: 45,
    unknown: ['serch-history', 'loadtest-probe'],
  },
  {
    appName: 'picking-station',
    project: 'warehouse',
    environments: ['production'],
    sdk: 'unleash-client-dotnet:5.2.0',
    instances: 5,
    since: 45,
  },
  {
    appName: 'edge-gateway',
    project: 'platform',
    environments: ['production', 'development'],
    sdk: 'unleash-client-node:6.6.0',
    instances: 2,
    since: 30,
  },
];

/** Days since applications stopped asking for features with this life; undefined if they never did. */
const silentFor: Readonly<Record<Life, ((name: string) => number) | undefined>> = {
  planned: undefined,
  developed: () => 0,
  tried: () => 0,
  growing: () => 0,
  everywhere: () => 0,
  withdrawn: () => 3,
  forgotten: (name) => (numberOf(name) % 2 === 0 ? 0 : 40),
  // Of what was decided, some code is still there.
  completed: (name) => (numberOf(name) % 3 === 0 ? 0 : 44),
  archived: (name) => (numberOf(name) % 4 === 0 ? 1 : 50),
};

/** The share of evaluations in production that were enabled. */
const shareInProduction: Readonly<Record<Life, number>> = {
  planned: 0,
  developed: 0,
  tried: 0.02,
  growing: 0.4,
  everywhere: 1,
  withdrawn: 0,
  forgotten: 1,
  completed: 1,
  archived: 0,
};

/** In development features are enabled for everyone, and in staging for no one. */
function shareOn(life: Life, environment: string): number {
  if (environment === 'production') return shareInProduction[life];
  return environment === 'development' && life !== 'archived' ? 1 : 0;
}

const isAskedFor = ({ name, life, daysAgo: age }: DemoFeature, daysAgo: number): boolean => {
  const silent = silentFor[life];
  return silent !== undefined && age > daysAgo + 1 && silent(name) <= daysAgo;
};

/** Fewer at night, and at weekends. */
function busyness(at: Date): number {
  const byHour = 0.35 + 0.65 * Math.sin((Math.PI * ((at.getUTCHours() + 20) % 24)) / 24) ** 2;
  return at.getUTCDay() % 6 === 0 ? byHour * 0.7 : byHour;
}

function countsOf(feature: DemoFeature, environment: string, at: Date): Counts {
  const usual = environment === 'production' ? 400 + (numberOf(feature.name) % 4000) : 12;
  const asked = Math.round(usual * busyness(at));
  const yes = Math.round(asked * shareOn(feature.life, environment));
  const variants =
    feature.type === 'experiment' && yes > 0
      ? new Map([
          ['control', Math.floor(yes / 2)],
          ['treatment', Math.ceil(yes / 2)],
        ])
      : undefined;
  return { yes, no: asked - yes, variants, seenMs: at.getTime() };
}

const scopeOf = ({ project }: Program, environment: string) => ({
  environment,
  projects: [project],
});

/** What an application asked for in the hour before an instant. */
function reportsAt(program: Program, at: Date, daysAgo: number): Report[] {
  const { appName, isPublic = false, unknown = [] } = program;
  const features = catalogue[program.project] ?? [];
  return program.environments.map((environment) => ({
    appName,
    isPublic,
    scope: scopeOf(program, environment),
    hourMs: Math.floor(at.getTime() / hourMs) * hourMs,
    features: new Map<string, Counts>([
      ...features
        .filter((feature) => isAskedFor(feature, daysAgo))
        .map((feature) => [feature.name, countsOf(feature, environment, at)] as const),
      ...(daysAgo < 1 && environment === 'production' ? unknown : []).map(
        (name) => [name, { yes: 0, no: 25, variants: undefined, seenMs: at.getTime() }] as const,
      ),
    ]),
  }));
}

const instancesOf = (program: Program, seenMs: number): Batch['instances'] =>
  program.environments.flatMap((environment) =>
    Array.from({ length: environment === 'production' ? program.instances : 1 }, (_, index) => ({
      appName: program.appName,
      isPublic: program.isPublic ?? false,
      scope: scopeOf(program, environment),
      instanceId: `${program.appName}-${environment.slice(0, 4)}-${(numberOf(`${program.appName}${index}`) + 4096).toString(16)}`,
      sdkVersion: program.sdk,
      sdkType: program.isPublic ? 'frontend' : 'backend',
      specVersion: '5.2.0',
      strategies: ['default', 'flexibleRollout'],
      ip: program.isPublic ? null : `10.4.${numberOf(program.appName) % 200}.${10 + index}`,
      seenMs,
    })),
  );

const log = createLogger('silent');

/** What all applications told in the hours before a day. */
async function tell(tx: Tx, daysAgo: number, hours: readonly number[]): Promise<void> {
  const running = programs.filter(({ since }) => since >= daysAgo);
  const reports = running.flatMap((program) =>
    hours.flatMap((back) =>
      reportsAt(program, new Date(tx.now.getTime() - back * hourMs), daysAgo + back / 24),
    ),
  );
  const instances = running.flatMap((program) => instancesOf(program, tx.now.getTime()));
  await storeBatch(tx, { reports, instances, size: reports.length + instances.length }, log);
}

const told = (daysAgo: number, hours: readonly number[]): Chapter => ({
  daysAgo,
  requests: [],
  run: (tx) => tell(tx, daysAgo, hours),
});

const everyHour = Array.from({ length: Math.round((2 * dayMs) / hourMs) }, (_, back) => back);

/** Applications that asked for features: sometimes long ago, six times a day in the last weeks, now every hour. */
export const usage: readonly Chapter[] = [
  told(60, [0]),
  told(45, [0]),
  ...Array.from({ length: 28 }, (_, index) => told(29 - index, [0, 4, 8, 12, 16, 20])),
  told(0, everyHour),
  ...programs
    .filter(({ description }) => description !== undefined)
    .map(
      ({ appName, description = '', since }): Chapter => ({
        daysAgo: since - 0.5,
        by: administrator,
        requests: [{ operation: 'createApplication' }],
        run: (tx) => annotateApplication(tx, appName, { description }),
      }),
    ),
  {
    daysAgo: 0,
    by: administrator,
    requests: [{ operation: 'ignoreUnknownFlag' }],
    run: (tx) => ignoreName(tx, 'loadtest-probe'),
  },
];
