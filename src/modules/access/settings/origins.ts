import type { Fault } from '../../../platform/errors.ts';
import { isOrigin, isWeb } from '../../../platform/http/origin.ts';

export const originFaults = (origins: readonly string[], path: string): Fault[] =>
  origins.flatMap((origin, index) =>
    isOrigin(origin)
      ? []
      : [
          {
            path: `${path}/${index}`,
            message: `${path}/${index} must be * or an origin such as https://shop.example.com:8443, without a path`,
          },
        ],
  );

/** As browsers send it: in lower case, without the default port. */
const normaliseOrigin = (origin: string) =>
  isWeb(origin) ? new URL(origin).origin : origin.toLowerCase();

/** Without duplicates, in their original order. */
export const distinctOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map(normaliseOrigin)),
];
