import { Type } from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';

const tag = 'Operations';
const status = (word: string) => Type.Object({ status: Type.Literal(word) });

const environment = Type.String();
const projects = Type.Array(Type.String(), { description: '`*` means all' });

/** The paths at which probes and operators of Unleash Edge look. */
export const backstageContract = {
  health: endpoint({
    method: 'GET',
    path: '/internal-backstage/health',
    id: 'getEdgeHealth',
    tag,
    summary: 'Check whether the process is alive',
    permission: 'public',
    response: status('OK'),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/internal-backstage/ready',
    id: 'getEdgeReady',
    tag,
    summary: 'Check whether this edge can serve SDKs',
    permission: 'public',
    response: status('READY'),
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/internal-backstage/tokens',
    id: 'getEdgeTokens',
    tag,
    summary: 'List the tokens that are served, without secrets',
    permission: 'public',
    response: Type.Object({
      token_refreshes: Type.Array(
        Type.Object({
          token: Type.String({ description: 'The beginning of the hash of the secret' }),
          type: Type.String(),
          environment,
          projects,
          ready: Type.Boolean(),
        }),
      ),
    }),
  }),
  features: endpoint({
    method: 'GET',
    path: '/internal-backstage/features',
    id: 'getEdgeFeatures',
    tag,
    summary: 'List the features that are served',
    permission: 'public',
    response: Type.Object({
      revision: Type.Integer(),
      environments: Type.Array(
        Type.Object({
          environment,
          features: Type.Array(Type.Object({ name: Type.String(), project: Type.String() })),
        }),
      ),
    }),
  }),
  instanceData: endpoint({
    method: 'GET',
    path: '/internal-backstage/instancedata',
    id: 'getEdgeInstanceData',
    tag,
    summary: 'Describe this edge',
    permission: 'public',
    response: Type.Object({
      appName: Type.String(),
      instanceId: Type.String(),
      edgeVersion: Type.String(),
      region: Type.Optional(Type.String()),
      started: Type.String(),
      stateAgeSeconds: Type.Optional(Type.Number()),
      stale: Type.Boolean(),
      connectedStreamingClients: Type.Integer(),
      memoryBytes: Type.Integer(),
    }),
  }),
};
