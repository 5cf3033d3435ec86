import { capitalized } from './format.ts';

/** `/body/name must …; you sent …` is for programs: a form shows the message at the field, and the value in it. */
export const faultMessage = (message: string): string =>
  capitalized(
    message
      .replace(/^Request validation failed: /, '')
      .replace(/^\/body\S*\s/, '')
      .replace(/; you sent .*$/s, ''),
  );
