import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Endpoint } from './contract/endpoint.ts';
import type { Database, Db, ReadAt, ReadSnapshot, Transact, Tx } from './db/database.ts';
import type { Listener } from './db/listen.ts';
import type { DatabaseBreaker } from './db/outage.ts';
import type { HookHandler, LookUp, LookupAnswer, RunHook } from './hooks.ts';
import { type Checked, type Checks, checked, type ServedEndpoint } from './http/checked.ts';
import type { CloseStreams } from './http/drain.ts';
import { type Handler, route } from './http/route.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { PeriodicWork } from './timers.ts';

/** Operator settings that modules use. */
export interface Settings {
  /** The public URL of this installation. URLs in responses begin with it. */
  readonly baseUrl: string;
  readonly eventRetentionDays: number | undefined;
  /** How many days hourly metrics are stored. */
  readonly metricsRetentionDays: number;
  readonly signingKeyFile: string | undefined;
  /** The folder of the embedded database; undefined if the database is another server's. */
  readonly dataDir?: string | undefined;
  readonly sessionTtlHours: number;
  readonly sessionIdleHours: number;
  /** How mail is sent. If undefined, links are shown to the administrator instead. */
  readonly mail: MailSettings | undefined;
  /** Keys of 32 bytes. The first encrypts secrets, any of them decrypts. Empty if the operator set none. */
  readonly encryptionKeys: readonly Buffer[];
  /** Which addresses outgoing requests may reach. */
  readonly targets: TargetPolicy;
  /** How long a receiver may take to answer. */
  readonly deliveryTimeoutMs: number;
}

/**
 * Which addresses outgoing requests may reach. Public ones are always allowed; link-local and cloud metadata addresses
 * never are.
 */
export interface TargetPolicy {
  /** Allowed private addresses: all, none, or these ranges. */
  readonly privateTargets: boolean | readonly string[];
  /** Whether requests that an administrator configured may reach this machine itself. */
  readonly loopback: boolean;
}

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS, if the server offers it. */
  readonly secure: boolean;
  /** Whether nothing is sent to a server that does not offer STARTTLS. */
  readonly requireTls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly sender: string;
}

/** Services that the composition root creates without any module. */
export interface PlatformServices {
  /** For short reads. Changes and long reads use other connections. */
  readonly db: Db;
  /** For long reads, so that they do not take the connections of short ones. */
  readonly searchDb: Db;
  readonly readSnapshot: ReadSnapshot;
  /** Reads the present or the past, whichever a request asks for. */
  readonly readAt: ReadAt;
  /** Reads a snapshot on separate connections, for short reads that must wait neither for long ones nor for changes. */
  readonly readBriefly: ReadSnapshot;
  readonly transact: Transact;
  /** Like `transact`, but rolls back: for dry runs. */
  readonly rehearse: Transact;
  readonly listener: Listener;
  /** Shared by all outage watches. */
  readonly breaker: DatabaseBreaker;
  /** Sends all outgoing requests. */
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly log: Logger;
  /** Metrics for monitoring. */
  readonly metrics: Metrics;
  readonly settings: Settings;
  /** The actor of work that no caller started. */
  readonly system: Actor;
  /** Aborted when the server begins to stop; streams end then. */
  readonly stopping: AbortSignal;
  /** Registers what closes streams before a stop that has time for it. Requests are still served then. */
  readonly onDrain: (close: CloseStreams) => void;
  /** Runs a hook's handlers in other modules, within the transaction. */
  readonly runHook: RunHook;
  /** Asks a higher module. */
  readonly lookUp: LookUp;
  /** Of these actors, returns the ids of those whose visible scopes are unchanged: their open streams may continue. */
  readonly listUnchangedActors: (
    actors: readonly Pick<Actor, 'kind' | 'id'>[],
  ) => Promise<ReadonlySet<number>>;
  /** Calls back after each commit of this instance that recorded events. Returns a function that unsubscribes. */
  readonly onCommit: (callback: () => void) => () => void;
  /** Registers cleanup work, which runs after the last request and before the database is closed. */
  readonly atEnd: (work: () => Promise<void>) => void;
}

/** Everything that the composition root passes to a module. Modules add what they offer to others. */
export interface Services extends PlatformServices {}

/** The services of periodic work, which also writes data without events. */
export interface WritingServices extends Services {
  readonly writeDb: Kysely<Database>;
}

