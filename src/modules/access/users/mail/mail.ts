import type { Logger } from '../../../../platform/log.ts';
import type { MailSettings, Settings } from '../../../../platform/module.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  readonly configured: boolean;
  /** Whether the mail was handed over. A failure is logged, and is nobody else's. */
  readonly send: (mail: Mail) => Promise<boolean>;
}

declare module '../../../../platform/module.ts' {
  interface Services {
    /** For all modules that write to people. */
    readonly mailer: Mailer;
  }
}

/** Somebody waits for the answer. */
const patienceMs = 10_000;

/** Loaded with the first mail: most installations never send one. */
async function connect({ host, port, secure, user, password }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
    // Our texts hold no addresses of files, and never shall.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';

export function createMailer(
  { mail: settings }: Pick<Settings, 'mail'>,
  log: Pick<Logger, 'warn'>,
): Mailer {
  if (!settings) return { configured: false, send: async () => false };
  let transport: ReturnType<typeof connect> | undefined;
  return {
    configured: true,
    send: async ({ to, subject, text }) => {
      try {
        transport ??= connect(settings);
        await (await transport).sendMail({
          from: settings.sender,
          // As an object: text would be read as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
        });
        return true;
      } catch (error) {
        // Neither the message, which may repeat the address, nor the mail, which holds a link.
        log.warn({ code: codeOf(error) }, 'a mail could not be sent');
        return false;
      }
    },
  };
}
