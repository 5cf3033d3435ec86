import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { Actor, Database, Db, ReadSnapshot, Transact, Tx } from './db/database.ts';
import type { Listener } from './db/listen.ts';
import type { Silence } from './db/outage.ts';
import type { Figures } from './figures.ts';
import type { HookHandler, LookUp, LookupAnswer, RunHook } from './hooks.ts';
import type { ServedEndpoint } from './http/checked.ts';
import type { Logger } from './log.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { PeriodicWork } from './timers.ts';

/** What an operator set that modules need to know. */
export interface Settings {
  /** Where people reach this installation: addresses in answers begin with it. */
  readonly baseUrl: string;
  readonly eventRetentionDays: number | undefined;
  /** For how many days it is kept what programs tell hour by hour. */
  readonly metricsRetentionDays: number;
  readonly signingKeyFile: string | undefined;
  readonly sessionTtlHours: number;
  readonly sessionIdleHours: number;
  /** How mail is sent; undefined: links are shown to the administrator instead. */
  readonly mail: MailSettings | undefined;
  /** Each 32 bytes: secrets are stored under the first and read under any. Empty: the operator set none. */
  readonly encryptionKeys: readonly Buffer[];
  /** Which addresses this installation may send to by itself. */
  readonly targets: TargetPolicy;
  /** How long a receiver may take to answer. */
  readonly deliveryTimeoutMs: number;
}

/** Addresses of the public Internet are always allowed, link-local ones and those of cloud metadata never. */
export interface TargetPolicy {
  /** Private addresses: all, none, or those in these ranges. */
  readonly privateTargets: boolean | readonly string[];
  /** This machine itself, for requests that may reach it: those that administrators answer for. */
  readonly loopback: boolean;
}

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly sender: string;
}

/** What the composition root makes without any module. */
export interface PlatformServices {
  readonly db: Db;
  /** A second pool for long reads, so that they cannot take the connections of short ones. */
  readonly searchDb: Db;
  readonly readSnapshot: ReadSnapshot;
  /** The same on connections of its own: for short reads, which are to wait neither for long ones nor for changes. */
  readonly readBriefly: ReadSnapshot;
  readonly transact: Transact;
  /** As `transact`, for the answer alone: a dry run. */
  readonly rehearse: Transact;
  readonly listener: Listener;
  /** Of the database, for all who know what to say without it. */
  readonly silence: Silence;
  /** For whatever is sent to others. */
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly log: Logger;
  /** For whoever watches over the installation. */
  readonly figures: Figures;
  readonly settings: Settings;
  /** Who acts in work that nobody asked for. */
  readonly system: Actor;
  /** Aborted when the server begins to stop: endless answers end then. */
  readonly stopping: AbortSignal;
  /** Lets other modules take part in what one does, within its transaction. */
  readonly runHook: RunHook;
  /** Reads what a module above the caller knows. */
  readonly lookUp: LookUp;
  /** Of these actors, the ids of those whose open streams may go on: what they see is what they saw. */
  readonly listUnchangedActors: (
    actors: readonly Pick<Actor, 'kind' | 'id'>[],
  ) => Promise<ReadonlySet<number>>;
  /** Calls back after each commit of this instance that recorded something. Returns the end. */
  readonly onCommit: (heard: () => void) => () => void;
  /** Work for the end, after the last request and while there is still a database. */
  readonly atEnd: (work: () => Promise<void>) => void;
}

/** What the composition root hands to every module. Modules merge in what they offer to others. */
export interface Services extends PlatformServices {}

/** What periodic work gets: it writes what is no change, and so no event. */
export interface WritingServices extends Services {
  readonly writeDb: Kysely<Database>;
}

/** What work gets that never ends. It may run in a thread of its own, and so shares nothing with requests. */
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
  readonly figures: Pick<Figures, 'counter'>;
  /** For a table that is a queue: what is lost when the machine fails is done again. */
  readonly queueDb: Kysely<Database>;
}

/** One part of the service. It dies by its folder and its line in `modules.ts`. */
export interface Module<
  Contract extends Record<string, ServedEndpoint> = Record<string, ServedEndpoint>,
> {
  readonly name: string;
  readonly contract: Contract;
  readonly routes: (app: FastifyInstance, services: Services) => void;
  /** What the module begins with; runs once per installation, at the first start that has the module. */
  readonly firstStart?: (tx: Tx) => Promise<void>;
  /** Takes the name of an erased person out of what the module keeps. */
  readonly forget?: (tx: Tx, userId: number) => Promise<void>;
  /** What it does when another module does something that it takes part in. */
  readonly hooks?: readonly HookHandler[];
  /** What it knows that modules below it read. */
  readonly lookups?: readonly LookupAnswer[];
  /** Takes out of what the module keeps what was told of these events, from which a person was erased just now. */
  readonly forgetEvents?: (tx: Tx, eventIds: readonly number[]) => Promise<void>;
  /** Encrypts what it keeps secret under the first of the keys; says how many texts were under another. */
  readonly reseal?: (tx: Tx, keys: readonly Buffer[]) => Promise<number>;
  readonly jobs?: (services: WritingServices) => PeriodicWork[];
  /** Work that never ends, on every instance; returns the stop. */
  readonly background?: (services: BackgroundServices) => () => Promise<void>;
}

export const defineModule = <const Contract extends Record<string, ServedEndpoint>>(
  module: Module<Contract>,
) => module;