/** The services of background work. It may run in a separate thread and so shares nothing with requests. */
export interface BackgroundServices
  extends Pick<
    Services,
    | 'db'
    | 'transact'
    | 'listener'
    | 'outgoing'
    | 'clock'
    | 'log'
    | 'settings'
    | 'system'
    | 'stopping'
  > {
  readonly metrics: Pick<Metrics, 'counter'>;
  /** For queue tables. Work lost when the machine fails is done again. */
  readonly queueDb: Kysely<Database>;
}

type Endpoints = Readonly<Record<string, ServedEndpoint>>;

/** One or more endpoints that belong together, ready to be served with the services that they need. */
export interface UseCase<Served extends Endpoints = Endpoints, Needs = Services> {
  /** The contract with its checks. */
  readonly endpoints: Served;
  readonly register: (app: FastifyInstance, services: Needs) => void;
}

interface UseCaseDefinition<
  Contract extends Readonly<Record<string, Endpoint>>,
  Given extends Checks<Contract>,
  Needs,
> {
  readonly contract: Contract;
  /** Rules that a schema cannot express. */
  readonly checks?: Given;
  /** Returns a handler for each endpoint of the contract. */
  readonly routes: (
    services: Needs,
    app: FastifyInstance,
  ) => {
    readonly [Name in keyof Contract]: Handler<Checked<Contract, Given>[Name]>;
  };
  /** Calls `register` with the part of the application in which the routes belong, for hooks of these routes alone. */
  readonly inside?: (
    app: FastifyInstance,
    services: Needs,
    register: (part: FastifyInstance) => void,
  ) => void;
}

/**
 * Defines a use case by its contract, its checks and its handlers. A parameter type of `routes` narrower than
 * `Services` lets another composition root than the server's serve it.
 */
export function defineUseCase<
  Contract extends Readonly<Record<string, Endpoint>>,
  const Given extends Checks<Contract> = Record<never, never>,
  Needs = Services,
>({
  contract,
  checks,
  routes,
  inside = (app, _services, register) => register(app),
}: UseCaseDefinition<Contract, Given, Needs>): UseCase<Checked<Contract, Given>, Needs> {
  const endpoints = checked<Contract, Given>(contract, checks ?? ({} as Given));
  return {
    endpoints,
    register(app, services) {
      const handlers = routes(services, app);
      inside(app, services, (part) => {
        for (const name of Object.keys(handlers))
          route(part, endpoints[name] as never, handlers[name] as never);
      });
    },
  };
}

/** One part of the service. Deleting its folder and its line in `modules.ts` removes it. */
interface ModuleDefinition<UseCases extends readonly UseCase[] = readonly UseCase[]> {
  readonly name: string;
  readonly useCases: UseCases;
  /** Registers what belongs to no use case: metrics, and the page itself. */
  readonly setUp?: (services: Services, app: FastifyInstance) => void;
  /** Creates the module's initial data. Runs once per installation, at the first start that includes the module. */
  readonly firstStart?: (tx: Tx) => Promise<void>;
  /** Removes the name of an erased person from the module's data. */
  readonly forget?: (tx: Tx, userId: number) => Promise<void>;
  /** Handlers of other modules' hooks. */
  readonly hooks?: readonly HookHandler[];
  /** Answers to lookups of lower modules. */
  readonly lookups?: readonly LookupAnswer[];
  /** Removes the data that the module derived from these events, from which a person was just erased. */
  readonly forgetEvents?: (tx: Tx, eventIds: readonly number[]) => Promise<void>;
  /** Encrypts the module's secrets under the first key. Returns how many were under another key. */
  readonly reseal?: (tx: Tx, keys: readonly Buffer[]) => Promise<number>;
  readonly jobs?: (services: WritingServices) => PeriodicWork[];
  /** Starts work that is due at times of its own, on every instance. Returns a function that stops it. */
  readonly start?: (services: Services) => () => Promise<void>;
}

export interface Module<Contract extends Endpoints = Endpoints> extends ModuleDefinition {
  /** All endpoints of the module. */
  readonly contract: Contract;
  readonly routes: (app: FastifyInstance, services: Services) => void;
}

type EndpointsOf<UseCases> = UseCases extends readonly [
  infer First extends UseCase,
  ...infer Others extends readonly UseCase[],
]
  ? First['endpoints'] & EndpointsOf<Others>
  : Record<never, never>;

export const defineModule = <const UseCases extends readonly UseCase[]>(
  definition: ModuleDefinition<UseCases>,
): Module<EndpointsOf<UseCases>> => ({
  ...definition,
  contract: Object.assign({}, ...definition.useCases.map(({ endpoints }) => endpoints)),
  routes(app, services) {
    for (const { register } of definition.useCases) register(app, services);
    definition.setUp?.(services, app);
  },
});
