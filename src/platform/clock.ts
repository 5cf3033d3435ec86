/** The one source of the current time, so that tests and the demo can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
