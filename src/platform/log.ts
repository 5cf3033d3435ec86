import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Headers and bodies are never logged; these paths are a second fence against a careless object. */
const secrets = ['authorization', 'cookie', 'password', 'secret', 'token'];

/** To standard output, unless a test wants to read it. */
export const createLogger = (level: (typeof logLevels)[number], to?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((key) => [key, `*.${key}`, `*.headers.${key}`]),
      censor: '*****',
    },
  };
  return to ? pino(options, to) : pino(options);
};
