import type { Logger } from '../../../../platform/log.ts';
import type { MailSettings, Settings } from '../../../../platform/module.ts';

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

/** Requests wait for the result. */
const timeoutMs = 10_000;

/** Loaded with the first mail, because most installations never send one. */
async function connect({ host, port, secure, user, password }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure,
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Our texts never refer to files or addresses to load.
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
    send: async ({ to, subject, text, html }) => {
      try {
        transport ??= connect(settings);
        await (await transport).sendMail({
          from: settings.sender,
          // An object, because a string would be parsed as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          ...(html !== undefined && { html }),
        });
        return true;
      } catch (error) {
        // Logs neither the message, which may contain the address, nor the mail, which contains a link.
        log.warn({ code: codeOf(error) }, 'a mail could not be sent');
        return false;
      }
    },
  };
}
