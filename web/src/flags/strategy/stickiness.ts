/** What the values of stickiness that name no context field do. */
export const stickinessHelp: Readonly<Record<string, string>> = {
  default: 'userId, then sessionId, otherwise random',
  random: 'Random on every request',
};

/** "Stickiness: default (userId, then sessionId, otherwise random)". */
export const stickinessText = (stickiness: string): string =>
  stickiness === 'default'
    ? `Stickiness: default (${stickinessHelp.default})`
    : `Stickiness: ${stickiness}`;
