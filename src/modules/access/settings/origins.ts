import type { Fault } from '../../../platform/errors.ts';

/** Scheme, host (a name, an IPv4 address, or an IPv6 address in brackets) and optional port, without a path. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]*]+)(?::\d{1,5})?$/i;

const isWeb = (origin: string) => /^https?:/i.test(origin);

const isOrigin = (text: string) =>
  text === '*' || (originPattern.test(text) && (!isWeb(text) || URL.canParse(text)));

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
