import type { Fault } from './provider.ts';

/** A key that was pasted with a blank or a line break around it fails at the receiver, days later. */
export const keyFaults = (parameter: string, key: string | undefined): Fault[] =>
  key && !/^[\x21-\x7e]+$/.test(key)
    ? [
        {
          parameter,
          message: 'The key must contain only printable ASCII characters, without blanks.',
        },
      ]
    : [];
