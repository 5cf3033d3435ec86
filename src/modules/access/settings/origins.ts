import type { Fault } from '../../../platform/errors.ts';

/** Scheme, host (a name, an address, or an IPv6 one in brackets) and perhaps a port; nothing behind. */
const shape = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]*]+)(?::\d{1,5})?$/i;

const isWeb = (origin: string) => /^https?:/i.test(origin);

const isOrigin = (text: string) =>
  text === '*' || (shape.test(text) && (!isWeb(text) || URL.canParse(text)));

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

/** As browsers write it in their header: in lower case, without the port that goes without saying. */
const written = (origin: string) => (isWeb(origin) ? new URL(origin).origin : origin.toLowerCase());

/** Each once, in the order in which they were sent. */
export const distinctOrigins = (origins: readonly string[]): string[] => [
  ...new Set(origins.map(written)),
];
