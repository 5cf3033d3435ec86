import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Headers and bodies are never logged. Redacting these paths protects against objects logged by mistake. */
const secrets = ['authorization', 'cookie', 'password', 'secret', 'token'];

/** Logs to standard output, or to the destination of a test. */
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
