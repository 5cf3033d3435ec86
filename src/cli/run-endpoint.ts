import { AppError, badData } from '../platform/errors.ts';
import { type RequestRules, requestFaults } from '../platform/http/validate.ts';
import { StartError } from '../platform/start-error.ts';

/**
 * Runs the work of an endpoint with the endpoint's validation. Faults are worded for the command line: `names` maps
 * properties to options.
 */
export async function runEndpoint<Body, Result>(
  rules: RequestRules,
  body: Body,
  names: Readonly<Record<string, string>>,
  work: (body: Body) => Promise<Result>,
): Promise<Result> {
  const inOptions = (message: string) =>
    message.replace(/\/body\/(\w+)/g, (whole, property: string) =>
      Object.hasOwn(names, property) ? `--${names[property]}` : whole,
    );
  try {
    const faults = requestFaults({ body: rules.body, check: rules.check })({
      params: {},
      query: {},
      body,
    });
    if (faults.length > 0) throw badData(faults);
    return await work(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const lines = error.status === 400 ? error.details.map(({ message }) => message) : [];
    throw new StartError((lines.length > 0 ? lines : [error.message]).map(inOptions).join('\n'));
  }
}
