import { randomUUID } from 'node:crypto';
import type { Fault } from './contract/fault.ts';

export type { Fault };

/** Longer than any of our messages without quoted input. */
const maxMessage = 1000;
/** How many characters of quoted input a longer message repeats. */
const maxQuoted = 100;
const longQuotation = new RegExp(`'([^']{${maxQuoted}})[^']+'`, 'g');
const maxPath = 300;

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/**
 * Shortens a message to a readable length. It applies to every message, because a hundred places quote unknown names: a
 * name of 900 kB made a response of 1.8 MB.
 */
function readable(message: string): string {
  if (message.length <= maxMessage) return message;
  return cut(cut(message, 10 * maxMessage).replace(longQuotation, "'$1…'"), maxMessage);
}

const readableFault = ({ message, path }: Fault): Fault => ({
  message: readable(message),
  ...(path !== undefined && { path: cut(path, maxPath) }),
});

/** An error that the caller receives. Anything else that is thrown becomes a 500. */
export class AppError extends Error {
  readonly id: string = randomUUID();
  readonly status: number;
  readonly details: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** Additional properties of the response. */
  readonly more: object | undefined;

  constructor(
    status: number,
    name: string,
    message: string,
    options: {
      details?: readonly Fault[];
      retryAfterSeconds?: number;
      cause?: unknown;
      more?: object | undefined;
    } = {},
  ) {
    super(readable(message), { cause: options.cause });
    this.status = status;
    this.name = name;
    this.details = (options.details ?? [{ message }]).map(readableFault);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.more = options.more;
  }
}

/** The maximum number of faults in a response. A body of 1 MiB can have a hundred thousand. */
export const maxDetails = 20;

/** Validation stops after this many faults. */
export const maxFaults = 100;

export const badData = (faults: readonly Fault[]) => {
  const [first] = faults;
  const count = faults.length < maxFaults ? faults.length : `at least ${maxFaults}`;
  const listed = faults.length > maxDetails ? `the first ${maxDetails}` : 'listed';
  const message =
    faults.length === 1 && first
      ? `Request validation failed: ${first.message}`
      : `Request validation failed: ${count} problems, ${listed} in details`;
  return new AppError(400, 'BadDataError', message, { details: faults.slice(0, maxDetails) });
};

/** A name that breaks the configured naming rule. */
export const patternError = (message: string, path?: string) =>
  new AppError(400, 'PatternError', message, { details: [{ message, ...(path && { path }) }] });

/** The sign-in methods, for a page that offers them. */
export interface WaysIn {
  /** The form to show: username and password. */
  readonly type: 'password';
  /** The path to which the form is sent. */
  readonly path: string;
  /** Whether the form is hidden because password sign-in is disabled. */
  readonly defaultHidden: boolean;
  /** The other sign-in methods; omitted if there are none. */
  readonly options?: readonly {
    readonly type: string;
    readonly message: string;
    readonly path: string;
  }[];
}

export const authenticationRequired = (waysIn?: WaysIn) =>
  new AppError(
    401,
    'AuthenticationRequired',
    'Sign in, or send a valid token in the Authorization header, to use this API',
    { more: waysIn },
  );

/** The same response for every reason, so that it reveals no usernames. */
export const signInRefused = () =>
  new AppError(401, 'AuthenticationRequired', 'Wrong username or password');

/** `advice` and `more`: what the caller can do instead. */
export const noAccess = (
  permission: string | readonly string[],
  environment?: string,
  { advice, more }: { readonly advice?: string; readonly more?: object | undefined } = {},
) => {
  const names = typeof permission === 'string' ? [permission] : permission;
  const where = environment === undefined ? '' : ` in the environment '${environment}'`;
  const needed = `You need the ${names.join(' or ')} permission${where} to do this`;
  const message = advice === undefined ? needed : `${needed}. ${advice}`;
  return new AppError(403, 'NoAccessError', message, { more });
};

/** For several required permissions in different places: each fault names some. */
export const noAccessToAll = (faults: readonly Fault[]) =>
  new AppError(403, 'NoAccessError', faults.map(({ message }) => message).join('; '), {
    details: faults,
  });

export const invalidOperation = (message: string) =>
  new AppError(403, 'InvalidOperationError', message);

export const notFound = (what: string, id: string | number) =>
  new AppError(
    404,
    'NotFoundError',
    `${what.charAt(0).toUpperCase()}${what.slice(1)} '${id}' not found`,
  );

export const unknownPath = (method: string, path: string) =>
  new AppError(404, 'NotFoundError', `No such endpoint: ${method} ${path}`);

export const nameExists = (message: string) => new AppError(409, 'NameExistsError', message);

/** Another request was faster. `more` describes what it did. */
export const conflict = (message: string, more: object) =>
  new AppError(409, 'ConflictError', message, { more });

export const payloadTooLarge = (limitBytes: number) =>
  new AppError(
    413,
    'PayloadTooLargeError',
    `The body exceeds the limit of ${limitBytes} bytes for this operation`,
  );

/** The spelling of the specification (part 7). */
export const contentTypeError = (contentType: string | undefined) =>
  new AppError(
    415,
    'ContentTypeerror',
    `Send the body as application/json, not as ${contentType ? `'${contentType.slice(0, 100)}'` : 'a body without content type'}`,
  );

export const headersTooLarge = () =>
  new AppError(431, 'HeadersTooLargeError', 'The request line and headers are larger than 16 KiB');

/** RFC 9110 defines one expectation, 100-continue, which Node handles itself. */
export const expectationFailed = () =>
  new AppError(417, 'ExpectationFailedError', 'The only supported expectation is 100-continue');

export const requestTimeout = () =>
  new AppError(408, 'RequestTimeoutError', "The request didn't arrive in time");

export const internal = (cause: unknown) =>
  new AppError(
    500,
    'InternalError',
    'An internal error occurred. Use the ID to find it in the log',
    {
      cause,
    },
  );

/** Used only where passwords and links can be guessed: log-in, reset and sign-up. */
export const tooManyRequests = (message: string, retryAfterSeconds: number) =>
  new AppError(429, 'TooManyRequestsError', message, { retryAfterSeconds });

export const inMaintenance = () =>
  new AppError(
    503,
    'MaintenanceError',
    'Maintenance mode is on. Changes are disabled until an admin turns it off',
    { retryAfterSeconds: 60 },
  );

export const diskFull = (cause?: unknown) =>
  unavailable("Couldn't save: the database disk is full", 30, cause);

export const unavailable = (message: string, retryAfterSeconds = 5, cause?: unknown) =>
  new AppError(503, 'UnavailableError', message, { retryAfterSeconds, cause });
