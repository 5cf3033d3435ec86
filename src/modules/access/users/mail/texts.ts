import type { Mail } from './mail.ts';

/** The page where a person sets a password with the secret of a link. */
export const invitationUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/new-user?token=${secret}`;

export const resetUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/reset-password?token=${secret}`;

interface LinkMail {
  readonly to: string;
  readonly url: string;
}

/** Control characters, separators of lines, and characters that reverse or hide text. Joiners of words and emoji stay. */
const unprintable = /(?:[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}])+/gu;

/** Puts a name or a sentence on one line: with a line break in it, somebody could add lines of their own to a mail. */
export const oneLine = (text: string): string => text.replace(unprintable, ' ').trim();

const greeting = (name: string) => {
  const shown = oneLine(name);
  return shown === '' ? 'Hello,' : `Hello ${shown},`;
};

export const invitationMail = ({ to, url }: LinkMail, name: string): Mail => ({
  to,
  subject: 'You are invited to Burgee',
  text: `${greeting(name)}

An administrator has created an account for you. Choose a password within 7 days:

${url}

The link works once. If you did not expect this message, you can ignore it.
`,
});

export const resetMail = ({ to, url }: LinkMail, name: string): Mail => ({
  to,
  subject: 'A new password for Burgee',
  text: `${greeting(name)}

Use this link to choose a new password, once, within 24 hours:

${url}

If you did not ask for it, you can ignore this message. Your password stays unchanged.
`,
});
