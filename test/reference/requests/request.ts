/** A request that is sent to the reference once, and to Burgee in each test run. */
export interface Request {
  /** Method and path. `{{name}}` is replaced by an id of an earlier response. */
  readonly ask: string;
  /** Sent as JSON. A string that is only `{{name}}` becomes the saved id, which may be a number. */
  readonly body?: unknown;
  /** Saves the `id` of the response under this name. */
  readonly keep?: string;
  /** Sent as a user, because the reference does not allow tokens to do everything. */
  readonly as?: 'person';
}

/** Reads what SDKs receive. */
interface Look {
  readonly look: string;
}

export type Step = Request | Look;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type More = Pick<Request, 'keep' | 'as'>;

const send =
  (method: Method) =>
  (path: string, body?: unknown, more: More = {}): Request => ({
    ask: `${method} ${path}`,
    ...(body !== undefined && { body }),
    ...more,
  });

export const get = (path: string): Request => ({ ask: `GET ${path}` });
export const post = send('POST');
export const put = send('PUT');
export const patch = send('PATCH');
export const del = (path: string): Request => ({ ask: `DELETE ${path}` });

export const admin = '/api/admin';
const project = `${admin}/projects/default`;
export const inProject = (path: string): string => `${project}/${path}`;
export const features = inProject('features');
export const feature = (name: string): string => `${features}/${encodeURIComponent(name)}`;
export const place = (name: string, environment = 'development'): string =>
  `${feature(name)}/environments/${environment}`;
export const strategies = (name: string, environment?: string): string =>
  `${place(name, environment)}/strategies`;

export const newFeature = (name: string, more: object = {}): Request =>
  post(features, { name, type: 'release', ...more });

/** Archives a feature and deletes it permanently. */
export const removed = (name: string): Request[] => [
  del(feature(name)),
  del(`${admin}/archive/${name}`),
];

/** A rollout to everyone, unless `more` or `parameters` says otherwise. */
export const rollout = (more: object = {}, parameters: object = {}): object => ({
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'default', groupId: 'group', ...parameters },
  ...more,
});

/** A repeatable sequence of numbers between 0 and 1, so that a new recording sends the same requests. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
