import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Definitions } from '../../modules/sdk/snapshot/index.ts';
import type { Actor } from '../../platform/actor.ts';
import { unavailable } from '../../platform/errors.ts';
import { route } from '../../platform/http/route.ts';
import { version } from '../../platform/version.ts';
import type { EdgeSettings } from '../settings.ts';
import { backstageContract as contract } from './backstage-contract.ts';
import type { ServedTokens } from './served-tokens.ts';

interface Backstage {
  readonly settings: EdgeSettings;
  readonly instanceId: string;
  readonly started: Date;
  readonly tokens: Pick<ServedTokens, 'list'>;
  readonly definitions: Pick<Definitions, 'current' | 'ageSeconds' | 'isStale'>;
  readonly isStopping: () => boolean;
  readonly countStreams: () => Promise<number>;
  /** Throws unless the caller is on this machine or has the token of a backend. */
  readonly refuseStrangers: (request: FastifyRequest) => Promise<Actor | undefined>;
}

/** Whether a caller sees a project. Callers on this machine have no token, and see all. */
const sees = (caller: Actor | undefined, environment: string, project: string): boolean => {
  const scope = caller?.tokenScope;
  if (!scope) return true;
  const isOfEnvironment = scope.environment === null || scope.environment === environment;
  return isOfEnvironment && (scope.scopes === 'all' || scope.scopes.includes(project));
};

/** Registers what probes and operators ask. */
export function registerBackstage(app: FastifyInstance, options: Backstage): void {
  const { settings, instanceId, started, tokens, definitions, refuseStrangers } = options;

  /** Before the first features, and while stopping, a load balancer should ask another edge. */
  function refuseUnready(): void {
    if (options.isStopping()) throw unavailable('This edge is stopping', 1);
    const isReady = tokens.list().some((token) => token.isReady) || isWaitingForClients();
    if (!isReady) throw unavailable('The edge has no features yet', 1);
  }

  /** A dynamic edge without tokens learns them from its clients. */
  const isWaitingForClients = () => settings.mode === 'dynamic' && settings.tokens.length === 0;

  app.get('/health', async () => ({ health: 'GOOD' }));
  app.get('/ready', async () => {
    refuseUnready();
    return { health: 'GOOD' };
  });
  route(app, contract.health, () => ({ status: 'OK' }));
  route(app, contract.ready, () => {
    refuseUnready();
    return { status: 'READY' };
  });
  route(app, contract.tokens, async (_, { request }) => {
    const caller = await refuseStrangers(request);
    return {
      token_refreshes: tokens.list().flatMap(({ token, isReady }) => {
        const projects = token.projects === 'all' ? ['*'] : [...token.projects];
        const { environment, audience: type } = token;
        if (!projects.every((project) => sees(caller, environment, project))) return [];
        return [{ token: token.hash.slice(0, 8), type, environment, projects, ready: isReady }];
      }),
    };
  });
  route(app, contract.features, async (_, { request }) => {
    const caller = await refuseStrangers(request);
    const { revision, environments } = await definitions.current();
    const isOfCaller = (name: string) => (caller?.tokenScope?.environment ?? name) === name;
    return {
      revision,
      environments: [...environments.values()]
        .filter(({ name }) => isOfCaller(name))
        .map(({ name, features }) => ({
          environment: name,
          features: [...features.values()]
            .filter(({ project }) => sees(caller, name, project))
            .map((feature) => ({ name: feature.name, project: feature.project })),
        })),
    };
  });
  route(app, contract.instanceData, async (_, { request }) => {
    await refuseStrangers(request);
    const age = definitions.ageSeconds();
    return {
      ...{ appName: settings.appName, instanceId, edgeVersion: version },
      ...(settings.region !== undefined && { region: settings.region }),
      started: started.toISOString(),
      ...(age !== undefined && { stateAgeSeconds: age }),
      stale: definitions.isStale(),
      connectedStreamingClients: await options.countStreams(),
      memoryBytes: process.memoryUsage.rss(),
    };
  });
}
