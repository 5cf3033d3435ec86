import type { Api } from '../../src/contract.ts';
import { hasSessionEnded, sessionEnded, sessionToBegin } from './sign-in/session.ts';

/** The path of the installation on its host, with a slash at the end. The server writes it into <base>. */
export const basePath = new URL(document.baseURI).pathname;

export interface Fault {
  readonly message: string;
  readonly path?: string;
}

/** An event that someone else recorded while the user was editing. */
export interface ForeignChange {
  readonly id: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly type: string;
  readonly environment: string | null;
  readonly label: string;
  readonly summary: string;
}

interface Proposal {
  readonly path: string;
  readonly body: unknown;
}

/** An error response of the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The `name` of the error, such as NameExistsError. */
  readonly kind: string;
  /** The id of the error in the server log. */
  readonly id: string | undefined;
  readonly faults: readonly Fault[];
  /** The changes of others that the server refuses to overwrite (ConflictError), newest first. */
  readonly changes: readonly ForeignChange[];
  /** The request that proposes a change which needs approval. */
  readonly proposal: Proposal | undefined;

  constructor(
    status: number,
    body: {
      name?: string;
      message?: string;
      id?: string;
      details?: Fault[];
      changes?: ForeignChange[];
      proposal?: Proposal;
    },
  ) {
    super(body.message ?? `Request failed (HTTP ${status})`);
    this.status = status;
    this.kind = body.name ?? 'UnknownError';
    this.id = body.id;
    this.faults = body.details ?? [];
    this.changes = body.changes ?? [];
    this.proposal = body.proposal;
  }
}

/** The server could not be reached at all. */
class ConnectionError extends Error {
  constructor() {
    super("Can't reach the server. Check your connection and try again.");
  }
}

/** Where a change was proposed instead of made. */
interface ProposedIn {
  readonly id: number;
  readonly project: string;
  readonly environment: string;
}

/** Not made, because it needs approval, but added to the user's draft of a change request. */
export class Proposed extends Error {
  override readonly name = 'Proposed';

  constructor({ environment }: ProposedIn) {
    super(`Added to your draft for ${environment}`);
  }
}

const onProposed = new Set<(request: ProposedIn) => void>();

/** Calls back after a change was proposed instead of made. Returns a function that unsubscribes. */
export function whenProposed(callback: (request: ProposedIn) => void): () => void {
  onProposed.add(callback);
  return () => void onProposed.delete(callback);
}

/** Says that changes were proposed instead of made. */
export function announceProposed(requests: readonly ProposedIn[]): void {
  for (const request of requests) for (const callback of onProposed) callback(request);
}

async function propose({ path, body }: Proposal): Promise<never> {
  const answer = await ask(`${basePath}${path.slice(1)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw await errorOf(answer);
  throw proposed(parsed(await answer.text()) as ProposedIn);
}

function proposed(request: ProposedIn): Proposed {
  announceProposed([request]);
  return new Proposed(request);
}

type Operation = keyof Api & string;

/** Left out where the operation has none. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value };

export type Request<O extends Operation> = Part<'params', Api[O]['params']> &
  Part<'query', Api[O]['query']> &
  Part<'body', Api[O]['body']> & { readonly signal?: AbortSignal | undefined };

export type Response<O extends Operation> = Api[O]['response'];

interface AnyRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function addressOf(path: string, { params = {}, query = {} }: AnyRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.append(name, String(value));
  }
  const text = search.toString();
  return `${basePath}${filled.slice(1)}${text && `?${text}`}`;
}

/** Sends a request; if the session has expired, again after signing in. */
export async function ask(address: string, init: RequestInit): Promise<globalThis.Response> {
  const answer = await fetch(address, {
    credentials: 'same-origin',
    redirect: 'manual',
    ...init,
  }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ConnectionError();
  });
  if (answer.status !== 401 || !address.startsWith(`${basePath}api/`)) return answer;
  // The request is repeated after signing in, so nothing is lost.
  sessionEnded();
  if (!hasSessionEnded()) return answer;
  await sessionToBegin(init.signal ?? undefined);
  return ask(address, init);
}

export const errorOf = async (answer: globalThis.Response): Promise<ApiError> =>
  new ApiError(answer.status, (parsed(await answer.text()) ?? {}) as object);

/** The paths of operations of which some can be proposed. */
const proposable = /^\/api\/admin\/(projects|segments|archive|features-batch)\/|\/revert$/;

/** Calls one operation of the contract: `api('GET /api/admin/projects', {})`. */
export async function api<O extends Operation>(
  operation: O,
  request: Request<O>,
): Promise<Response<O>> {
  const [method = '', path = ''] = operation.split(' ');
  const { body, signal, ...address } = request as AnyRequest;
  // Who may skip approvals asks for one all the same. Where none is needed, it changes nothing.
  const proposes = method !== 'GET' && proposable.test(path);
  const query = { ...address.query, ...(proposes && { propose: true }) };
  const answer = await ask(addressOf(path, { ...address, query }), {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (answer.type === 'opaqueredirect') return undefined as Response<O>;
  if (!answer.ok) {
    const error = await errorOf(answer);
    if (error.proposal) return propose(error.proposal);
    throw error;
  }
  const result = parsed(await answer.text());
  // Archiving responds with 202, too, and has no content.
  const { changeRequest } = (result ?? {}) as { changeRequest?: ProposedIn };
  if (proposes && answer.status === 202 && changeRequest) throw proposed(changeRequest);
  return result as Response<O>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether it doesn't exist or was deleted. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404;
