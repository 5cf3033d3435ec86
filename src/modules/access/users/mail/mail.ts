import { createConnection, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Logger } from '../../../../platform/log.ts';
import type { MailSettings, Settings } from '../../../../platform/module.ts';
import { createSemaphore, type Release } from '../../../../platform/semaphore.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as a page, for readers that show one. */
  readonly html?: string;
}

export interface Mailer {
  readonly configured: boolean;
  /** Returns whether the mail server took the mail. A failure is logged and never thrown. */
  readonly send: (mail: Mail) => Promise<boolean>;
}

declare module '../../../../platform/module.ts' {
  interface Services {
    /** Shared by all modules that send mails. */
    readonly mailer: Mailer;
  }
}

/** For a connection, and for a server that says nothing. Requests wait for the result. */
const usualTimeoutMs = 10_000;
/** For a mail as a whole: a server that sends a line now and then is never silent. */
const deadlineMs = 30_000;
/** How many mails are sent at once, and how many wait. Both count towards their deadline. */
const maxAtOnce = 4;
const maxWaiting = 100;

const timedOut = (message: string) => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

interface Ending {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Opens a connection that ends with the signal, whatever is happening on it then. */
function openSocket({ host, port }: MailSettings, { timeoutMs, signal }: Ending): Promise<Socket> {
  const socket = createConnection({ host, port, signal, timeout: timeoutMs });
  return new Promise((resolve, reject) => {
    const fail = () => void socket.destroy(timedOut("Couldn't reach the mail server"));
    socket.once('timeout', fail);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('timeout', fail);
      socket.off('error', reject);
      // Until the driver has its own listener, an error would end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** Creates the driver for one mail. It is loaded with the first one, because most installations never send any. */
async function createDriver(settings: MailSettings, tls: ConnectionOptions, ending: Ending) {
  const { createTransport } = await import('nodemailer');
  const { host, port, secure, requireTls, user, password } = settings;
  return createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    tls,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    getSocket: (_options, callback) => {
      openSocket(settings, ending).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, undefined),
      );
    },
    greetingTimeout: ending.timeoutMs,
    socketTimeout: ending.timeoutMs,
    // Our texts never refer to files or addresses to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function deliver(
  driver: Awaited<ReturnType<typeof createDriver>>,
  from: string,
  { to, subject, text, html }: Mail,
  signal: AbortSignal,
): Promise<void> {
  const sending = driver.sendMail({
    from,
    // An object, because a string would be parsed as a list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
  });
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  await Promise.race([sending, ended]);
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';

/** Says what an operator can do, where the code alone does not say it. The texts of the mail server are not repeated. */
function adviceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return 'the mail server took too long for one email';
  // Texts of the driver. Those of the server come behind them.
  if (
    /^(Error upgrading connection with|EHLO failed but .* required) STARTTLS/.test(error.message)
  ) {
    return 'the mail server does not offer STARTTLS, so nothing was sent. Set EMAIL_SECURE=true if its port begins with TLS, or EMAIL_ALLOW_PLAINTEXT=true to send passwords and links unencrypted';
  }
  const isTls = ['ETLS', 'ESOCKET'].includes(codeOf(error));
  return isTls && /certificate|TLS|SSL/i.test(error.message)
    ? 'there is no trusted TLS with the mail server, so nothing was sent. Check its certificate and the name in EMAIL_HOST'
    : undefined;
}

/** What tests replace. */
interface MailerOptions {
  readonly newDeadline?: () => AbortSignal;
  readonly timeoutMs?: number;
  /** The certificates to trust. */
  readonly tls?: ConnectionOptions;
}

export function createMailer(
  { mail: settings }: Pick<Settings, 'mail'>,
  log: Pick<Logger, 'warn'>,
  {
    newDeadline = () => AbortSignal.timeout(deadlineMs),
    timeoutMs = usualTimeoutMs,
    tls = {},
  }: MailerOptions = {},
): Mailer {
  if (!settings) return { configured: false, send: async () => false };
  const permits = createSemaphore(maxAtOnce, {
    maxWaiting,
    refusal: 'Too many emails are waiting for the mail server',
  });
  return {
    configured: true,
    send: async (mail) => {
      const deadline = newDeadline();
      let release: Release | undefined;
      try {
        release = await permits.acquire(deadline);
        deadline.throwIfAborted();
        const driver = await createDriver(settings, tls, { timeoutMs, signal: deadline });
        await deliver(driver, settings.sender, mail, deadline);
        return true;
      } catch (error) {
        const advice = adviceOf(error);
        // Logs neither the message, which may contain the address, nor the mail, which contains a link.
        log.warn(
          { code: codeOf(error), ...(advice !== undefined && { advice }) },
          'an email could not be sent',
        );
        return false;
      } finally {
        release?.();
      }
    },
  };
}
