/** Where the page lets somebody choose a password by the secret of a link. */
export const invitationUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/new-user?token=${secret}`;

export const resetUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/reset-password?token=${secret}`;
